import { weekdayOf } from './expected-days.ts';

/** When a holiday is in a year: the number of its day, 0 for 1 January 1970. */
export type HolidayRule = (year: number) => HolidayDay;

/** `moves`: on a weekend it is on the next day that is neither one nor another holiday. */
type HolidayDay = { day: number; moves: boolean };

const DAY_MS = 86_400_000;
const [SUNDAY, SATURDAY] = [0, 6];

/** The same date in every year. */
export function fixed(month: number, day: number): HolidayRule {
  return (year) => stays(dayOf(year, month, day));
}

/** The same date in every year, and another day for it where that is on a weekend. */
export function substituted(month: number, day: number): HolidayRule {
  return (year) => ({ day: dayOf(year, month, day), moves: true });
}

/** The same date in every year; the Friday before a Saturday, and the Monday after a Sunday. */
export function observed(month: number, day: number): HolidayRule {
  return (year) => {
    const date = dayOf(year, month, day);
    const weekday = weekdayOf(date);
    return stays(date + (weekday === SATURDAY ? -1 : weekday === SUNDAY ? 1 : 0));
  };
}

/** The first day of this name, 0 for Sunday, from a date on. */
export function firstFrom(weekday: number, month: number, day: number): HolidayRule {
  return (year) => {
    const from = dayOf(year, month, day);
    return stays(from + ((weekday - weekdayOf(from) + 7) % 7));
  };
}

/** The same, but the date itself in a year in which it is on the other day of the week. */
export function firstFromUnless(weekday: number, month: number, day: number, other: number): HolidayRule {
  const usual = firstFrom(weekday, month, day);
  return (year) => {
    const date = dayOf(year, month, day);
    return weekdayOf(date) === other ? stays(date) : usual(year);
  };
}

/** So many days after Easter Sunday of the western churches. */
export function easter(days: number): HolidayRule {
  return (year) => stays(easterOf(year) + days);
}

/** So many days after Easter Sunday of the eastern churches. */
export function orthodox(days: number): HolidayRule {
  return (year) => stays(orthodoxEasterOf(year) + days);
}

/** Whether a day is one of a weekend. */
export function isWeekend(day: number): boolean {
  const weekday = weekdayOf(day);
  return weekday === SATURDAY || weekday === SUNDAY;
}

function stays(day: number): HolidayDay {
  return { day, moves: false };
}

function dayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** By the rule of 1876 that Meeus, Jones and Butcher gave for the Gregorian calendar. */
function easterOf(year: number): number {
  const [golden, century, rest] = [year % 19, Math.floor(year / 100), year % 100];
  const moon =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - moon - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * weekday) / 451);
  const sum = moon + weekday - 7 * late + 114;
  return dayOf(year, Math.floor(sum / 31), (sum % 31) + 1);
}

/** By Meeus' rule for the Julian calendar, which is 13 days behind until 2099. */
function orthodoxEasterOf(year: number): number {
  const moon = (19 * (year % 19) + 15) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const sum = moon + weekday + 114;
  return dayOf(year, Math.floor(sum / 31), (sum % 31) + 1) + 13;
}
