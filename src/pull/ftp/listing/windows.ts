import { type Entry, momentOfDate, sizeOf } from './entry.ts';

const LINE =
  /^\s*(?<date>\d{1,4}[-./]\d{1,2}[-./]\d{1,4})\s+(?<time>\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s{0,4}(?:[ap]\.?m\.?)?)\s+(?:<(?<type>\w+)>|(?<size>\d[\d,.'\u00A0\u202F]*))\s+(?<name>\S.*)$/iu;

/**
 * Reads a line as `dir` of Windows writes it: `11-20-26  05:03PM  1057 prices.csv`, with a year of two or four digits in any place, hours
 * of 12 or 24, and marks between thousands. Junctions and symbolic links are links. Null for a line of another kind. Pure.
 */
export function readWindows(line: string): Entry | 'nothing' | null {
  const found = LINE.exec(line)?.groups;
  if (found === undefined) return null;
  const size = found['size'] === undefined ? null : sizeOf(found['size']);
  if (found['size'] !== undefined && size === null) return null;
  const kind = found['type'] === undefined ? 'file' : /^dir$/iu.test(found['type']) ? 'folder' : 'link';
  const name = kind === 'link' ? withoutTarget(found['name']!) : found['name']!;
  if (name === '.' || name === '..') return 'nothing';
  return { name, kind, size, modifiedAt: null, shownAt: momentOfDate(found['date']!, found['time']!.trim()) };
}

/** A link without where it leads: `latest [D:\new]`. */
function withoutTarget(name: string): string {
  const at = name.endsWith(']') ? name.lastIndexOf(' [') : -1;
  return at === -1 ? name : name.slice(0, at);
}
