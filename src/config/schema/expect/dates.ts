/** Days from the first to the last, both included, such as `2026-12-24`. */
export type DayRange = { from: string; to: string };

const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const DAY_MS = 86_400_000;
/** Longer is no absence: such a supplier is gone. */
const MOST_DAYS = 800;

/** Reads a day, or the first and the last of several: `2026-12-24/2027-01-06`; else says what is wrong, without a full stop. */
export function readRange(text: string): DayRange | string {
  const ends = text.split('/').map((one) => one.trim());
  const [from = '', to = from] = ends;
  if (ends.length > 2 || ends.some((one) => !DATE.test(one)))
    return `"${text}" is neither a date such as 2026-12-24 nor days such as 2026-12-24/2027-01-06`;
  const unreal = ends.find((one) => !isDate(one));
  if (unreal !== undefined) return `there is no day ${unreal}`;
  if (to < from) return `"${text}" ends before it begins`;
  const count = daysIn({ from, to });
  return count > MOST_DAYS ? `"${text}" has ${count} days; ${MOST_DAYS} are the most` : { from, to };
}

/** Whether a text looks like a date or several days, whatever it says. */
export function looksLikeDate(text: string): boolean {
  return /^\d/u.test(text.trim());
}

/** Each day of a range. */
export function* daysOf({ from, to }: DayRange): Generator<string> {
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) yield new Date(at).toISOString().slice(0, 10);
}

function daysIn({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function isDate(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
