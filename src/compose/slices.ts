import { dictionary } from '../io/dictionary.ts';
import { partKey } from '../parts/part-key.ts';
import type { SliceDrop, TrippedGuard } from '../model.ts';
import type { IsRejected } from './rejected-rows.ts';
import { keptRows, type RowFile } from './row-file.ts';

/** What is compared by brand and by tag; rows of the feeds in `without` are ignored on both sides. */
export type SliceInput = {
  older: RowFile;
  newer: RowFile;
  guard: { maxBrandDrop?: number | undefined; maxTagDrop?: number | undefined };
  /** The column of tags, if there is one, and what stands between its values. */
  tagKey: string | null;
  tagSeparator: string;
  without: string[];
};

/** The slices that tripped, the greatest loss first; `more` were left out. `lost` is the loss of the first slice, by feed. */
export type SliceDrops = { drops: SliceDrop[]; more: number; lost: Record<string, number> };

/** Brands and tags that are watched: the first ones in the older rows. */
const MOST_NAMES = 50_000;
const SHOWN = 5;

type Compared = SliceInput & { isRejected: IsRejected | null };

type Counts = Map<string, { name: string; before: number; after: number }>;

/**
 * Finds the brands and tags that lost a larger share of their rows than `maxBrandDrop` and `maxTagDrop` allow. Parts that the
 * service rejected were not live and count on neither side; `isRejected` is null when there are none.
 */
export async function droppedSlices(compared: SliceInput, isRejected: IsRejected | null): Promise<SliceDrops> {
  const input = { ...compared, isRejected };
  const counts = { brand: await countSide(input, 'brand'), tag: await countSide(input, 'tag') };
  const drops = [
    ...overGuard('brand', counts.brand, input.guard.maxBrandDrop),
    ...overGuard('tag', counts.tag, input.guard.maxTagDrop),
  ].sort((a, b) => b.before - b.after - (a.before - a.after) || (a.name < b.name ? -1 : 1));
  const [first] = drops;
  const lost = first === undefined ? {} : await lossByFeed(input, first);
  return { drops: drops.slice(0, SHOWN), more: Math.max(0, drops.length - SHOWN), lost };
}

/** The largest shares of its rows that any brand and any tag lost, below 0 when all grew; null when there was none before. */
export type SliceLosses = { brand: number | null; tag: number | null };

/** Measures what the guards of brands and tags look at, whatever they allow; rows are compared as `droppedSlices` does. */
export async function greatestLosses(
  compared: Omit<SliceInput, 'guard'>,
  isRejected: IsRejected | null,
): Promise<SliceLosses> {
  const input = { ...compared, guard: { maxBrandDrop: 0, maxTagDrop: 0 }, isRejected };
  return { brand: greatestIn(await countSide(input, 'brand')), tag: greatestIn(await countSide(input, 'tag')) };
}

function greatestIn(counts: Counts): number | null {
  const lost = [...counts.values()].map(shareLost);
  return lost.length === 0 ? null : lost.reduce((a, b) => Math.max(a, b));
}

/** The guard of brands or tags that tripped; null when none did. */
export function trippedSlices(
  { drops, more }: SliceDrops,
  guard: SliceInput['guard'],
  whose: TrippedGuard['whose'],
): TrippedGuard | null {
  const [first, ...others] = drops;
  if (first === undefined) return null;
  const setting = first.kind === 'brand' ? 'maxBrandDrop' : 'maxTagDrop';
  return { whose, guard: setting, limit: guard[setting] ?? 0, first, others, more };
}

function overGuard(kind: SliceDrop['kind'], counts: Counts, most: number | undefined): SliceDrop[] {
  if (most === undefined) return [];
  return [...counts.values()]
    .filter((slice) => shareLost(slice) > most)
    .map(({ name, before, after }) => ({ kind, name, before, after }));
}

/** The share of its rows that a slice lost, below 0 when it grew; it had some before. */
function shareLost({ before, after }: Pick<SliceDrop, 'before' | 'after'>): number {
  return (before - after) / before;
}

async function countSide(input: Compared, kind: SliceDrop['kind']): Promise<Counts> {
  const counts: Counts = new Map();
  if (input.guard[kind === 'brand' ? 'maxBrandDrop' : 'maxTagDrop'] === undefined) return counts;
  await eachName(input.older, kind, input, (name, folded) => {
    const count = counts.get(folded);
    if (count !== undefined) count.before += 1;
    else if (counts.size < MOST_NAMES) counts.set(folded, { name, before: 1, after: 0 });
  });
  await eachName(input.newer, kind, input, (_name, folded) => {
    const count = counts.get(folded);
    if (count !== undefined) count.after += 1;
  });
  return counts;
}

async function lossByFeed(input: Compared, { kind, name }: SliceDrop): Promise<Record<string, number>> {
  const lost = dictionary<number>();
  const wanted = fold(name);
  const count = (step: number) => (_name: string, folded: string, feed: string) => {
    if (folded === wanted) lost[feed] = (lost[feed] ?? 0) + step;
  };
  await eachName(input.older, kind, input, count(1));
  await eachName(input.newer, kind, input, count(-1));
  return lost;
}

/** Visits every brand, or every tag, of every row; repeated tags of a row only once. */
async function eachName(
  file: RowFile,
  kind: SliceDrop['kind'],
  { tagKey, tagSeparator, without, isRejected }: Compared,
  visit: (name: string, folded: string, feed: string) => void,
): Promise<void> {
  const column = kind === 'brand' ? 'brand' : tagKey;
  if (column === null) return;
  for await (const rows of keptRows(file, isRejected === null ? [column] : [column, 'brand', 'oem'])) {
    for (const { feed, cells } of rows) {
      const [cell = '', brand = '', oem = ''] = cells;
      if (without.includes(feed) || isRejected?.(brand, oem) === true) continue;
      if (kind === 'brand') {
        visit(cell, fold(cell), feed);
        continue;
      }
      const names = new Set(cell.split(tagSeparator).map((tag) => tag.trim()));
      for (const name of names) if (name !== '') visit(name, fold(name), feed);
    }
  }
}

function fold(name: string): string {
  return partKey(name, '');
}
