import type { TableLimits } from './table-file.ts';

/**
 * Cuts a row to what a row may have, in place: empty cells at its end are left out, and a cell or row that is too long keeps one
 * character more than its limit. Holes become empty texts. Null when all cells are blank.
 */
export function fitRow(cells: (string | undefined)[], limits: TableLimits): string[] | null {
  let left = limits.rowLength + 1;
  let filled = 0;
  let blank = true;
  for (let at = 0; at < cells.length; at++) {
    const cell = (cells[at] ?? '').slice(0, Math.min(limits.cellLength + 1, left));
    left -= cell.length;
    cells[at] = cell;
    if (cell === '') continue;
    filled = at + 1;
    blank &&= cell.trim() === '';
  }
  if (blank) return null;
  cells.length = filled;
  return cells as string[];
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
