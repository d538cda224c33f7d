import type { TablePart } from '../model.ts';
import { refusal } from '../io/refusal.ts';
import { openTextWriter } from '../io/text-writer.ts';
import { fillMerged } from './fill-merged.ts';
import type { MergedCells } from './merged-cells.ts';
import { splitLines } from './split-lines.ts';
import type { TableFile, TableLimits, TableRow } from './table-file.ts';
import { writtenCell } from './written-cell.ts';

/** The first rows say how wide a table is: rows end with their last filled cell, but a text has all cells in each row. */
const ROWS_AHEAD = 1_000;
/** Characters that are kept before they are written. */
const KEPT = 1 << 20;

/** The size of the text, where each table begins in it, how many cells got the value of a merged one, and what parted lines in cells. */
export type WrittenTables = { bytes: number; parts: TablePart[]; filled: number; delimiter: string | null };

/**
 * Writes tables of a file as one text in UTF-8: a line for each row, also for blank ones, so that the line in the text is the
 * row of the table; tabs between cells, double quotes around cells that have any. Line breaks and tabs in a cell become
 * blanks. Rows that merged cells cover get their values, and cells that hold whole lines are parted. `most`: writes only so many rows of each
 * table. Throws `file-rejected` for more text than `limits.fileSize`.
 */
export async function writeTables(
  file: TableFile,
  tables: number[],
  options: { path: string; limits: TableLimits; most?: number },
): Promise<WrittenTables> {
  const { bytes, parts } = await writeRows(file, tables, options);
  const { path, limits } = options;
  const within = { most: limits.fileSize, refuse: () => tooLarge(limits) };
  const split = file.isHeaded ? null : await splitLines(path, within);
  if (split !== null) return { bytes: split.bytes, parts, filled: 0, delimiter: split.delimiter };
  const merged = tables.flatMap((table, at) => belowLine(file.merged(table), parts[at]!.line));
  if (merged.length === 0) return { bytes, parts, filled: 0, delimiter: null };
  return { ...(await fillMerged(path, merged, within)), parts, delimiter: null };
}

/** Where cells are in a text in which the first row of their table stands on a line. */
function belowLine(merged: MergedCells[], line: number): MergedCells[] {
  return merged.map(({ column, first, last }) => ({ column, first: first + line - 1, last: last + line - 1 }));
}

async function writeRows(
  file: TableFile,
  tables: number[],
  { path, limits, most = Infinity }: { path: string; limits: TableLimits; most?: number },
): Promise<{ bytes: number; parts: TablePart[] }> {
  await using writer = await openTextWriter(path);
  const parts: TablePart[] = [];
  let [width, line, bytes, kept] = [1, 1, 0, 0];

  const write = async (rows: TableRow[], first: number): Promise<void> => {
    for (const row of rows) {
      const at = first + row.line - 1;
      const text = `${'\n'.repeat(at - line)}${rowText(row.cells, width)}`;
      writer.write(text);
      kept += text.length;
      bytes += Buffer.byteLength(text);
      line = at + 1;
      if (bytes > limits.fileSize) throw tooLarge(limits);
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
    let count = 0;
    for await (const batch of file.rows(table)) {
      const rows = batch.slice(0, Math.max(0, most - count));
      count += batch.length;
      for (const { cells } of rows) width = Math.max(width, cells.length);
      if (ahead === null) await write(rows, first);
      else if (ahead.push(...rows) >= ROWS_AHEAD) {
        await write(ahead, first);
        ahead = null;
      }
      if (count >= most) break;
    }
    if (ahead !== null) await write(ahead, first);
  }
  await writer.flush();
  return { bytes, parts };
}

function rowText(cells: string[], width: number): string {
  return `${cells.map(writtenCell).join('\t')}${'\t'.repeat(Math.max(0, width - cells.length))}\n`;
}

function tooLarge(limits: TableLimits) {
  const message = `The tables of the file are more than ${limits.fileSize} bytes of text (limits.fileSize).`;
  return refusal('workbook-too-large', message, { limit: limits.fileSize });
}
