import type { SignalFinding } from '../model.ts';

/** With fewer deliveries of the day of the week nothing is usual. */
const LEAST_SAME_DAY = 4;
/** Older ones say nothing of what is usual now. */
export const MOST_SAME_DAY = 8;
/** Less than this share of what is usual is small. */
const SMALL = 0.8;

/**
 * That a delivery is small for its day of the week: less than four fifths of the usual rows of those of the same day, and fewer than each
 * of them. `before`: their rows, the newest last. Pure.
 */
export function smallForWeekday(rows: number, before: readonly number[]): SignalFinding[] {
  const last = before.slice(-MOST_SAME_DAY).toSorted((a, b) => a - b);
  const [usual = 0, least = 0] = [last[Math.floor(last.length / 2)], last[0]];
  if (last.length < LEAST_SAME_DAY || rows >= least || rows >= usual * SMALL) return [];
  return [{ code: 'small-for-weekday', rows, usual, least, deliveries: last.length, examples: [] }];
}
