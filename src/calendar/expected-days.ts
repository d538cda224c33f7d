import { isStopped, type Stop } from './stops.ts';
import { momentOf, shownAt } from './zone-time.ts';

const DAY_MS = 86_400_000;
const HALF_DAY_MS = DAY_MS / 2;

/** Deliveries that are due by the clock, on certain days of the week. */
export type DaysExpected = {
  /** Days of the week, 0 for Sunday. */
  weekdays: readonly number[];
  /** When deliveries are due, in milliseconds from midnight, the earliest first; the same time twice: two by then. */
  by: readonly number[];
  timezone: string;
  /** How long after it was due a delivery is still on time, at most a day. */
  tolerance: number;
  /** Whether nothing is expected on a day such as `2026-12-25`, whichever day of the week it is. */
  isOff: (day: string) => boolean;
};

/** A day on which deliveries are expected: from when on deliveries count for it, and when they are due. */
export type ExpectedDay = { day: string; opens: number; dues: number[] };

/** The number of the day that the clocks of a time zone show; 0 is 1 January 1970. */
export function dayNumber(at: number, timezone: string): number {
  return Math.floor(shownAt(at, timezone) / DAY_MS);
}

/** A day by its number, as `2026-05-04`. */
export function dayName(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** The day of the week of a day by its number, 0 for Sunday. */
export function weekdayOf(number: number): number {
  return (((number + 4) % 7) + 7) % 7;
}

/**
 * What is expected on a day; null where nothing is. It counts what comes from midnight on, or from half a day before the first is due
 * where that is earlier, but not what comes while the day before is still waited for.
 */
export function expectedDay(number: number, expected: DaysExpected, stops: readonly Stop[]): ExpectedDay | null {
  const dues = duesOf(number, expected, stops);
  const [first] = dues;
  if (first === undefined) return null;
  const { timezone, tolerance } = expected;
  const midnight = momentIn(number * DAY_MS, timezone);
  const before = [number - 1, number - 2].flatMap((one) => duesOf(one, expected, stops)).map((due) => due + tolerance);
  const opens = Math.max(Math.min(midnight, first - HALF_DAY_MS), ...before);
  return { day: dayName(number), opens: Math.min(opens, first), dues };
}

function duesOf(number: number, { weekdays, by, timezone, isOff }: DaysExpected, stops: readonly Stop[]): number[] {
  if (!weekdays.includes(weekdayOf(number)) || isOff(dayName(number))) return [];
  return by.map((time) => momentIn(number * DAY_MS + time, timezone)).filter((due) => !isStopped(due, stops));
}

/** By time zone: suppliers share their times, and asking a clock takes longer than all the rest. */
const MOMENTS = new Map<string, Map<number, number>>();
const MOST_MOMENTS = 20_000;

function momentIn(shown: number, timezone: string): number {
  const known = MOMENTS.get(timezone) ?? new Map<number, number>();
  MOMENTS.set(timezone, known);
  const before = known.get(shown);
  if (before !== undefined) return before;
  if (known.size === MOST_MOMENTS) known.clear();
  const at = momentOf(shown, timezone);
  known.set(shown, at);
  return at;
}
