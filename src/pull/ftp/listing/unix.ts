import { type Entry, momentOf, momentOfDate, sizeOf } from './entry.ts';
import { monthOf } from './months.ts';

/**
 * Type and rights, with the marks that `ls` puts behind them for access lists, SELinux and attributes; NetWare has its own in
 * brackets. Inode and blocks may stand before.
 */
const HEAD =
  /^(?:\s{0,20}\d{1,20}){0,2}\s{0,20}(?<type>[a-zA-Z-])(?:[r-][w-][a-zA-Z-][r-][w-][a-zA-Z-][r-][w-][a-zA-Z-][.+@*]?|\s?\[[RWCEAFMS -]{4,10}\])(?=[\s\d])/u;

/** Characters of a line: a path, and what is said of it. */
export const LONGEST_LINE = 8000;

/** Tokens after the rights until the date is over: links, owner, group, a size in two parts, and the date. */
const MOST_TOKENS = 40;

/** Reads a line as `ls -l` writes it in any language, with or without a group; null for a line of another kind. Pure. */
export function readUnix(line: string, now: number): Entry | 'nothing' | null {
  if (line.length > LONGEST_LINE) return null;
  const head = HEAD.exec(line);
  if (head === null) return isUnknown(line) ? { ...UNKNOWN, name: line.slice(line.lastIndexOf(' ') + 1) } : null;
  const tokens = tokensOf(line, head[0].length);
  for (let at = 1; at < tokens.length; at++) {
    const size = sizeOf(tokens[at - 1]!.text);
    const date = size === null ? null : dateAt(tokens, at, now);
    if (date === null) continue;
    const last = tokens[at + date.length - 1]!;
    // One blank parts date and name, others are of the name.
    const written = line.slice(last.to + 1);
    if (written === '') continue;
    return entryOf(head.groups!['type']!, written, size, date.shownAt);
  }
  return null;
}

/** A file of which the server itself could not learn anything: `?--------- ? ? ? ? ? broken.csv`. */
function isUnknown(line: string): boolean {
  return /^\?[?-]{9}[.+@]?(?: +\?){2,6} +\S/u.test(line);
}

const UNKNOWN = { kind: 'other', size: null, modifiedAt: null, shownAt: null } as const;

function entryOf(type: string, written: string, size: number | null, shownAt: number | null): Entry | 'nothing' {
  const kind = KINDS[type] ?? 'other';
  const name = kind === 'link' ? (written.split(' -> ', 1)[0] ?? '') : written;
  return name === '.' || name === '..' ? 'nothing' : { name, kind, size, modifiedAt: null, shownAt };
}

const KINDS: Partial<Record<string, Entry['kind']>> = { '-': 'file', f: 'file', d: 'folder', l: 'link' };

type Token = { text: string; to: number };

function tokensOf(line: string, from: number): Token[] {
  const word = /\S+/gu;
  word.lastIndex = from;
  const tokens: Token[] = [];
  for (let found = word.exec(line); found !== null && tokens.length < MOST_TOKENS; found = word.exec(line)) {
    tokens.push({ text: found[0], to: found.index + found[0].length });
  }
  return tokens;
}

/** A date and how many tokens it has; the moment is null for a month in a language that is not known. */
type DateFound = { length: number; shownAt: number | null };

const NUMERIC = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})\.?$/u;
const CLOCK = /^\d{1,2}[:.]\d\d(?:[:.]\d\d(?:\.\d+)?)?$/u;
const YEAR = /^(\d{4})(?:年|년)?$/u;
const DAY = /^(\d{1,2})(?:\.|日|일|,)?$/u;
const MONTH = /^(?:\p{L}[\p{L}\p{M}.'’]{1,11}|\d{1,2}[月월])$/u;
const ZONE = /^[+-]\d{4}$/u;

function dateAt(tokens: Token[], at: number, now: number): DateFound | null {
  const text = (offset: number) => tokens[at + offset]?.text ?? '';
  const numeric = NUMERIC.exec(text(0));
  if (numeric !== null && CLOCK.test(text(1))) {
    const shownAt = momentOfDate(text(0), text(1));
    return { length: ZONE.test(text(2)) ? 3 : 2, shownAt };
  }
  const [month, day] = MONTH.test(text(0)) ? [text(0), text(1)] : [text(1), text(0)];
  if (!MONTH.test(month) || !DAY.test(day)) return null;
  const date = { month: monthOf(month), day: Number(DAY.exec(day)![1]) };
  const year = YEAR.exec(text(2));
  if (year !== null) {
    const isTimed = /^\d{1,2}:\d\d/u.test(text(3)) && at + 4 < tokens.length;
    return { length: isTimed ? 4 : 3, shownAt: inYear(date, Number(year[1]), isTimed ? text(3) : '') };
  }
  if (!CLOCK.test(text(2))) return null;
  const behind = YEAR.exec(text(3));
  if (behind !== null && at + 4 < tokens.length && /:\d\d:/u.test(text(2))) {
    return { length: 4, shownAt: inYear(date, Number(behind[1]), text(2)) };
  }
  return { length: 3, shownAt: lately(date, text(2), now) };
}

type DayOfYear = { month: number | null; day: number };

function inYear({ month, day }: DayOfYear, year: number, time: string): number | null {
  return month === null ? null : momentOf([year, month, day], time);
}

const DAY_MS = 86_400_000;

/** A time without its year is the last one of its kind; the server's clock and zone may be ahead. */
function lately(date: DayOfYear, time: string, now: number): number | null {
  const year = new Date(now + DAY_MS).getUTCFullYear();
  const latest = inYear(date, year, time);
  return latest === null || latest > now + DAY_MS ? inYear(date, year - 1, time) : latest;
}
