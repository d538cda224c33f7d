import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import type { Detection, JoinedFile, TablePart } from '../../../model.ts';
import { hashKey } from '../../../parts/part-hash.ts';
import { placeIn } from '../../../wording/files/place.ts';
import { isBlank } from '../../../validate/checks/check-row.ts';
import { isBlankCell } from '../../../validate/checks/lone-cell.ts';
import type { ScannedRow } from '../../../validate/scan/scan-rows.ts';
import type { ByteRow } from './byte-row.ts';
import { readByteRows, type ReadRows } from './byte-rows.ts';
import { refusal } from '../../../io/refusal.ts';
import type { BroughtColumn } from './brought-columns.ts';
import { createCellStore, type CellStore } from './kernel/cell-store.ts';
import type { JoinKernel } from './kernel/join-kernel.ts';
import { createPartIndex, type PartIndex } from './kernel/part-index.ts';
import { indexedRows, passedRows } from './kernel/partner-rows.ts';
import { setHeaderPart } from './kernel/plain-rows.ts';
import { createEncoder, type Encoded } from './encode-cells.ts';
import { expectedRows } from './expected-rows.ts';
import { collectIssues, type PartnerIssues } from './partner-issues.ts';
import { cellText, createRowKeys, type KeyPlaces, type RowKeys } from './row-keys.ts';
import type { CellDialect } from './written-cells.ts';

/** A file whose values are joined to a list: its text, how that is written, and which columns of it count. */
export type PartnerFile = {
  role: string;
  file: string;
  path: string;
  detection: Detection;
  parts: TablePart[];
  places: KeyPlaces;
  columns: BroughtColumn[];
  /** How the supplier has written it: its text may be a copy in UTF-8. */
  charset: string;
  /** What of its tables was left out or stands otherwise in its text. */
  notes: string[];
};

/** A partner whose values can be found by a part. */
export type Partner = Disposable & {
  source: PartnerFile;
  keys: RowKeys;
  index: PartIndex;
  /** For each part the cells that are put behind a row, each behind a delimiter. */
  cells: CellStore;
  account: JoinedFile;
  issues: PartnerIssues;
};

/** What reading files for a join needs; the kernel has the partners of one delivery. `reading`: see `ReadRows`. */
export type JoinWork = {
  kernel: JoinKernel;
  reading?: ReadRows | undefined;
  settings: Pick<ReadSettings, 'limits' | 'spellings' | 'strip' | 'numbers'>;
  signal: AbortSignal | undefined;
};

/** Rows of each kind that are shown. */
export const EXAMPLES = 10;
/** What a number of the index can say. */
const MOST_BYTES = 2 ** 32 - 2;

/**
 * Reads a partner: which cells its parts have. Of several rows of one part the first counts; blank ones are no rows. `target`: how the cells
 * are written; `spill`: a path.
 */
export async function indexPartner(
  source: PartnerFile,
  { target, spill }: { target: CellDialect; spill: string },
  work: JoinWork,
): Promise<Partner> {
  const { role, file, path, detection, columns } = source;
  const { settings } = work;
  const keys = createRowKeys({ ...detection, places: source.places, settings });
  const index = createPartIndex(work.kernel, await expectedRows(path));
  const cells = createCellStore(work.kernel, spill);
  const account: JoinedFile = {
    role,
    file,
    columns: columns.map(({ name }) => name),
    rows: 0,
    unusable: 0,
    repeated: 0,
    joined: 0,
    withoutPartner: 0,
    withoutRow: 0,
    examples: { repeated: [], withoutPartner: [], withoutRow: [] },
  };
  const encode = createEncoder(columns, target, detection.charset);
  const issues = collectIssues(source);
  const [pair, header] = [
    { high: 0, low: 0 },
    { high: 0, low: 0 },
  ];
  const isHeader = (line: number) => detection.header && line === detection.headerLine;
  let hasHeader = false;

  const keep = ({ bytes, length }: Encoded) => {
    const place = cells.add(bytes, length);
    if (place > MOST_BYTES) throw tooMuch(file);
    index.add(pair, place);
  };

  const repeat = (own: readonly string[], line: number) => {
    account.repeated += 1;
    if (account.examples.repeated.length < EXAMPLES)
      account.examples.repeated.push({ ...sheetPlace(source.parts, line), part: keys.nameOf(own) });
  };

  const withoutNumber = () => {
    account.rows += 1;
    account.unusable += 1;
  };

  const addCells = (own: readonly string[], line: number, row: ByteRow | ScannedRow) => {
    const found = keys.ofCells(own);
    if (found.length === 0 && isPadding(row, detection.charset)) return;
    issues.look(own, line);
    if (found.length === 0) return withoutNumber();
    account.rows += 1;
    for (const key of found) {
      hashKey(key, pair);
      if (hasHeader && pair.high === header.high && pair.low === header.low) {
        account.rows -= 1;
        return;
      }
      if (index.find(pair) === -1) keep('bytes' in row ? encode.ofBytes(row) : encode.ofCells(row.cells));
      else repeat(own, line);
    }
  };

  using onFailure = new DisposableStack();
  onFailure.use(cells);
  await readByteRows(
    { name: file, path, written: detection, settings, reading: work.reading },
    {
      plain: indexedRows(work.kernel, source, { keys: keys.plain, index, cells, target, account, most: EXAMPLES }),
      row: (row, line) => {
        if (row.end === row.start) return;
        const found = keys.ofBytes(row, pair);
        if (isHeader(line)) {
          const [key] = keys.ofCells(keys.cellsOf(row));
          hasHeader = key !== undefined;
          if (key === undefined) return;
          hashKey(key, header);
          setHeaderPart(work.kernel, header);
          return;
        }
        if (found === 'none') {
          if (!isPadding(row, detection.charset)) withoutNumber();
        } else if (found === 'slow') {
          addCells(keys.cellsOf(row), line, row);
        } else if (!hasHeader || pair.high !== header.high || pair.low !== header.low) {
          account.rows += 1;
          if (index.find(pair) === -1) keep(encode.ofBytes(row));
          else repeat(keys.cellsOf(row), line);
        }
      },
      scanned: (row) => {
        if (isHeader(row.line)) return;
        if (row.problem !== null) return withoutNumber();
        addCells(row.cells, row.line, row);
      },
      lines: () => undefined,
      pause: () => Promise.resolve(true),
    },
    work.signal,
  );
  const kept = onFailure.move();
  return { source, keys, index, cells, account, issues, [Symbol.dispose]: () => kept.dispose() };
}

/** Whether a row has nothing but blanks in its cells, as programs fill up the end of a table. */
function isPadding(row: ByteRow | ScannedRow, charset: string): boolean {
  if (!('bytes' in row)) return isBlank(row);
  for (let at = 0; at < row.count; at += 1) if (!isBlankCell(cellText(row, at, charset))) return false;
  return true;
}

/** The first parts of a partner that no row was found for; read once more, because the index does not know how they are written. */
export async function withoutRow({ source, keys, index, account }: Partner, work: JoinWork): Promise<void> {
  account.withoutRow = index.size - index.marked;
  const { examples } = account;
  if (account.withoutRow === 0) return;
  const { file, path, detection, parts } = source;
  const pair = { high: 0, low: 0 };
  const most = Math.min(EXAMPLES, account.withoutRow);
  const look = (line: number, own: () => readonly string[]) => {
    const slot = index.find(pair);
    if (slot === -1 || index.isMarked(slot) || examples.withoutRow.length >= most) return;
    // A part that is there again is shown once.
    index.mark(slot);
    examples.withoutRow.push({ ...sheetPlace(parts, line), part: keys.nameOf(own()) });
  };
  const lookInCells = (own: readonly string[], line: number) => {
    for (const key of keys.ofCells(own)) {
      hashKey(key, pair);
      look(line, () => own);
    }
  };
  await readByteRows(
    { name: file, path, written: detection, settings: work.settings, reading: work.reading },
    {
      plain: passedRows(work.kernel, source, { keys: keys.plain, index }),
      row: (row, line) => {
        const found = keys.ofBytes(row, pair);
        if (found === 'slow') lookInCells(keys.cellsOf(row), line);
        else if (found === 'hashed') look(line, () => keys.cellsOf(row));
      },
      scanned: ({ cells, line, problem }) => {
        if (problem === null) lookInCells(cells, line);
      },
      lines: () => undefined,
      pause: () => Promise.resolve(examples.withoutRow.length < most),
    },
    work.signal,
  );
}

/** Where a row stands in its file. */
export function sheetPlace(parts: TablePart[], line: number): { sheet: string | null; line: number } {
  const place = placeIn(parts, line);
  return { sheet: place.sheet, line: place.line };
}

function tooMuch(file: string): Error {
  const message = `${file} brings more than 4 GB of values to the list. Name the columns that are needed: feeds.NAME.join.partners.NAME.bring.`;
  return refusal('reading-too-large', message, { file });
}
