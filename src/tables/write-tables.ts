import type { TablePart } from '../model.ts';
import { refusal } from '../io/refusal.ts';
import { openTextWriter } from '../io/text-writer.ts';
import { farPlaces, hasGaps, noPlaces, type FarPlaces } from './far-places.ts';
import { fillMerged } from './fill-merged.ts';
import type { MergedCells } from './merged-cells.ts';
import { splitLines } from './split-lines.ts';
import type { TableFile, TableLimits, TableRow } from './table-file.ts';
import { writtenCell } from './written-cell.ts';

/** The first rows say how wide a table is: rows end with their last filled cell, but a text has all cells in each row. */
const ROWS_AHEAD = 1_000;
/** Characters of them that are kept at most. */
const MOST_AHEAD = 1 << 24;
/** Characters that are kept before they are written. */
const KEPT = 1 << 20;
/** Cells of all rows, empty ones too: a list of a million rows and 200 columns has fewer. */
const MOST_CELLS = 300_000_000;

/** How tables are written; `most`: only so many rows of each table. */
type WriteOptions = { path: string; limits: TableLimits; most?: number; mostCells?: number };

/** The rows as they were written: their bytes, where each table begins, and how many columns were left out because they are empty. */
type WrittenRows = { bytes: number; parts: TablePart[]; emptyColumns: number };

/** What was written, how many cells got the value of a merged one, and what parted lines in cells. */
export type WrittenTables = WrittenRows & { filled: number; delimiter: string | null };

/**
 * Writes tables of a file as one text in UTF-8: a line for each row, also for blank ones, so that the line in the text is the
 * row of the table; tabs between cells, double quotes around cells that have any, see `writtenCell`.
 * Where columns behind the first `NEAR_COLUMNS` are filled with empty ones before them, the empty ones are left out: the file
 * is read once more to know them. Rows that merged cells cover get their values, and cells that hold whole lines are parted. Throws
 * `file-rejected` for more text than `limits.fileSize`, and for too many cells.
 */
export async function writeTables(file: TableFile, tables: number[], options: WriteOptions): Promise<WrittenTables> {
  const { path, limits } = options;
  const near = noPlaces();
  const once = await writeOnce(file, tables, options, near);
  const places = once === null ? await farPlaces(file, tables, options.most) : near;
  const written = once ?? (await writeOnce(file, tables, options, places))!;
  const within = { most: limits.fileSize, refuse: () => tooLarge(limits) };
  const split = file.isHeaded ? null : await splitLines(path, within);
  if (split !== null) return { ...written, bytes: split.bytes, filled: 0, delimiter: split.delimiter };
  const merged = tables.flatMap((table, at) => inText(file.merged(table), written.parts[at]!.line, places));
  if (merged.length === 0) return { ...written, filled: 0, delimiter: null };
  return { ...written, ...(await fillMerged(path, merged, within)), delimiter: null };
}

/** Where merged cells are in a text in which the first row of their table stands on a line. */
function inText(merged: MergedCells[], line: number, places: FarPlaces): MergedCells[] {
  return merged.map(({ column, first, last }) => ({
    column: places.of(column),
    first: first + line - 1,
    last: last + line - 1,
  }));
}

/** Writes the tables with columns in these places; null as soon as a row shows that others would be better. */
async function writeOnce(
  file: TableFile,
  tables: number[],
  { path, limits, most = Infinity, mostCells = MOST_CELLS }: WriteOptions,
  places: FarPlaces,
): Promise<WrittenRows | null> {
  await using writer = await openTextWriter(path);
  const parts: TablePart[] = [];
  let [width, line, bytes, kept, cells] = [1, 1, 0, 0, 0];

  const write = async (rows: TableRow[], first: number): Promise<void> => {
    for (const row of rows) {
      const at = first + row.line - 1;
      const text = `${'\n'.repeat(at - line)}${rowText(row, places, width)}`;
      writer.write(text);
      kept += text.length;
      bytes += Buffer.byteLength(text);
      cells += Math.max(width, widthOf(row, places));
      line = at + 1;
      if (bytes > limits.fileSize) throw tooLarge(limits);
      if (cells > mostCells) throw tooManyCells(mostCells);
      if (kept > KEPT) {
        await writer.flush();
        kept = 0;
      }
    }
  };

  for (const table of tables) {
    const first = line;
    parts.push({ sheet: file.tables[table]!.name, line: first });
    let ahead: TableRow[] | null = [];
    let [count, length] = [0, 0];
    for await (const batch of file.rows(table)) {
      const rows = batch.slice(0, Math.max(0, most - count));
      count += batch.length;
      for (const row of rows) {
        if (hasGaps(row, places)) return null;
        width = Math.max(width, widthOf(row, places));
        if (ahead !== null) length += lengthOf(row);
      }
      if (ahead === null) await write(rows, first);
      else if (ahead.push(...rows) >= ROWS_AHEAD || length > MOST_AHEAD) {
        await write(ahead, first);
        ahead = null;
      }
      if (count >= most) break;
    }
    if (ahead !== null) await write(ahead, first);
  }
  await writer.flush();
  return { bytes, parts, emptyColumns: places.empty };
}

/** How many cells a row has up to its last filled one. */
function widthOf({ cells, far }: TableRow, places: FarPlaces): number {
  return far === undefined ? cells.length : places.of(far.at(-1)!.column) + 1;
}

/** About how many characters a row takes. */
function lengthOf({ cells, far = [] }: TableRow): number {
  const near = cells.reduce((sum, cell) => sum + cell.length, cells.length);
  return far.reduce((sum, { text }) => sum + text.length + FAR_LENGTH, near);
}

/** What a far cell takes beside its text, in characters. */
const FAR_LENGTH = 16;

function rowText({ cells, far = [] }: TableRow, places: FarPlaces, width: number): string {
  let text = cells.map(writtenCell).join('\t');
  let at = Math.max(0, cells.length - 1);
  for (const cell of far) {
    const place = places.of(cell.column);
    text += '\t'.repeat(place - at) + writtenCell(cell.text);
    at = place;
  }
  return `${text}${'\t'.repeat(Math.max(0, width - at - 1))}\n`;
}

function tooLarge(limits: TableLimits) {
  const message = `The tables of the file are more than ${limits.fileSize} bytes of text (limits.fileSize).`;
  return refusal('workbook-too-large', message, { limit: limits.fileSize });
}

function tooManyCells(most: number) {
  const what = `The tables of the file have more than ${most.toLocaleString('en')} cells, most of them empty.`;
  return refusal('workbook-too-large', `${what} Delete the empty columns and send the file again.`, { limit: most });
}
