import type { RowContent } from './row-cells.ts';
import type { TableLimits } from './table-file.ts';

/**
 * A row as it may be: a cell or row that is too long keeps one character more than its limit. It ends with its last filled cell.
 */
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
