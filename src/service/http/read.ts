import type { z } from 'zod';
import { showPath } from '../../config/read/path.ts';
import { OfferlineError } from '../../errors.ts';
import { nameOf, type Call, type Reply } from './access.ts';
import { grouped } from '../../wording/words.ts';
import { excerpt, withRequestId } from './excerpt.ts';
import { countValues, parseLossless } from './lossless-json.ts';

/** Records nest a few levels deep and groups some more; deeper replies would exhaust the stack. */
const MAX_DEPTH = 500;

/** Values of a reply: far more than any page has. Those that fit no schema take half a kilobyte each. */
const MAX_VALUES = 200_000;

/** True for a status that promises what was asked for. */
export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status <= 299;
}

/** Reads text that should be JSON of a schema; says what came instead. */
export function readJson<T>(call: Call, text: string, schema: z.ZodType<T>): T {
  if (countValues(text) > MAX_VALUES) {
    const message = `${nameOf(call)} returned more than ${grouped(MAX_VALUES)} values; ask for smaller pages.`;
    throw new OfferlineError('service-reply', message, { details: { limit: 'entries', most: MAX_VALUES } });
  }
  let value: unknown;
  try {
    value = parseLossless(text.replace(/^\uFEFF/u, ''));
  } catch {
    const what = /^\s*</.test(text) ? 'HTML or XML' : text.trim() === '' ? 'nothing' : 'something that is not JSON';
    const shown = excerpt(text);
    throw new OfferlineError('service-reply', `${nameOf(call)} returned ${what} instead of JSON: ${shown}`, {
      retryable: true,
    });
  }
  return readValue(call, value, schema);
}

/** Reads a parsed reply through its schema; a wrong type is named with its path and the value that was received. */
export function readValue<T>(call: Call, value: unknown, schema: z.ZodType<T>): T {
  assertDepth(call, value);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  const received = issue?.input;
  const shown = received === undefined ? 'nothing' : excerpt(JSON.stringify(received));
  const expected = (issue?.message ?? '').replace(/^Invalid input: /u, '').replace(/, received .*$/u, '');
  const id = withRequestId(value);
  throw new OfferlineError(
    'service-reply',
    `${nameOf(call)} returned an unexpected value at ${showPath(path) || 'its root'}: ${expected}, received ${shown}${id.text}`,
    { details: { operation: nameOf(call), path: showPath(path), ...id.details } },
  );
}

/** Walks level by level, because a walk that calls itself would be stopped by the depth that it looks for. */
function assertDepth(call: Call, value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new OfferlineError('service-reply', `${nameOf(call)} returned records nested more than ${MAX_DEPTH} deep.`);
    }
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}
