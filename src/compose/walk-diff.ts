import { hashKey } from '../parts/part-hash.ts';
import { partKey } from '../parts/part-key.ts';
import { createPartSet } from '../parts/part-set.ts';
import { createNumbers } from '../parts/numbers.ts';
import type { IsRejected } from './rejected-rows.ts';
import { keptRows, type KeptRow, type RowFile } from './row-file.ts';

/** What is compared, by the columns as configured now; null: there are no rows. */
export type DiffSides = { older: RowFile | null; newer: RowFile | null; columns: string[] };

/** Which parts of each side are not live, because the service rejected them; null: none. */
export type RejectedSides = { older: IsRejected | null; newer: IsRejected | null };

/** Sees each row once, older ones twice: at first and in the end. `at` is the number of an older row, from 0. */
export type DiffVisitor = {
  /** An older row, before anything is compared. */
  older?: (row: KeptRow, at: number) => void;
  added: (row: KeptRow) => void;
  same: (row: KeptRow, at: number) => void;
  changed: (row: KeptRow, at: number) => void;
  /** An older row, once all newer ones are known. */
  finished: (row: KeptRow, at: number, isRemoved: boolean) => void;
};

/** The fate of an older row that is not removed. */
const KEPT = 1;

/**
 * Walks through two sets of rows, in which each part stands once at most, and says of each row whether its part is on the other side, and
 * equal. Rows stream; 17 bytes of each older one stay in memory as hashes, so a changed row is mistaken for an unchanged one once in
 * four billion.
 */
export async function walkDiff(
  { older, newer, columns }: DiffSides,
  rejected: RejectedSides,
  visit: DiffVisitor,
): Promise<void> {
  const before = await digest(liveRows(older, columns, rejected.older), columns, visit);
  const fates = new Uint8Array(before.count);
  for await (const rows of liveRows(newer, columns, rejected.newer)) {
    for (const row of rows) {
      const at = before.find(row);
      if (at === null) {
        visit.added(row);
        continue;
      }
      fates[at] = KEPT;
      if (before.contentOf(at) === contentHash(row)) visit.same(row, at);
      else visit.changed(row, at);
    }
  }
  let at = 0;
  for await (const rows of liveRows(older, columns, rejected.older)) {
    for (const row of rows) {
      visit.finished(row, at, fates[at] !== KEPT);
      at += 1;
    }
  }
}

/** The rows of a file that the service did not reject, in batches. */
async function* liveRows(
  file: RowFile | null,
  columns: string[],
  isRejected: IsRejected | null,
): AsyncGenerator<KeptRow[], void, undefined> {
  if (file === null) return;
  const [brandAt, oemAt] = [columns.indexOf('brand'), columns.indexOf('oem')];
  const isLive = ({ cells }: KeptRow) => isRejected?.(cells[brandAt] ?? '', cells[oemAt] ?? '') !== true;
  for await (const rows of keptRows(file, columns)) yield isRejected === null ? rows : rows.filter(isLive);
}

/** The older rows as hashes: of the part in a table that leads to the number of the row, of all cells by that number. */
async function digest(older: AsyncIterable<KeptRow[]>, columns: string[], visit: DiffVisitor) {
  const table = createPartSet();
  const key = keyReader(columns);
  const contents = createNumbers();
  for await (const rows of older) {
    for (const row of rows) {
      visit.older?.(row, contents.length);
      table.firstLine(key(row), contents.length + 1);
      contents.add(contentHash(row));
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

function contentHash({ cells }: KeptRow): number {
  return textHash(cells.join('\t'));
}

const PAIR = { high: 0, low: 0 };

/** The hash of a text in 32 bits. */
export function textHash(text: string): number {
  hashKey(text, PAIR);
  return PAIR.low;
}
