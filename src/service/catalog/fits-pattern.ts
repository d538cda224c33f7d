import { runInNewContext } from 'node:vm';

/** No field of a vehicle is longer. */
export const MAX_VALUE = 256;
/** A pattern that needs longer for so short a value would never end. */
const MATCH_TIMEOUT = 100;

/**
 * Whether a whole value fits a regular expression that came from outside; null when the pattern cannot be used, because it
 * is invalid or takes too long (such as `(a+)+`).
 */
export function fitsPattern(value: string, pattern: string): boolean | null {
  const source = `^(?:${pattern})$`;
  for (const flags of ['u', '']) {
    if (!isPattern(source, flags)) continue;
    try {
      const found: unknown = runInNewContext(
        'new RegExp(source, flags).test(value)',
        { source, flags, value: value.slice(0, MAX_VALUE) },
        { timeout: MATCH_TIMEOUT },
      );
      return found === true;
    } catch {
      return null;
    }
  }
  return null;
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}
