import { createTally } from '../../compose/diff.ts';
import { createNumbers } from '../../parts/numbers.ts';
import type { KeptRow, RowFile } from '../../compose/row-file.ts';
import { textHash, walkDiff } from '../../compose/walk-diff.ts';
import { dictionary, own } from '../../io/dictionary.ts';
import type { BrandDiff, RowChange } from '../../model.ts';
import { createPager, type Page } from './paging.ts';
import { fileNamed } from './winners.ts';
import type { RowPlace } from './run-rows.ts';
import { searchedIn, type Matcher } from './search.ts';

/** A part that two sets of rows do not have alike. */
export type ComparedRow = {
  change: RowChange['change'];
  /** In the newer spelling, where it has one. */
  key: { brand: string; oem: string };
  before: Record<string, string> | null;
  after: Record<string, string> | null;
  /** Of a changed row the cells that differ. */
  columns: { column: string; before: string; after: string }[];
  lines: { before: RowPlace | null; after: RowPlace | null };
};

/** What differs between two sets of rows: counts, and a page of the differences. */
export type RowsCompared = {
  counts: { before: number; after: number; added: number; removed: number; changed: number; same: number };
  /** In how many changed rows a column differs. */
  columns: { column: string; rows: number }[];
  /** The brands that changed most. */
  brands: Omit<BrandDiff, 'examples'>[];
  moreBrands: number;
  /** Differences that fit the search: what is paged. Added and changed rows first, then those that were removed. */
  matches: number;
  rows: ComparedRow[];
};

/** Rows that are compared, and the names of the files that they come from, by feed; the rows of one run have the feed ''. */
export type ComparedFile = { rows: RowFile; places: Record<string, { feed: string; file: string | null }> };

/** Either side; null has no rows. */
export type Sides = { before: ComparedFile | null; after: ComparedFile | null };

const SHOWN_BRANDS = 1_000;

/** Compares two sets of rows. Memory grows by 17 bytes and 4 for each column of each row of the first one. */
export async function compareRows(
  { before, after }: Sides,
  { matches, page }: { matches: Matcher | null; page: Page },
): Promise<RowsCompared> {
  const columns = [...new Set([...(after?.rows.columns ?? []), ...(before?.rows.columns ?? [])])];
  const fits = searchOf(columns, matches);
  const changes = createCellChanges(columns);
  const tally = createTally(columns);
  const pager = createPager<ComparedRow>(page);
  const wanted = new Map<number, ComparedRow>();
  let same = 0;
  await walkDiff(
    { older: before?.rows ?? null, newer: after?.rows ?? null, columns },
    { older: null, newer: null },
    {
      older: ({ cells }) => changes.keep(cells),
      added: (row) => {
        tally.note(tally.brandOf(row, 'after'), 'added', row);
        if (fits(row)) pager.take(() => compared('added', columns, null, sideOf(row, after)));
      },
      same: (row) => {
        tally.brandOf(row, 'after');
        same += 1;
      },
      changed: (row, at) => {
        tally.note(tally.brandOf(row, 'after'), 'changed', row);
        changes.compare(at, row.cells);
        if (!fits(row)) return;
        pager.take(() => {
          const found = compared('changed', columns, null, sideOf(row, after));
          wanted.set(at, found);
          return found;
        });
      },
      finished: (row, at, isRemoved) => {
        const brand = tally.brandOf(row, 'before');
        const found = wanted.get(at);
        if (found !== undefined) Object.assign(found, changedFrom(found, columns, sideOf(row, before)));
        if (!isRemoved) return;
        tally.note(brand, 'removed', row);
        if (fits(row)) pager.take(() => compared('removed', columns, sideOf(row, before), null));
      },
    },
  );
  const { brands, moreBrands, ...counts } = tally.result(SHOWN_BRANDS);
  return {
    counts: { ...counts, same },
    columns: changes.counts(),
    brands: brands.map(({ examples: _examples, ...brand }) => brand),
    moreBrands,
    matches: pager.count,
    rows: pager.rows,
  };
}

function searchOf(columns: string[], matches: Matcher | null): (row: KeptRow) => boolean {
  const searched = searchedIn(columns);
  return matches === null ? () => true : ({ cells }) => matches(searched(cells));
}

type Side = { cells: string[]; place: RowPlace };

function sideOf({ feed, file: its, sheet, line, cells }: KeptRow, file: ComparedFile | null): Side {
  const place = own(file?.places ?? {}, feed) ?? { feed, file: null };
  return { cells, place: { ...place, ...fileNamed(its, place.file), sheet, line } };
}

function compared(
  change: RowChange['change'],
  columns: string[],
  before: Side | null,
  after: Side | null,
): ComparedRow {
  const cells = (after ?? before)!.cells;
  const cellOf = (key: string) => cells[columns.indexOf(key)] ?? '';
  const asRecord = (side: Side | null) =>
    side === null ? null : dictionary(columns.map((column, at) => [column, side.cells[at] ?? '']));
  return {
    change,
    key: { brand: cellOf('brand'), oem: cellOf('oem') },
    before: asRecord(before),
    after: asRecord(after),
    columns: [],
    lines: { before: before?.place ?? null, after: after?.place ?? null },
  };
}

/** What is added to a changed row when its older one is met. */
function changedFrom({ after, lines }: ComparedRow, columns: string[], older: Side) {
  const before = dictionary(columns.map((column, at) => [column, older.cells[at] ?? '']));
  const cells = columns.map((column) => ({
    column,
    before: own(before, column) ?? '',
    after: own(after ?? {}, column) ?? '',
  }));
  return {
    before,
    columns: cells.filter((cell) => cell.before !== cell.after),
    lines: { ...lines, before: older.place },
  };
}

/** Counts in how many rows each column has changed; cells are kept as hashes of 32 bits. */
function createCellChanges(columns: string[]) {
  const hashes = createNumbers();
  const rows = columns.map(() => 0);
  return {
    /** Keeps the cells of the next older row. */
    keep: (cells: string[]) => {
      for (const cell of cells) hashes.add(textHash(cell));
    },
    /** Compares the older row of a number, from 0, with the newer one of the same part. */
    compare: (at: number, cells: string[]) => {
      for (const [column, cell] of cells.entries()) {
        if (hashes.at(at * columns.length + column) !== textHash(cell)) rows[column]! += 1;
      }
    },
    counts: () => columns.map((column, at) => ({ column, rows: rows[at]! })).filter((column) => column.rows > 0),
  };
}
