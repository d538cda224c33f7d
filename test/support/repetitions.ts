/** `npm run test:long` sets it: random tests then repeat as often as they say. */
export const LONG = (process.env['OFFERLINE_LONG'] ?? '') !== '';

/** What part of its repetitions a random test makes otherwise, and how many are never undercut. */
const PART = 5;
const LEAST = 10;

/** How often a random test repeats that makes so many repetitions in the long run. Seeds differ in each run, so that CI adds up. */
export function repetitions(inLongRun: number): number {
  if (LONG) return inLongRun;
  return Math.min(inLongRun, Math.max(LEAST, Math.ceil(inLongRun / PART)));
}

/**
 * How often a random test has to have met what it is about, of so many times in the long run. Fewer repetitions spread wider, so that
 * half of the proportion is asked for: it tells a generator that draws none of it, not one that drew less by chance.
 */
export function coverage(inLongRun: number): number {
  return LONG ? inLongRun : Math.floor(inLongRun / PART / 2);
}
