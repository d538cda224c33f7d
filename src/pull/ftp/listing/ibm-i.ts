import { type Entry, momentOfDate } from './entry.ts';

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
  return {
    name,
    kind,
    size,
    modifiedAt: null,
    shownAt: momentOfDate((found['date'] ?? '').replaceAll(',', '-'), found['time'] ?? ''),
  };
}
