import { refusal } from '../io/refusal.ts';
import type { RowContent } from './row-cells.ts';
import type { TableInput, TableLimits } from './table-file.ts';

/** Cells of a table, empty ones too: a list of a million rows and 200 columns has fewer. A few bytes can stand for thousands. */
const MOST_CELLS = 300_000_000;

/**
 * A row as it may be: empty cells at its end are left out, and a cell or row that is too long keeps one character more than its
 * limit. Holes become empty texts. Null when all cells are blank.
 */
export function fitRow(cells: (string | undefined)[], limits: TableLimits): string[] | null {
  const row: string[] = [];
  let left = limits.rowLength + 1;
  let filled = 0;
  let blank = true;
  for (const cell of cells) {
    if (cell === undefined || cell === '') {
      row.push('');
      continue;
    }
    const text = cell.slice(0, Math.min(limits.cellLength + 1, left));
    row.push(text);
    if (text === '') continue;
    left -= text.length;
    filled = row.length;
    blank &&= text.trim() === '';
  }
  row.length = filled;
  return blank ? null : row;
}

/** Fits the rows of one table, as `fitRow`. Throws `file-rejected` for more cells than a list has. */
export function rowFitter(
  { name, limits }: TableInput,
  most = MOST_CELLS,
): (cells: (string | undefined)[]) => string[] | null {
  let count = 0;
  return (cells) => {
    const row = fitRow(cells, limits);
    count += row?.length ?? 0;
    if (count <= most) return row;
    const what = `${name} has more than ${most.toLocaleString('en')} cells, most of them empty.`;
    throw refusal('workbook-too-large', `${what} Delete the empty columns and send it again.`);
  };
}

/** A row of a sheet as it may be, as `fitRow`: cells that are too long keep one character more than their limit. */
export function fitCells({ cells, far = [] }: RowContent, limits: TableLimits): RowContent {
  let left = limits.rowLength + 1;
  const fit = (text: string) => {
    const fitted = text.slice(0, Math.min(limits.cellLength + 1, left));
    left -= fitted.length;
    return fitted;
  };
  const near = cells.map(fit);
  const fitted = far.map(({ column, text }) => ({ column, text: fit(text) })).filter(({ text }) => text !== '');
  const width = near.findLastIndex((text) => text !== '') + 1;
  return fitted.length === 0 ? { cells: near.slice(0, width) } : { cells: near.slice(0, width), far: fitted };
}

/** Appends to a text that is never longer than one character over the limit. */
export function appendWithin(text: string, more: string, limit: number): string {
  if (text.length > limit) return text;
  return text.length + more.length <= limit ? text + more : text + more.slice(0, limit + 1 - text.length);
}

/** The same text in memory of its own: a part of a large text keeps all of it from being freed. */
export function detached(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
