import type { BrandDiff, LiveChange, PartDemand, RowChange, RowsDiff } from '../model.ts';
import { byDemand, createDemand, NO_DEMAND, type Demand } from '../parts/demand.ts';
import { partKey } from '../parts/part-key.ts';
import type { KeptRow, RowFile } from './row-file.ts';
import { createTagChanges, type TagColumn } from './tag-changes.ts';
import { walkDiff, type RejectedSides } from './walk-diff.ts';
import { shortened } from '../wording/printable.ts';

/**
 * What is compared: the live rows, or null when none are, and those that would replace them, by the columns as configured now. `demand`: as far as it
 * is known, of removed parts those that are most looked for are the examples.
 */
export type DiffInput = {
  older: RowFile | null;
  newer: RowFile;
  columns: string[];
  demand?: { look: string | null; parts: readonly PartDemand[] } | undefined;
};

/** Brands that are counted separately, and those that the answer shows with examples. */
const MOST_BRANDS = 10_000;
const SHOWN_BRANDS = 20;
/** Examples of each kind of change that a brand keeps. */
const EXAMPLES = 3;
const VALUE_LENGTH = 120;

/**
 * What changes between two sets of rows: added, removed and changed rows by brand, the most changed brand first, each with
 * a few examples. A row is known by its part. Rows stream; 17 bytes of each stay in memory as hashes, so a changed
 * row is mistaken for an unchanged one once in four billion.
 */
export async function diffRows(input: DiffInput): Promise<RowsDiff> {
  const { tags: _tags, ...diff } = await diffLive(input, null, { older: null, newer: null });
  return diff;
}

/** The same between what was live and what is, and the tags that parts on both sides gained and lost: 4 more bytes for each tag. */
export async function diffLive(
  input: DiffInput,
  tagColumn: TagColumn | null,
  rejected: RejectedSides,
): Promise<LiveChange> {
  const { columns } = input;
  const tags = createTagChanges(columns, tagColumn);
  const tally = createTally(columns, input.demand === undefined ? NO_DEMAND : createDemand(input.demand));
  const wanted = new Map<number, RowChange>();
  await walkDiff(input, rejected, {
    older: ({ cells }) => tags.keep(cells),
    added: (row) => void tally.note(tally.brandOf(row, 'after'), 'added', row),
    same: (row) => void tally.brandOf(row, 'after'),
    changed: (row, at) => {
      tags.compare(at, row.cells);
      const example = tally.note(tally.brandOf(row, 'after'), 'changed', row);
      if (example !== null) wanted.set(at, example);
    },
    finished: (row, at, isRemoved) => {
      const brand = tally.brandOf(row, 'before');
      if (isRemoved) tally.note(brand, 'removed', row);
      const example = wanted.get(at);
      if (example !== undefined) example.cells = differing(example.cells, row.cells, columns);
    },
  });
  return { ...tally.result(), tags: tags.counts };
}

/** Only the cells that differ; `after` holds all of the newer row. */
function differing(after: RowChange['cells'], older: string[], columns: string[]): RowChange['cells'] {
  return after
    .map((cell) => ({ ...cell, before: cut(older[columns.indexOf(cell.column)] ?? '') }))
    .filter((cell) => cell.before !== cell.after);
}

function cut(value: string): string {
  return shortened(value, VALUE_LENGTH);
}

/** Counts changes by brand, in the spelling that occurs first; the result has the `shown` brands that changed most. */
export function createTally(columns: string[], demand = NO_DEMAND) {
  const brands = new Map<string, BrandDiff>();
  const others = newBrand('(other brands)');
  const [brandAt, oemAt] = [columns.indexOf('brand'), columns.indexOf('oem')];
  return {
    brandOf: ({ cells }: KeptRow, side: 'before' | 'after'): BrandDiff => {
      const name = cells[brandAt] ?? '';
      const folded = partKey(name, '');
      let brand = brands.get(folded);
      if (brand === undefined) {
        brand = brands.size < MOST_BRANDS ? newBrand(cut(name)) : others;
        if (brand !== others) brands.set(folded, brand);
      }
      brand[side] += 1;
      return brand;
    },
    /** Counts a change; returns its example if it is kept as one. */
    note: (brand: BrandDiff, change: RowChange['change'], row: KeptRow): RowChange | null => {
      brand[change] += 1;
      const oem = cut(row.cells[oemAt] ?? '');
      if (brand[change] > EXAMPLES && (change !== 'removed' || !makePlace(brand, oem, demand))) return null;
      const after = (column: string, at: number) => ({ column, before: null, after: cut(row.cells[at] ?? '') });
      const cells = change === 'changed' ? columns.map(after) : [];
      const { file, sheet, line } = row;
      const example = { change, oem, file, sheet, line, cells };
      brand.examples.push(example);
      return example;
    },
    result: (shown = SHOWN_BRANDS) =>
      resultOf([...brands.values(), ...(others.before + others.after > 0 ? [others] : [])], shown),
  };
}

/** Gives up the removed part that is least looked for among a brand's examples, where this one is more. */
function makePlace({ brand, examples }: BrandDiff, oem: string, demand: Demand): boolean {
  const wanted = demand.of({ brand, oem });
  if (wanted === null) return false;
  const removed = examples.filter(({ change }) => change === 'removed');
  const least = byDemand(removed, demand, (example) => ({ brand, oem: example.oem })).at(-1);
  if (least === undefined || (demand.of({ brand, oem: least.oem }) ?? Infinity) <= wanted) return false;
  examples.splice(examples.indexOf(least), 1);
  return true;
}

function newBrand(brand: string): BrandDiff {
  return { brand, before: 0, after: 0, added: 0, removed: 0, changed: 0, examples: [] };
}

function resultOf(all: BrandDiff[], shown: number): RowsDiff {
  const sum = (field: 'before' | 'after' | 'added' | 'removed' | 'changed') =>
    all.reduce((total, brand) => total + brand[field], 0);
  const touched = all.filter((brand) => changesOf(brand) > 0);
  touched.sort((a, b) => changesOf(b) - changesOf(a) || (a.brand < b.brand ? -1 : 1));
  return {
    before: sum('before'),
    after: sum('after'),
    added: sum('added'),
    removed: sum('removed'),
    changed: sum('changed'),
    brands: touched.slice(0, shown),
    moreBrands: Math.max(0, touched.length - shown),
  };
}

function changesOf({ added, removed, changed }: BrandDiff): number {
  return added + removed + changed;
}
