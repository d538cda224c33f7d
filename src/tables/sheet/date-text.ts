/** Parts of a date or of a time that a number format shows. */
export type DateParts = { date: boolean; time: boolean; elapsed: boolean };

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** 9999-12-31, the last day of a sheet. */
const LAST_DAY = 2_958_465;
/** Days between the two beginnings of time. */
const DAYS_TO_1904 = 1462;
/** The day that the 1900 system counts although it never was: 1900-02-29. */
const LEAP_ERROR = 60;

/**
 * A day's number in a sheet as an ISO date; with the time when the format shows one and it is not midnight. Null for a
 * number that no date has: it is shown as a number.
 */
export function dateText(serial: number, parts: DateParts, is1904: boolean): string | null {
  const seconds = Math.round(serial * DAY_SECONDS);
  if (seconds < 0 || serial >= LAST_DAY + 1) return null;
  if (parts.elapsed) return timeText(seconds);
  const clock = timeText(seconds % DAY_SECONDS);
  if (!parts.date) return clock;
  const day = Math.floor(parts.time ? seconds / DAY_SECONDS : serial);
  // Day 0 of the 1900 system is no date: what has it is a time.
  if (day === 0 && !is1904) return clock;
  const date = isoDate(is1904 ? day + DAYS_TO_1904 : day);
  return parts.time && seconds % DAY_SECONDS > 0 ? `${date} ${clock}` : date;
}

/** A date of a cell that is stored as text in ISO 8601; any other text stays what it is. */
export function storedDateText(stored: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?Z?)?$/.exec(stored.trim());
  if (match === null) return stored;
  const [, date = '', minutes = '00:00', seconds = '00'] = match;
  const clock = seconds === '00' ? minutes : `${minutes}:${seconds}`;
  return clock === '00:00' ? date : `${date} ${clock}`;
}

/** Lists have few days and many dates. */
const MOST_KNOWN = 4096;
const known = new Map<number, string>();

function isoDate(day: number): string {
  const text = known.get(day) ?? newIsoDate(day);
  if (known.size < MOST_KNOWN) known.set(day, text);
  return text;
}

function newIsoDate(day: number): string {
  if (day === LEAP_ERROR) return '1900-02-29';
  const sinceEnd1899 = day < LEAP_ERROR ? day + 1 : day;
  return new Date(Date.UTC(1899, 11, 30) + sinceEnd1899 * DAY_MS).toISOString().slice(0, 10);
}

function timeText(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const text = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return seconds % 60 === 0 ? text : `${text}:${two(seconds % 60)}`;
}
