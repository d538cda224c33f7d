/** What a line of a listing says of a file. */
export type Entry = {
  /** As the server writes it. */
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes; null where the listing does not say, or says it in blocks or records. */
  size: number | null;
  /** Epoch milliseconds, exact and in UTC; null where the listing shows none or a local one. */
  modifiedAt: number | null;
  /** Epoch milliseconds of a time by the server's clock, which only orders files; null where the listing shows none. */
  shownAt: number | null;
};

/** Reads a line of one kind of listing; null for a line of another kind, 'nothing' for one that names no entry. Pure. */
export type ReadLine = (line: string, now: number) => Entry | 'nothing' | null;

/** Bytes as people write them: `1,234,567`; null for what is no number. */
export function sizeOf(text: string): number | null {
  return /^\d{1,3}(?:[,.'\u00A0\u202F]\d{3})+$|^\d{1,15}$/u.test(text) ? Number(text.replaceAll(/\D/gu, '')) : null;
}

/** A moment by a clock whose zone is not known, as if it were UTC; null for one that no calendar has. */
export function momentOf([year, month, day]: [number, number, number], time = ''): number | null {
  const { hour, minute, second = '0', half } = TIME.exec(time)?.groups ?? { hour: '0', minute: '0' };
  const twelve = half === undefined ? 0 : /p/iu.test(half) ? 12 : 0;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + twelve;
  const date = new Date(Date.UTC(fullYear(year), month - 1, day, hours, Number(minute), Number(second)));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}

/**
 * The moment of a date in numbers; null where it can be read in two ways that are both days: `05-12-26` is one in May, or in December.
 * With dots the day comes first, and the month where hours are those of twelve.
 */
export function momentOfDate(date: string, time: string): number | null {
  const parts = date.split(/[-/.]/u).map(Number);
  if (parts.length !== 3) return null;
  const [first, second, third] = parts as [number, number, number];
  const [byYear, byMonth, byDay] = [
    [first, second, third],
    [third, first, second],
    [third, second, first],
  ] as [number, number, number][];
  if (/^\d{4}/u.test(date)) return momentOf(byYear!, time);
  if (date.includes('.')) return momentOf(byDay!, time);
  if (/[ap]\.?m\.?$/iu.test(time)) return momentOf(byMonth!, time);
  const readings = /\d{4}$/u.test(date) ? [byMonth!, byDay!] : [byYear!, byMonth!, byDay!];
  const moments = new Set(readings.map((reading) => momentOf(reading, time)).filter((moment) => moment !== null));
  return moments.size === 1 ? [...moments][0]! : null;
}

const TIME = /^(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<second>\d\d)(?:\.\d+)?)?\s*(?<half>[ap]\.?m\.?)?$/iu;

/** Years of two digits are those from 1970 to 2069. */
function fullYear(year: number): number {
  return year >= 100 ? year : year < 70 ? 2000 + year : 1900 + year;
}
