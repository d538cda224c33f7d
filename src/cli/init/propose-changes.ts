import { basename } from 'node:path';
import { dictionary } from '../../io/dictionary.ts';
import { patternOf } from '../../pull/choose/pattern.ts';
import { askRemoved, type Person } from './ask.ts';
import { findMarks, findStock } from './find-marks.ts';
import { literal, type FileGroup, type FoundMarks } from './group-files.ts';
import { datedName } from './names-with-dates.ts';
import type { FeedProposal } from './propose-feed.ts';
import { slug } from './slug.ts';

/** Words that suppliers put into the names of files with what has changed, as names of feeds spell them; and of full lists. */
const CHANGES =
  /^(?:deltas?|changes?|changed|diffs?|differences?|updates?|incremental|increment|aenderung(?:en)?|anderung(?:en)?|nachtrag|izmeneni(?:ya|e|y)|obnovleni(?:ya|e|y)|zmini|onovlennya|zmiany|aktualizacj[ae]|zmeny|modifications?|modifiche|cambios|wijzigingen)$/u;
const FULL =
  /^(?:full|complete|komplett|gesamt|voll|weekly|all|alle|total|base|master|poln(?:yy|aya|oe)|povn(?:iy|a|e)|pelny|kompletni|complet|completo)$/u;

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/**
 * Proposes one feed for full lists and the changes that come between them; the others stay. Reads the newest changes for their marks. Somebody at a
 * terminal is asked for those that are not known.
 */
export async function joinChanges(feeds: FeedProposal[], person: Person | null): Promise<FeedProposal[]> {
  let left = feeds;
  const kinds = [...Map.groupBy(feeds.filter(isChanges), numberless).values()];
  for (const changes of kinds) {
    const full = fullOf(
      changes[0]!,
      left.filter((feed) => !isChanges(feed)),
    );
    if (full === null) continue;
    const files = changes.flatMap((feed) => feed.files);
    const patterns = { full: datedPattern(full.files) ?? full.pattern, changes: changesPattern(files) ?? '' };
    if (patterns.changes === '' || areMixed(patterns, { full: full.files, changes: files })) continue;
    const newest = changes.toSorted((a, b) => BY_NUMBER.compare(a.files[0]!, b.files[0]!)).at(-1)!;
    const marks = await settled(await findMarks(newest), newest, person);
    const other = changes.length === 1 ? newest.pattern : starred(newest.pattern);
    const both = `{${full.pattern},${other}}`;
    const together: FeedProposal = {
      ...full,
      name: nameOf(full, left),
      files: [...full.files, ...files],
      delivery: {
        ...patterns,
        both,
        changed: files,
        marks,
        stock: marks === null ? await findStock(newest, full) : null,
      },
    };
    left = left.flatMap((feed) => (feed === full ? [together] : changes.includes(feed) ? [] : [feed]));
  }
  return left;
}

/** The marks with what somebody says of those that are open. */
async function settled(
  marks: FoundMarks | null,
  changes: FeedProposal,
  person: Person | null,
): Promise<FoundMarks | null> {
  if (marks === null || marks.open.length === 0 || person === null) return marks;
  const removed = await askRemoved(basename(changes.files[0]!), marks, person);
  return removed.length === 0 ? marks : { ...marks, removed, open: [] };
}

/** The words of the name of a feed's newest file, as names of feeds spell them. */
function wordsOf({ files }: FeedProposal): string[] {
  const words = basename(files[0]!)
    .normalize('NFC')
    .split(/[^\p{L}]+/u);
  return words.map(slug);
}

/** Whether the name of a feed's files says that they have only what has changed. */
export function isChanges(feed: FeedProposal): boolean {
  return isOneTable(feed) && wordsOf(feed).some((word) => CHANGES.test(word));
}

/** The name of a feed of lists and changes: without the word for full lists; that of the folder where nothing else is left. */
function nameOf({ name, folder }: FeedProposal, feeds: FeedProposal[]): string {
  const words = name.split('-').filter((word) => !FULL.test(word));
  const wanted = words.join('-') || slug(basename(folder)) || name;
  return feeds.some((feed) => feed.name === wanted) ? name : wanted;
}

function isOneTable({ several, entries, entry }: FeedProposal): boolean {
  return several === undefined && entries === null && entry === null;
}

/** What names that differ by a number alone have in common. */
function numberless({ files }: FeedProposal): string {
  return files[0]!.replaceAll(/\d+/gu, '#');
}

/** The list that changes belong to: it is beside them, has their columns for brand and number, and is the only one that is likely. */
function fullOf(changes: FeedProposal, lists: FeedProposal[]): FeedProposal | null {
  const near = lists.filter(
    (list) =>
      isOneTable(list) && list.delivery === undefined && list.folder === changes.folder && haveSameParts(list, changes),
  );
  const named = near.filter((list) => wordsOf(list).some((word) => FULL.test(word)));
  const [only, ...others] = named.length === 1 ? named : near;
  return others.length === 0 ? (only ?? null) : null;
}

function haveSameParts(list: FeedProposal, changes: FeedProposal): boolean {
  return ['brand', 'oem'].every((key) => {
    const [one, other] = [list, changes].map(({ detection }) => detection.mapping.find((its) => its.key === key));
    return one !== undefined && one.sure && other?.column === one.column;
  });
}

/** The one pattern of names with a date; null where not all of them have one at the same place. */
function datedPattern(files: string[]): string | null {
  const [first, ...others] = files.map((file) => datedName(basename(file))?.pattern ?? null);
  return first !== undefined && others.every((pattern) => pattern === first) ? first : null;
}

/** A pattern that says in which order changes come: by their date, else by the last number of their names; null where these differ otherwise. */
function changesPattern(files: string[]): string | null {
  const dated = datedPattern(files);
  if (dated !== null) return dated;
  const numbered = files.map((file) => {
    const { before = '', after = '' } = /^(?<before>.*?)\d{1,15}(?<after>\D*)$/su.exec(basename(file))?.groups ?? {};
    return after === '' ? null : `${starred(literal(before))}{sequence}${literal(after)}`;
  });
  const [first] = numbered;
  if (first === undefined || numbered.some((pattern) => pattern !== first)) return null;
  return first ?? (files.length === 1 ? literal(basename(files[0]!)) : null);
}

function starred(pattern: string): string {
  return pattern.replaceAll(/\d+/gu, '*');
}

/** Whether a name may be that of a full list and of changes. */
function areMixed(patterns: { full: string; changes: string }, files: { full: string[]; changes: string[] }): boolean {
  const [isFull, areChanges] = [patternOf(patterns.full), patternOf(patterns.changes)];
  return (
    files.full.some((file) => areChanges.matches(basename(file))) ||
    files.changes.some((file) => isFull.matches(basename(file)))
  );
}

/** What leaves rows without stock out, so that such a row of changes removes its part. */
export const SOLD_OUT = { name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true };

/** How changes say that a part is gone: by a mark, by stock 0, or perhaps by that; null where nothing tells. Pure. */
export function goneBy({ delivery }: FileGroup): 'mark' | 'stock' | 'perhaps stock' | null {
  const { marks = null, stock = null } = delivery ?? {};
  if (marks !== null) return 'mark';
  // A rule holds the lists that lack its column.
  if (stock === null || stock.inFull === null) return null;
  return stock.inChanges && !stock.inFull ? 'stock' : 'perhaps stock';
}

/** The settings of a feed that takes full lists and changes. Pure. */
export function deliverySettings(feed: FileGroup): Record<string, unknown> {
  const { delivery } = feed;
  if (delivery === undefined) return {};
  const { full, changes, marks } = delivery;
  const kinds = { added: marks?.added ?? [], changed: marks?.changed ?? [], removed: marks?.removed ?? [] };
  const filled = Object.entries(kinds).filter(([, written]) => written.length > 0);
  return {
    delivery: { full: { pattern: full }, changes: { pattern: changes } },
    ...(marks === null ? {} : { change: { column: marks.column, ...dictionary(filled) } }),
    ...(goneBy(feed) === 'stock' ? { rules: [SOLD_OUT] } : {}),
  };
}
