import { nearest } from '../../config/read/nearest.ts';
import { showPath } from '../../config/read/path.ts';
import { OfferlineError } from '../../errors.ts';
import type { Operation } from './operation.ts';
import { parametersOf } from './parameters.ts';

/** Checks and normalises the parameters of a call; a `usage` error names every problem at once (`details.problems`). */
export function checkParameters(operation: Operation, given: unknown): Record<string, unknown> {
  const parsed = operation.parameters.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const known = parametersOf(operation.parameters);
  const problems = parsed.error.issues.flatMap((issue) => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownParameter(key, operation));
    const missing = known.find(({ name }) => path.length === 1 && name === path[0] && issue.input === undefined);
    if (missing !== undefined) return [`${missing.name} is missing: ${missing.description}`];
    return [`${showPath(path) || 'the parameters'}: ${issue.message}, found ${show(issue.input)}`];
  });
  throw parameterError(operation, problems);
}

/** The error for parameters that cannot be sent, with every problem on a line of its own. */
export function parameterError(operation: Operation, problems: string[]): OfferlineError {
  const [first = '', ...others] = problems;
  const message =
    others.length === 0
      ? `${operation.name}: ${first}`
      : `${operation.name} has ${problems.length} problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
  return new OfferlineError('usage', message, { details: { operation: operation.name, problems } });
}

/** The problem of a parameter that an operation does not have. */
function unknownParameter(name: string, operation: Operation): string {
  const known = parametersOf(operation.parameters).map((parameter) => parameter.name);
  const near = nearest(name, known);
  const advice = near === undefined ? `it has ${known.join(', ')}` : `did you mean ${near}?`;
  return `${operation.name} has no parameter ${name}; ${advice}`;
}

function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
