import { type Entry, momentOf } from './entry.ts';

const LINE =
  /^(?<owner>\S{1,10})\s+(?:(?<size>\d{1,15})\s+(?<date>\d\d(?:\d\d)?[-/.,]\d\d[-/.,]\d\d(?:\d\d)?)\s+(?<time>\d\d[:.]\d\d[:.]\d\d)\s+)?\*(?<type>[A-Z0-9]{2,8})\s+(?<name>\S.*)$/u;

const FILES = new Set(['STMF', 'DSTMF', 'FILE', 'MEM', 'USRSPC']);

/** Reads a line as IBM i (AS/400) writes it: owner, size, date, type, name; null for another kind. Pure. */
export function readIbmI(line: string): Entry | 'nothing' | null {
  const found = LINE.exec(line)?.groups;
  if (found === undefined) return null;
  const written = found['name']!.trimEnd();
  const isFolder = written.endsWith('/');
  const name = isFolder ? written.slice(0, -1) : written;
  if (name === '.' || name === '..') return 'nothing';
  const kind = !isFolder && FILES.has(found['type']!) ? 'file' : isFolder ? 'folder' : 'other';
  // Sizes are what an object takes, with its description; of members there is none.
  const isStream = found['type'] === 'STMF' || found['type'] === 'DSTMF';
  const size = isStream && found['size'] !== undefined ? Number(found['size']) : null;
  return { name, kind, size, modifiedAt: null, shownAt: shownAt(found['date'], found['time']) };
}

/** Year, month and day come in the order of the job that serves; only a date that reads one way orders files. */
function shownAt(date = '', time = ''): number | null {
  const parts = date.split(/[-/.,]/u).map(Number);
  if (parts.length !== 3) return null;
  const [first, second, third] = parts as [number, number, number];
  const readings = [
    [first, second, third],
    [third, first, second],
    [third, second, first],
  ] as [number, number, number][];
  const moments = new Set(readings.map((reading) => momentOf(reading, time)).filter((moment) => moment !== null));
  return moments.size === 1 ? [...moments][0]! : null;
}
