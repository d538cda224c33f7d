import { dictionary } from '../../io/dictionary.ts';
import { readFile } from 'node:fs/promises';
import { checkParameters, parameterError } from '../../service/operation/check-parameters.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { parseLossless } from '../../service/http/lossless-json.ts';
import type { Operation } from '../../service/operation/operation.ts';
import { parametersOf, type Parameter } from '../../service/operation/parameters.ts';
import { findOperation, shownName } from './find-operation.ts';

/** A call that can be made: the operation and its parameters, which were checked. */
export type Plan = { operation: Operation; parameters: Record<string, unknown> };

type Wanted = { param?: string[]; body?: string; allPages?: true; out?: string; json?: true };

/** Reads operation, parameters and body of the command line; a `usage` error names every problem at once. */
export async function planCall(name: string, wanted: Wanted): Promise<Plan> {
  const operation = findOperation(name);
  if (!operation.repeatable) throw onlyByIngest(operation);
  const { parameters, problems } = readParameters(operation, wanted.param ?? []);
  if (wanted.body !== undefined && operation.inQuery === undefined)
    problems.push('--body: this operation has no body; use --param');
  if (wanted.allPages === true && operation.paged === undefined)
    problems.push('--all-pages: this operation has no pages');
  if (operation.reply === 'file' && wanted.json === true && wanted.out === undefined) {
    problems.push('--json: this operation answers with a file; name one with --out');
  }
  const hasBody = wanted.body !== undefined && operation.inQuery !== undefined;
  const whole = { ...(hasBody ? await readBody(wanted.body ?? '') : {}), ...parameters };
  problems.push(...problemsOf(operation, whole));
  if (problems.length > 0) throw parameterError({ ...operation, name: shownName(operation) }, problems);
  return { operation, parameters: whole };
}

/** The whole program exists to prevent an unwatched upload, or one beside another that is in progress. */
function onlyByIngest(operation: Operation): OfferlineError {
  const why = 'such an upload would bypass the guards, the receipt, and any upload already in progress';
  const message = `${shownName(operation)} is not called by api: ${why}. Use offerline ingest FEED --file PATH --wait.`;
  return new OfferlineError('usage', message);
}

function problemsOf(operation: Operation, parameters: Record<string, unknown>): string[] {
  try {
    checkParameters(operation, parameters);
    return [];
  } catch (error) {
    if (!(error instanceof OfferlineError)) throw error;
    return (error.details['problems'] as string[] | undefined) ?? [error.message];
  }
}

function readParameters(operation: Operation, written: string[]) {
  const known = new Map(parametersOf(operation.parameters).map((parameter) => [parameter.name, parameter]));
  const parameters = dictionary<unknown>();
  const problems: string[] = [];
  for (const text of written) {
    const at = text.indexOf('=');
    if (at < 1) problems.push(`--param ${text}: expected NAME=VALUE`);
    else put(known, text.slice(0, at), text.slice(at + 1), parameters, problems);
  }
  return { parameters, problems };
}

/** Lists may be given piece by piece; names that the operation has not are its fields, where it has any. */
function put(
  known: Map<string, Parameter>,
  name: string,
  value: string,
  parameters: Record<string, unknown>,
  problems: string[],
): void {
  const kind = known.get(name)?.kind;
  if (name === 'fields' && kind !== undefined) {
    problems.push('--param fields: give each field under its own name: --param NAME=VALUE');
  } else if (kind === undefined && known.has('fields')) {
    const fields = (parameters['fields'] ??= dictionary<string>()) as Record<string, string>;
    fields[name] = value;
  } else if (kind === undefined || !Object.hasOwn(parameters, name)) parameters[name] = kind?.read(value) ?? value;
  else if (Array.isArray(parameters[name]))
    parameters[name] = [...(parameters[name] as unknown[]), ...(kind.read(value) as unknown[])];
  else problems.push(`--param ${name}: given twice`);
}

async function readBody(file: string): Promise<Record<string, unknown>> {
  const body = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = systemCode(error) === 'ENOENT' ? 'it does not exist' : messageOf(error);
    throw new OfferlineError('usage', `The body ${file} cannot be read: ${why}. (--body)`);
  });
  try {
    const value = parseLossless(body.replace(/^\uFEFF/u, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new OfferlineError('usage', `The body ${file} is not JSON: ${messageOf(error)}. (--body)`);
  }
  throw new OfferlineError('usage', `The body ${file} is not a JSON object: { "name": value, … }. (--body)`);
}
