/** A moment at which something is due, and the day of the calendar (`2026-05-04`) that it belongs to. */
export type Occasion = { day: string; at: number };

/** When something is due: at a time of day (`06:00`) in a time zone, on the days that `on` picks; 0 is Sunday. */
export type Timetable = { at: string; timezone: string; on?: (day: { weekday: number; date: number }) => boolean };

const DAY_MS = 86_400_000;

/**
 * The newest occasions, `now` included, among the last `days` days of the calendar, the newest first. Each day has one: a time that
 * the clocks skip comes as much later, of one that they show twice the second counts.
 */
export function lastOccasions({ at, timezone, on = () => true }: Timetable, now: number, days: number): Occasion[] {
  const today = Date.parse(dayIn(timezone, now));
  const dates = Array.from({ length: days }, (_, back) => new Date(today - back * DAY_MS));
  return dates
    .filter((date) => on({ weekday: date.getUTCDay(), date: date.getUTCDate() }))
    .map((date) => date.toISOString().slice(0, 10))
    .map((day) => ({ day, at: momentOf(day, at, timezone) }))
    .filter((occasion) => occasion.at <= now);
}

/** A time of day on a day of the calendar of a time zone, in milliseconds. */
export function momentOf(day: string, at: string, timezone: string): number {
  const shown = Date.parse(`${day}T${at}Z`);
  return shown - offsetAt(shown - offsetAt(shown, timezone), timezone);
}

function dayIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
