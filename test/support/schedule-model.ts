/**
 * When schedules are due, without the program and without its cron library: it goes from minute to minute and looks at a clock of the
 * time zone.
 */

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** What a cron expression of five fields names. */
export type Fields = { everyHour: boolean; names: (shown: number) => boolean };

/** Reads minute, hour, day, month and weekday: numbers, lists, ranges and steps, and `L` for the last day of a month. */
export function readFields(cron: string): Fields {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ');
  const [minutes, hours, months] = [valuesOf(minute, 0, 59), valuesOf(hour, 0, 23), valuesOf(month, 1, 12)];
  const [days, weekdays] = [valuesOf(day, 1, 31), valuesOf(weekday, 0, 7)];
  const isDay = (date: Date) =>
    days.has(date.getUTCDate()) || (day.includes('L') && new Date(date.getTime() + DAY).getUTCDate() === 1);
  const isWeekday = (date: Date) => weekdays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.has(7));
  const isNamed = (date: Date) => {
    if (day === '*') return isWeekday(date);
    if (weekday === '*') return isDay(date);
    return isDay(date) || isWeekday(date);
  };
  return {
    everyHour: hours.size === 24,
    names: (shown) => {
      if (!minutes.has((shown / MINUTE) % 60) || !hours.has(Math.floor(shown / HOUR) % 24)) return false;
      const date = new Date(shown);
      return months.has(date.getUTCMonth() + 1) && isNamed(date);
    },
  };
}

function valuesOf(field: string, first: number, last: number): Set<number> {
  const values = field.split(',').flatMap((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [from = first, to = range === '*' || part.includes('/') ? last : from] =
      range === '*' ? [] : range.split('-').map(Number);
    return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, at) => from + at * Number(step));
  });
  return new Set(values);
}

/** What the clocks of a time zone show in each minute of a period, in its order: UTC times that read the same. */
export function minutesShown(timezone: string, from: number, until: number): number[] {
  const ahead = offsets(timezone);
  const shown: number[] = [];
  for (let hour = from; hour < until; hour += HOUR) {
    const [first, next] = [ahead(hour), ahead(hour + HOUR)];
    for (let at = hour; at < hour + HOUR; at += MINUTE) shown.push(at + (first === next ? first : ahead(at)));
  }
  return shown;
}

/** How far the clocks of a time zone are ahead of UTC, in whole minutes. */
function offsets(timeZone: string): (at: number) => number {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (at) => Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - at;
}

/** When a schedule is due in a period of which the clocks show these minutes. */
export function dueTimes({ everyHour, names }: Fields, shown: readonly number[], from: number): number[] {
  let reached = (shown[0] ?? 0) - MINUTE;
  return shown.flatMap((now, at) => {
    const moment = from + at * MINUTE;
    if (everyHour) return names(now) ? [moment] : [];
    // What the clocks have jumped over is due with the first minute behind it; what was shown before is not due again.
    let isDue = false;
    for (; reached < now; reached += MINUTE) isDue ||= names(reached + MINUTE);
    return isDue ? [moment] : [];
  });
}

/** The days of UTC on which the clocks of a time zone change. */
export function daysOfChange(timezone: string, from: number, until: number): number[] {
  const ahead = offsets(timezone);
  return daysOf(from, until).filter((day) => ahead(day) !== ahead(day + DAY));
}

/** One of each of the time zones whose clocks show the same in a period. */
export function zonesThatDiffer(from: number, until: number): string[] {
  const zones = Intl.supportedValuesOf('timeZone').map(
    (zone) => [String(daysOf(from, until).map(offsets(zone))), zone] as const,
  );
  return [...new Map(zones).values()];
}

function daysOf(from: number, until: number): number[] {
  return Array.from({ length: (until - from) / DAY }, (_, at) => from + at * DAY);
}

/** Changes of half an hour, at midnight, over midnight, of two hours, around Ramadan, in the south, and none. */
export const ODD_ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Asuncion',
  'America/Havana',
  'America/Nuuk',
  'America/Santiago',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];
