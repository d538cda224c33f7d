/** `npm run test:long` sets it: random tests then repeat as often as they say. */
const LONG = (process.env['OFFERLINE_LONG'] ?? '') !== '';

/** What part of its repetitions a random test makes otherwise, and how many are never undercut. */
const PART = 5;
const LEAST = 10;

/** How often a random test repeats that makes so many repetitions in the long run. Seeds differ in each run, so that CI adds up. */
export function repetitions(inLongRun: number): number {
  if (LONG) return inLongRun;
  return Math.min(inLongRun, Math.max(LEAST, Math.ceil(inLongRun / PART)));
}
