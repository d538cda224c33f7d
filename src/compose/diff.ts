import type { BrandDiff, LiveChange, RowChange, RowsDiff } from '../model.ts';
import { hashKey } from '../parts/part-hash.ts';
import { partKey } from '../parts/part-key.ts';
import { createPartSet } from '../parts/part-set.ts';
import { createNumbers } from './numbers.ts';
import type { IsRejected } from './rejected-rows.ts';
import { keptRows, type KeptRow, type RowFile } from './row-file.ts';
import { createTagChanges, type TagColumn } from './tag-changes.ts';

/** What is compared: the live rows and those that would replace them, by the columns as configured now. */
export type DiffInput = { older: RowFile; newer: RowFile; columns: string[] };

/** Which parts of each side are not live, because the service rejected them; null: none. */
export type RejectedSides = { older: IsRejected | null; newer: IsRejected | null };

/** Brands that are counted separately, and those that the answer shows with examples. */
const MOST_BRANDS = 10_000;
const SHOWN_BRANDS = 20;
/** Examples of each kind of change that a brand keeps. */
const EXAMPLES = 3;
const VALUE_LENGTH = 120;

/** The fate of an older row; 0 means removed. */
const SAME = 1;
const CHANGED = 2;

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
  const older = () => liveRows(input.older, columns, rejected.older);
  const tags = createTagChanges(columns, tagColumn);
  const before = await digest(older(), columns, tags.keep);
  const tally = createTally(columns);
  const fates = new Uint8Array(before.count);
  const wanted = new Map<number, RowChange>();
  for await (const rows of liveRows(input.newer, columns, rejected.newer)) {
    for (const row of rows) {
      const brand = tally.brandOf(row, 'after');
      const at = before.find(row);
      if (at === null) {
        tally.note(brand, 'added', row);
        continue;
      }
      const same = before.contentOf(at) === contentHash(row);
      fates[at] = same ? SAME : CHANGED;
      if (same) continue;
      tags.compare(at, row.cells);
      const example = tally.note(brand, 'changed', row);
      if (example !== null) wanted.set(at, example);
    }
  }
  let at = 0;
  for await (const rows of older()) {
    for (const row of rows) {
      const brand = tally.brandOf(row, 'before');
      if (fates[at] === 0) tally.note(brand, 'removed', row);
      const example = wanted.get(at);
      if (example !== undefined) example.cells = differing(example.cells, row.cells, columns);
      at += 1;
    }
  }
  return { ...tally.result(), tags: tags.counts };
}

/** The rows of a file that the service did not reject, in batches. */
async function* liveRows(
  file: RowFile,
  columns: string[],
  isRejected: IsRejected | null,
): AsyncGenerator<KeptRow[], void, undefined> {
  const [brandAt, oemAt] = [columns.indexOf('brand'), columns.indexOf('oem')];
  const isLive = ({ cells }: KeptRow) => isRejected?.(cells[brandAt] ?? '', cells[oemAt] ?? '') !== true;
  for await (const rows of keptRows(file, columns)) yield isRejected === null ? rows : rows.filter(isLive);
}

/** The older rows as hashes: of the part in a table that leads to the number of the row, of all cells by that number. */
async function digest(older: AsyncIterable<KeptRow[]>, columns: string[], keepTags: (cells: string[]) => void) {
  const table = createPartSet();
  const key = keyReader(columns);
  const contents = createNumbers();
  for await (const rows of older) {
    for (const row of rows) {
      table.firstLine(key(row), contents.length + 1);
      contents.add(contentHash(row));
      keepTags(row.cells);
    }
  }
  const count = contents.length;
  return {
    count,
    /** The number of the older row of the same part, or null. */
    find: (row: KeptRow): number | null => {
      const line = table.firstLine(key(row), count + 1) ?? count + 1;
      return line > count ? null : line - 1;
    },
    contentOf: (at: number) => contents.at(at),
  };
}

function keyReader(columns: string[]): (row: KeptRow) => string {
  const [brandAt, oemAt] = [columns.indexOf('brand'), columns.indexOf('oem')];
  return ({ cells }) => partKey(cells[brandAt] ?? '', cells[oemAt] ?? '');
}

const PAIR = { high: 0, low: 0 };

function contentHash({ cells }: KeptRow): number {
  hashKey(cells.join('\t'), PAIR);
  return PAIR.low;
}

/** Only the cells that differ; `after` holds all of the newer row. */
function differing(after: RowChange['cells'], older: string[], columns: string[]): RowChange['cells'] {
  return after
    .map((cell) => ({ ...cell, before: cut(older[columns.indexOf(cell.column)] ?? '') }))
    .filter((cell) => cell.before !== cell.after);
}

function cut(value: string): string {
  return value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH).toWellFormed()}…` : value;
}

/** Counts changes by brand, in the spelling that occurs first. */
function createTally(columns: string[]) {
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
      if (brand[change] > EXAMPLES) return null;
      const after = (column: string, at: number) => ({ column, before: null, after: cut(row.cells[at] ?? '') });
      const cells = change === 'changed' ? columns.map(after) : [];
      const { sheet, line } = row;
      const example = { change, oem: cut(row.cells[oemAt] ?? ''), sheet, line, cells };
      brand.examples.push(example);
      return example;
    },
    result: () => resultOf([...brands.values(), ...(others.before + others.after > 0 ? [others] : [])]),
  };
}

function newBrand(brand: string): BrandDiff {
  return { brand, before: 0, after: 0, added: 0, removed: 0, changed: 0, examples: [] };
}

function resultOf(all: BrandDiff[]): RowsDiff {
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
    brands: touched.slice(0, SHOWN_BRANDS),
    moreBrands: Math.max(0, touched.length - SHOWN_BRANDS),
  };
}

function changesOf({ added, removed, changed }: BrandDiff): number {
  return added + removed + changed;
}
