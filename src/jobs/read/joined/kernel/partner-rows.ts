import type { Detection, JoinedFile } from '../../../../model.ts';
import type { ScanDialect } from '../../../../validate/scan/text-view.ts';
import type { BroughtColumn } from '../brought-columns.ts';
import type { PlainKeys } from '../row-keys.ts';
import { safeBytes, type CellDialect } from '../written-cells.ts';
import type { CellStore } from './cell-store.ts';
import type { RowsResult } from './join-exports.ts';
import type { JoinKernel } from './join-kernel.ts';
import type { PartIndex } from './part-index.ts';
import { linesBefore, plainRows, type PlainRows } from './plain-rows.ts';

/** A partner, and which of its columns are brought. */
type Source = { detection: Pick<Detection, 'header' | 'headerLine' | 'charset'>; columns: BroughtColumn[] };

/** Where the rows of a partner go, and how their cells are written. The first `most` of those that repeat a part are shown. */
type Into = {
  keys: PlainKeys | null;
  index: PartIndex;
  cells: CellStore;
  target: CellDialect;
  account: JoinedFile;
  most: number;
};

/** The words of the settings from the number of brought columns on, and how many cells a row may have, as kernel/join/settings.ts has them. */
const BROUGHT = 13;
const MOST_CELLS = 1024;
/** What is staged at a time: the rows of some 64 KB, and the cells that they bring. */
const STAGED = { rows: 4096, fewest: 4, bytes: 1 << 16 };

/** Takes the plain rows of a partner into its index, and counts them in its account. */
export function indexedRows(
  kernel: JoinKernel,
  { detection, columns }: Source,
  { keys, index, cells, target, account, most }: Into,
): (dialect: ScanDialect) => PlainRows | null {
  const { calls, allocate } = kernel;
  const delimiter = Buffer.from(target.delimiter);
  const places = columns.map(({ place }) => place);
  const least = Math.max(...places) + 1;
  return (dialect) => {
    if (delimiter.length > 1 || places.length > MOST_CELLS) return null;
    const file = { dialect, keys, cells: { least, most: MOST_CELLS }, headerLine: linesBefore(detection) };
    const side = () => {
      let rows = STAGED.rows;
      const [these, staged] = [allocate(STAGED.rows * calls.ROW_BYTES.value), allocate(STAGED.bytes)];
      return {
        args: (from: number, to: number) => [these, rows, staged, staged + STAGED.bytes, from, to],
        accept: (result: RowsResult) => {
          const showsRepeated = Number(account.examples.repeated.length < most);
          const next = calls.addStaged(index.address, cells.address, these, result.taken, showsRepeated) >>> 0;
          account.rows += calls.keyed.value;
          account.repeated += calls.repeated.value;
          const taken = calls.taken.value;
          // Where cells do not fit into memory each row is left to the slow path, and those behind it are staged once more.
          rows = taken < result.taken ? Math.max(STAGED.fewest, rows >> 1) : Math.min(STAGED.rows, rows << 1);
          return { next, taken, isFull: result.isFull && taken === result.taken };
        },
      };
    };
    const rows = plainRows(kernel, file, { call: 'stageRows', side });
    kernel.words().set([places.length, delimiter[0]!], calls.settings.value / 4 + BROUGHT);
    kernel.words().set(places, calls.broughtColumns.value / 4);
    kernel.memory().set(safeBytes(target, detection.charset === 'utf-8'), calls.safe.value);
    return rows;
  };
}

/** Passes over the plain rows of a partner whose part was met. */
export function passedRows(
  kernel: JoinKernel,
  { detection }: Source,
  { keys, index }: Pick<Into, 'keys' | 'index'>,
): (dialect: ScanDialect) => PlainRows | null {
  const headerLine = linesBefore(detection);
  return (dialect) =>
    plainRows(
      kernel,
      { dialect, keys, cells: { least: 1, most: MOST_CELLS }, headerLine },
      {
        call: 'passRows',
        side: () => ({ args: (from, to) => [index.address, from, to], accept: (result) => result }),
      },
    );
}
