import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import picomatch from 'picomatch';
import type { JoinSettings } from '../../config/schema/feed-settings.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { slug } from './slug.ts';

/** The deliveries of one supplier in one folder: what becomes a feed. */
export type FileGroup = {
  /** A name that a feed may have, unique among the groups. */
  name: string;
  /** Absolute. */
  folder: string;
  /** A glob that matches its files, and no file of another group in that folder. */
  pattern: string;
  /** Of deliveries of several files: those of the newest one, and how many there are, or a pattern for each. */
  several?: { parts: string[] } & ({ count: number | null } | { names: Record<string, string>; stays?: string });
  /** How those of a delivery are joined to the first of them; absent where they are one list. */
  join?: JoinSettings;
  /** What could be otherwise about the files that are joined, in sentences; absent where nothing could. */
  doubts?: string[];
  /**
   * Patterns for full lists and the changes between them, and for both at once; which of its files are changes, how their rows seem to be marked,
   * and else what they say of stock.
   */
  delivery?: {
    full: string;
    changes: string;
    both: string;
    changed: string[];
    marks: FoundMarks | null;
    stock: FoundStock | null;
  };
  /** Absolute paths, newest first. */
  files: string[];
};

/**
 * How rows of changes seem to be marked. `isGuess`: no row removes its part, so that the mark for it is the usual one. `open`: marks of a column that
 * looks like it, and whose meaning is not known.
 */
export type FoundMarks = {
  column: string | number;
  added: string[];
  changed: string[];
  removed: string[];
  isGuess: boolean;
  open: string[];
};

/** Where changes say how much is in stock, and whether rows without any stand in them and in the full list; null where that has no such column. */
export type FoundStock = { column: string | number; inChanges: boolean; inFull: boolean | null };

/** What became of the paths that were given: groups of files, and the files that cannot be offers by their name. */
export type Grouped = { groups: FileGroup[]; leftOut: { file: string; reason: string }[] };

type Entry = { path: string; mtimeMs: number };

/** Names of files that are no deliveries, whatever is in them. */
const NO_DELIVERY = /^\.|~$|\.(?:yaml|md|log|part|partial|filepart|tmp|temp|crdownload|download|exe|js|ts|sh|sql)$/iu;
/** A date or a running number: what differs between two deliveries of one supplier. A lone digit may name the supplier. */
const DATED = /\d+(?:[-_.T ]?\d+)*/gu;
export const LEAST_DIGITS = 4;
/** What stands before the number of a week. */
export const WEEK = /(?:^|[^\p{L}])(?:kw|cw|wk|week|woche|tydzien|tydzień|неделя)[-_. ]?$/iu;
const EXTENSIONS =
  /(?:\.(?:csv|txt|tsv|tab|dat|prn|asc|xls[xm]?|ods|xml|yml|json|jsonl|ndjson|html?|zip|7z|rar|gz))+$/iu;

/**
 * Groups files into feeds: names that differ by a date or a long number are deliveries of one supplier. Folders are searched one
 * level deep. Throws `usage` for a path that does not exist or cannot be read.
 */
export async function groupFiles(paths: string[]): Promise<Grouped> {
  const found = new Map<string, Entry>();
  const leftOut: Grouped['leftOut'] = [];
  for (const path of paths) {
    for (const entry of await filesAt(resolve(path))) {
      if (NO_DELIVERY.test(basename(entry.path)))
        leftOut.push({ file: entry.path, reason: 'its name is not that of a delivery' });
      else found.set(entry.path, entry);
    }
  }
  const byPattern = Map.groupBy(found.values(), ({ path }) => join(dirname(path), patternOf(basename(path))));
  const groups = [...byPattern.values()].map((entries) => groupOf(entries, [...found.keys()]));
  groups.sort((a, b) => (a.folder + a.pattern < b.folder + b.pattern ? -1 : 1));
  return { groups: withUniqueNames(groups), leftOut };
}

/** The file itself, or the files in a folder and in the folders in it. */
async function filesAt(path: string, deep = true): Promise<Entry[]> {
  const stats = await stat(path).catch((error: unknown) => {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    throw new OfferlineError('usage', `${path} ${why}. Name the suppliers' files, or the folders they are in.`);
  });
  if (stats.isFile()) return [{ path, mtimeMs: stats.mtimeMs }];
  if (!stats.isDirectory()) return [];
  const names = (await readdir(path)).filter((name) => !name.startsWith('.') && name !== 'node_modules').sort();
  const entries: Entry[] = [];
  for (const name of names) {
    const inner = join(path, name);
    const found = (await leadsAway(inner, path)) ? null : await stat(inner).catch(() => null);
    if (found?.isFile() === true) entries.push({ path: inner, mtimeMs: found.mtimeMs });
    else if (found?.isDirectory() === true && deep) entries.push(...(await filesAt(inner, false)));
  }
  return entries;
}

/** A link to anything but a file beside it, which a feed would not follow either. */
async function leadsAway(path: string, folder: string): Promise<boolean> {
  const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
  if (!isLink) return false;
  const target = await realpath(path).catch(() => null);
  return target === null || dirname(target) !== (await realpath(folder));
}

/** A glob for the deliveries that come after this one: `north_2026-11-22.csv` gives `north_*.csv`. */
export function patternOf(name: string): string {
  return literal(name).replaceAll(DATED, (digits, at: number, whole: string) =>
    isOfDelivery(digits, whole.slice(0, at)) ? '*' : digits,
  );
}

/** Whether a number differs from one delivery to the next: it is long, or that of a week. */
function isOfDelivery(digits: string, before: string): boolean {
  return digits.replaceAll(/\D/gu, '').length >= LEAST_DIGITS || WEEK.test(before);
}

/** What a glob would obey is escaped. */
export function literal(name: string): string {
  return name.replaceAll(/[[\]{}()*?!+@|\\]/gu, String.raw`\$&`);
}

function groupOf(entries: Entry[], all: string[]): FileGroup {
  const files = entries.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? 1 : -1)).map(({ path }) => path);
  const [newest] = files as [string];
  const folder = dirname(newest);
  const wide = patternOf(basename(newest));
  const matches = picomatch(wide, { nocase: true });
  const isShared = all.some((other) => dirname(other) === folder && !files.includes(other) && matches(basename(other)));
  return { name: feedName(newest), folder, pattern: isShared ? literal(basename(newest)) : wide, files };
}

/** The file's name without extension and date, or its folder's, in the letters that a feed's name may have. */
function feedName(path: string): string {
  const bare = basename(path)
    .replace(EXTENSIONS, '')
    .replaceAll(DATED, (digits, at: number, whole: string) => (isOfDelivery(digits, whole.slice(0, at)) ? '' : digits));
  return slug(bare) || slug(basename(dirname(path))) || 'feed';
}

function withUniqueNames(groups: FileGroup[]): FileGroup[] {
  const taken = new Set<string>();
  return groups.map((group) => {
    let name = group.name;
    for (let at = 2; taken.has(name); at += 1) name = `${group.name}-${at}`;
    taken.add(name);
    return { ...group, name };
  });
}
