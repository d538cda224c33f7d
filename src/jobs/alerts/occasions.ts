import { momentOf, shownAt } from '../../calendar/zone-time.ts';

/** A moment at which something is due, and the day of the calendar (`2026-05-04`) that it belongs to. */
export type Occasion = { day: string; at: number };

/** When something is due: at a time of day (`06:00`) in a time zone, on the days that `on` picks; 0 is Sunday. */
export type Timetable = { at: string; timezone: string; on?: (day: { weekday: number; date: number }) => boolean };

const DAY_MS = 86_400_000;

/**
 * The newest occasions, `now` included, among the last `days` days of the calendar, the newest first. Each day has one: a time that
 * the clocks skip comes when they jump over it, one that they show twice comes the first time.
 */
export function lastOccasions({ at, timezone, on = () => true }: Timetable, now: number, days: number): Occasion[] {
  const today = Math.floor(shownAt(now, timezone) / DAY_MS) * DAY_MS;
  const dates = Array.from({ length: days }, (_, back) => new Date(today - back * DAY_MS));
  return dates
    .filter((date) => on({ weekday: date.getUTCDay(), date: date.getUTCDate() }))
    .map((date) => date.toISOString().slice(0, 10))
    .map((day) => ({ day, at: momentOf(Date.parse(`${day}T${at}Z`), timezone) }))
    .filter((occasion) => occasion.at <= now);
}
