import { runInNewContext } from 'node:vm';
import { RE2JS } from 're2js';

/** No field of a vehicle is longer. */
export const MAX_VALUE = 256;
/** Far more than any pattern needs for so short a value, on a machine that is busy with other things too. */
const MATCH_TIMEOUT = 10_000;

/**
 * Whether a whole value fits a regular expression that came from outside; null when it is none, or would never end. Patterns
 * are matched in time that grows with the value, except for the few that look around or refer back.
 */
export function fitsPattern(value: string, pattern: string): boolean | null {
  const short = value.slice(0, MAX_VALUE);
  const compiled = compiledLinear(pattern);
  return compiled === undefined ? fitsByTrying(short, `^(?:${pattern})$`) : compiled.matches(short);
}

function compiledLinear(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function fitsByTrying(value: string, source: string): boolean | null {
  const flags = ['u', ''].find((set) => isPattern(source, set));
  if (flags === undefined) return null;
  try {
    const options = { timeout: MATCH_TIMEOUT };
    return runInNewContext('new RegExp(source, flags).test(value)', { source, flags, value }, options) === true;
  } catch {
    return null;
  }
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}
