import { basename, dirname } from 'node:path';
import { dictionary } from '../../io/dictionary.ts';
import { patternOf } from '../../pull/choose/pattern.ts';
import type { FileGroup } from './group-files.ts';
import { alike, areRunning, type Alike } from './names-with-dates.ts';
import type { FeedProposal } from './propose-feed.ts';
import { slug } from './slug.ts';

/**
 * The files of a group as deliveries of several: those whose names have one date are one, in the order of their names; without dates those that
 * differ by a running number alone. Null where each is one of its own. `others`: the other files of the folder. Pure.
 */
export function datedDeliveries(group: FileGroup, others: string[]): FileGroup | null {
  const names = group.files.map((file) => basename(file));
  const found = alike(names);
  if (found === null || others.some((file) => patternOf(found.pattern).matches(basename(file)))) return null;
  const keys = found.dates[0] === null ? keysWithoutPart(found) : (found.dates as string[]);
  if (keys === null) return null;
  const byKey = Map.groupBy(group.files, (file) => keys[group.files.indexOf(file)]!);
  const newest = found.dates[0] === null ? keys[0]! : [...byKey.keys()].sort().at(-1)!;
  const parts = byKey.get(newest)!;
  if (parts.length < 2) return null;
  parts.sort();
  const isEach = [...byKey.values()].every(({ length }) => length === parts.length);
  const older = group.files.filter((file) => !parts.includes(file));
  const { pattern } = found;
  return { ...group, pattern, files: [...parts, ...older], several: { parts, count: isEach ? parts.length : null } };
}

/** What each name says beside the number that counts the parts of the first one's list; null where none does. */
function keysWithoutPart({ numbers, differing }: Alike): string[] | null {
  for (const place of differing.toReversed()) {
    const keys = numbers.map((own) => own.toSpliced(place, 1).join(' '));
    const ofFirst = numbers.filter((_, at) => keys[at] === keys[0]);
    if (areRunning(ofFirst.map((own) => own[place]!))) return keys;
  }
  return null;
}

const LEAST_COLUMNS = 3;

/** Feeds of one folder whose files have the same header, of some columns: they may be parts of one list. Pure. */
export function maybeOneList(feeds: FeedProposal[]): FeedProposal[][] {
  const bySame = Map.groupBy(feeds, ({ folder, detection, several, delivery, entries, entry, reason }) => {
    const { header, columns } = detection;
    const isOne =
      several === undefined && delivery === undefined && entries === null && entry === null && reason === null;
    if (!isOne || !header || columns.length < LEAST_COLUMNS) return null;
    return [folder, ...columns.map((name) => name.trim().toLowerCase())].join('\t');
  });
  return [...bySame].flatMap(([same, found]) => (same === null || found.length < 2 ? [] : [found]));
}

/**
 * The files of some feeds as one delivery: by a running number in their names, else by each of their names. `others`: feeds that stay beside it.
 * Pure.
 */
export function togetherAs(feeds: FeedProposal[], others: FeedProposal[]): FileGroup {
  const [first] = feeds as [FeedProposal];
  const taken = others.map((feed) => feed.name);
  const parts = feeds.map(({ files }) => files[0]!).sort();
  const older = feeds.flatMap(({ files }) => files.slice(1));
  const common = { folder: first.folder, files: [...parts, ...older] };
  const numbered = runningNumber(parts, others);
  if (numbered !== null) {
    const [before = ''] = numbered.replaceAll(/\{[^}]*\}/gu, '').split('*');
    const name = freeName(slug(before) || slug(basename(first.folder)) || 'feed', taken);
    return { ...common, name, pattern: numbered, several: { parts, count: parts.length } };
  }
  const names = dictionary(namedPatterns(feeds));
  const name = freeName(commonName(feeds) || slug(basename(dirname(parts[0]!))) || 'feed', taken);
  return { ...common, name, pattern: first.pattern, several: { parts, names } };
}

/** A pattern for files of one date, or of none, whose names differ only by a number that counts them; null for others. */
function runningNumber(files: string[], others: FeedProposal[]): string | null {
  const found = alike(files.map((file) => basename(file)));
  const [place, ...more] = found?.differing ?? [];
  if (found === null || place === undefined || more.length > 0 || new Set(found.dates).size > 1) return null;
  if (!areRunning(found.numbers.map((own) => own[place]!))) return null;
  return matchesAny(found.pattern, others) ? null : found.pattern;
}

function matchesAny(pattern: string, feeds: FeedProposal[]): boolean {
  const { matches } = patternOf(pattern);
  return feeds.some(({ files }) => files.some((file) => matches(basename(file))));
}

/** The name of each feed and the pattern of its files: with their date where the newest of all are of one, so that no delivery has files of two. Pure. */
export function namedPatterns(feeds: FeedProposal[]): (readonly [string, string])[] {
  const dated = feeds.map((feed) => ({ feed, own: alike(feed.files.map((file) => basename(file))) }));
  const newest = new Set(dated.map(({ own }) => own?.dates[0] ?? null));
  const formats = new Set(dated.map(({ own }) => /\{[^}]*\}/u.exec(own?.pattern ?? '')?.[0]));
  const areOne = newest.size === 1 && !newest.has(null) && formats.size === 1;
  const areApart = dated.every(({ feed, own }) => {
    const others = feeds.filter((other) => other !== feed);
    return own !== null && !matchesAny(own.pattern, others);
  });
  return dated.map(({ feed, own }) => [feed.name, areOne && areApart ? own!.pattern : feed.pattern] as const);
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
