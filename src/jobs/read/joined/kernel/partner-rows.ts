import type { Detection, JoinedFile } from '../../../../model.ts';
import type { ScanDialect } from '../../../../validate/scan/text-view.ts';
import type { BroughtColumn } from '../brought-columns.ts';
import type { PlainKeys } from '../row-keys.ts';
import { safeBytes, type CellDialect } from '../written-cells.ts';
import type { CellStore } from './cell-store.ts';
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
const STAGED = { rows: 16384, bytes: 1 << 18 };

/** Takes the plain rows of a partner into its index, and counts them in its account. */
export function indexedRows(
  kernel: JoinKernel,
  { detection, columns }: Source,
  { keys, index, cells, target, account, most }: Into,
): (dialect: ScanDialect) => PlainRows | null {
  const { calls } = kernel;
  const delimiter = Buffer.from(target.delimiter);
  const places = columns.map(({ place }) => place);
  const least = Math.max(...places) + 1;
  return (dialect) => {
    if (delimiter.length > 1 || places.length > MOST_CELLS) return null;
    const file = { dialect, keys, cells: { least, most: MOST_CELLS }, headerLine: linesBefore(detection) };
    const count = (next: number) => {
      account.rows += calls.keyed.value;
      account.repeated += calls.repeated.value;
      return next;
    };
    const showsRepeated = () => Number(account.examples.repeated.length < most);
    const staged = kernel.second === null ? null : stagingArea(kernel);
    const rows = plainRows(kernel, file, {
      take: (from, to) => count(calls.indexRows(index.address, cells.address, from, to, showsRepeated())),
      ahead: staged && {
        call: 'stageRows',
        args: (from, to) => [...staged, from, to],
        accept: ({ taken, isFull }) => {
          const next = count(calls.addStaged(index.address, cells.address, staged[0], taken, showsRepeated()));
          return { next: next >>> 0, taken: calls.taken.value, isFull: isFull && calls.taken.value === taken };
        },
      },
    });
    kernel.words().set([places.length, delimiter[0]!], calls.settings.value / 4 + BROUGHT);
    kernel.words().set(places, calls.broughtColumns.value / 4);
    kernel.memory().set(safeBytes(target, detection.charset === 'utf-8'), calls.safe.value);
    return rows;
  };
}

/** Where a second thread puts rows and their cells before they are taken: as many as it is mostly offered. */
function stagingArea({ calls, allocate }: JoinKernel): [these: number, most: number, staged: number, end: number] {
  const these = allocate(STAGED.rows * calls.ROW_BYTES.value);
  const staged = allocate(STAGED.bytes);
  return [these, STAGED.rows, staged, staged + STAGED.bytes];
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
        take: (from, to) => kernel.calls.passRows(index.address, from, to),
        ahead: {
          call: 'passRows',
          args: (from, to) => [index.address, from, to],
          accept: (result) => result,
        },
      },
    );
}
