import { clockTime } from '../wording/words.ts';

const DAY_MS = 86_400_000;

/** What the clocks of a time zone show at a moment, as the milliseconds of the UTC time that reads the same. */
export function shownAt(at: number, timezone: string): number {
  return at + offsetAt(at, timezone);
}

/**
 * The moment at which the clocks of a time zone show a time, which is written as in `shownAt`. Of a time that they show twice it is the
 * first one; of a time that they skip, the one at which they jump over it.
 */
export function momentOf(shown: number, timezone: string): number {
  const [before, after] = [offsetAt(shown - DAY_MS, timezone), offsetAt(shown + DAY_MS, timezone)];
  const early = shown - Math.max(before, after);
  const late = shown - Math.min(before, after);
  const found = [early, late].find((at) => shownAt(at, timezone) === shown);
  return found ?? nextJump(early, late, timezone) ?? late;
}

/** The first moment after `from`, `until` included, at which the clocks of a time zone jump; undefined when they do not. */
export function nextJump(from: number, until: number, timezone: string): number | undefined {
  const offset = offsetAt(from, timezone);
  for (let start = from; start < until; start += DAY_MS) {
    const end = Math.min(start + DAY_MS, until);
    if (offsetAt(end, timezone) !== offset) return firstOther(start, end, offset, timezone);
  }
  return undefined;
}

/** Halves the time between a moment with an offset and one with another until the first of the others is found. */
function firstOther(same: number, other: number, offset: number, timezone: string): number {
  let [low, high] = [same, other];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, timezone) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
export function offsetAt(at: number, timezone: string): number {
  return Date.parse(`${clockTime(at, timezone).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
