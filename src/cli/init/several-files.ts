import { basename, dirname } from 'node:path';
import { dictionary } from '../../io/dictionary.ts';
import { patternOf } from '../../pull/choose/pattern.ts';
import { literal, slug, type FileGroup } from './group-files.ts';
import type { FeedProposal } from './propose-feed.ts';

/** A date in a name, as patterns write it; day and month are told from other numbers by their ranges. */
const DATES = [
  { found: /(?<!\d)(?<y>\d{4})(?<mark>[-_. ]?)(?<m>\d{2})\k<mark>(?<d>\d{2})(?!\d)/u, parts: ['yyyy', 'MM', 'dd'] },
  { found: /(?<!\d)(?<d>\d{2})(?<mark>[-_. ])(?<m>\d{2})\k<mark>(?<y>\d{4})(?!\d)/u, parts: ['dd', 'MM', 'yyyy'] },
];

/** A name with its date, and with a star for each other number behind that. */
type Dated = { date: string; pattern: string };

/** Reads the date in a name; null where there is none. Pure. */
export function datedName(name: string): Dated | null {
  for (const { found, parts } of DATES) {
    const match = found.exec(name);
    const { y = '', m = '', d = '', mark = '' } = match?.groups ?? {};
    if (match === null || Number(m) < 1 || Number(m) > 12 || Number(d) < 1 || Number(d) > 31) continue;
    const behind = literal(name.slice(match.index + match[0].length)).replaceAll(/\d+/gu, '*');
    return { date: y + m + d, pattern: `${literal(name.slice(0, match.index))}{${parts.join(mark)}}${behind}` };
  }
  return null;
}

/**
 * The files of a group as deliveries of several: those whose names have one date are one, in the order of their names. Null where each date
 * has one file. `others`: the other files of the folder. Pure.
 */
export function datedDeliveries(group: FileGroup, others: string[]): FileGroup | null {
  const dated = group.files.map((file) => ({ file, ...datedName(basename(file)) }));
  const [{ pattern } = {}] = dated;
  if (pattern === undefined || dated.some((one) => one.pattern !== pattern)) return null;
  if (others.some((file) => patternOf(pattern).matches(basename(file)))) return null;
  const byDate = Map.groupBy(dated, ({ date }) => date!);
  const newest = [...byDate.keys()].sort().at(-1)!;
  const parts = byDate.get(newest)!.map(({ file }) => file);
  if (parts.length < 2) return null;
  parts.sort();
  const isEach = [...byDate.values()].every(({ length }) => length === parts.length);
  const older = group.files.filter((file) => !parts.includes(file));
  return { ...group, pattern, files: [...parts, ...older], several: { parts, count: isEach ? parts.length : null } };
}

const LEAST_COLUMNS = 3;

/** Feeds of one folder whose files have the same header, of some columns: they may be parts of one list. Pure. */
export function maybeOneList(feeds: FeedProposal[]): FeedProposal[][] {
  const bySame = Map.groupBy(feeds, ({ folder, detection, several, entries, entry, reason }) => {
    const { header, columns, format } = detection;
    const isOne = several === undefined && entries === null && entry === null && reason === null;
    if (!isOne || !header || columns.length < LEAST_COLUMNS) return null;
    return [folder, format, ...columns.map((name) => name.trim().toLowerCase())].join('\t');
  });
  return [...bySame].flatMap(([same, found]) => (same === null || found.length < 2 ? [] : [found]));
}

/** The files of some feeds as one delivery: by a running number in their names, else by each of their names. Pure. */
export function togetherAs(feeds: FeedProposal[], taken: string[]): FileGroup {
  const [first] = feeds as [FeedProposal];
  const parts = feeds.map(({ files }) => files[0]!).sort();
  const numbered = runningNumber(parts.map((file) => basename(file)));
  const older = feeds.flatMap(({ files }) => files.slice(1));
  const common = { folder: first.folder, files: [...parts, ...older] };
  if (numbered !== null) {
    const [before = ''] = numbered.split('*');
    const name = freeName(slug(before) || slug(basename(first.folder)) || 'feed', taken);
    return { ...common, name, pattern: numbered, several: { parts, count: parts.length } };
  }
  const names = dictionary(feeds.map(({ name, pattern }) => [name, pattern] as const));
  const name = freeName(commonName(feeds) || slug(basename(dirname(parts[0]!))) || 'feed', taken);
  return { ...common, name, pattern: first.pattern, several: { parts, names } };
}

/** A pattern for names that differ only by a number that runs from 0 or 1; null for others. */
function runningNumber(names: string[]): string | null {
  const found = names.map((name) => /^(?<before>.*?)(?<number>\d{1,3})(?<after>\D*)$/u.exec(name)?.groups ?? {});
  const [{ before, after }] = found as [Record<string, string | undefined>];
  if (before === undefined || after === undefined) return null;
  if (found.some((one) => one['before'] !== before || one['after'] !== after)) return null;
  const numbers = found.map(({ number }) => Number(number)).sort((a, b) => a - b);
  const isRunning = numbers[0]! <= 1 && numbers.every((number, at) => number === numbers[0]! + at);
  return isRunning ? `${literal(before)}*${literal(after)}` : null;
}

const LEAST_LETTERS = 3;

/** What the names of feeds begin with, up to a dash; empty where that is nothing. */
function commonName(feeds: FeedProposal[]): string {
  const [first = [], ...others] = feeds.map(({ name }) => name.split('-'));
  const length = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  const name = first.slice(0, length < 0 ? first.length : length).join('-');
  return name.length < LEAST_LETTERS ? '' : name;
}

function freeName(wanted: string, taken: string[]): string {
  let name = wanted;
  for (let at = 2; taken.includes(name); at += 1) name = `${wanted}-${at}`;
  return name;
}

/**
 * Whether a person has to say first what the marks of changes mean: until then only full lists are taken, since rows that remove their parts
 * would set them.
 */
export function hasOpenMarks({ delivery }: FileGroup): boolean {
  return (delivery?.marks?.open.length ?? 0) > 0;
}

/** The settings that say which files of its folder a feed takes. Pure. */
export function takenFrom(group: FileGroup): Record<string, unknown> {
  const { pattern, several, delivery } = group;
  if (several === undefined) {
    return { pattern: delivery === undefined || hasOpenMarks(group) ? pattern : delivery.both };
  }
  if ('names' in several) {
    const files = Object.entries(several.names).map(([name, its]) => {
      const stays = name === several.stays ? { stays: true } : {};
      return [name, { pattern: its, ...stays }] as const;
    });
    return { files: dictionary(files) };
  }
  return { take: 'all', pattern, ...(several.count === null ? {} : { count: several.count }) };
}
