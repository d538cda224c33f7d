import type { ScanDialect } from './text-view.ts';

/** What is known about the table that a row belongs to. */
export type TableShape = {
  /** How many cells the header has, or null when there is none. */
  width: number | null;
  /** The file has quotes that open and close nothing, such as inch marks. */
  looseQuotes: boolean;
};

/** This many cells in the right places are no accident in a text that only happens to look like rows. */
const NO_ACCIDENT = 5;
/** A digit before the quote that ends the cell makes it an inch mark. */
const NO_ACCIDENT_BY_INCH_MARK = 4;

/**
 * Whether a row with a quoted cell over several lines is really several rows, of which the first opens a quote by mistake and
 * the last has a quote (an inch mark) that seems to close it. `text` is the row as written, quoted from `open` on; `found` is
 * the number of its cells. If every line would be a row on its own, that is evidence, unless the lines are few or their
 * commas are those of prose; in a file that quotes properly, a few lines are accepted as one cell. Ditto marks, `"` in place
 * of the value above, are two quotes that would be cells by themselves.
 */
export function swallowsRows(
  row: { text: string; open: number; found: number },
  { delimiter, quote, newline }: ScanDialect,
  { width, looseQuotes }: TableShape,
): boolean {
  if (delimiter === null || quote === null) return false;
  const lines = row.text.split(newline === '\r' ? /\r\n|\r|\n/ : '\n').map((line) => line.split(delimiter));
  const swallowed = lines.slice(1);
  if (width !== null && row.found !== width) return swallowed.some((cells) => cells.length === width);
  if (lines.some((cells) => cells.length !== row.found)) return false;
  const before = row.text.slice(0, row.open).split(delimiter);
  if (haveDittoMarks(lines, before.length - 1, quote)) return true;
  if (isProse(swallowed) && !isProse([before])) return false;
  if ([...before, ...swallowed.flat()].some((cell) => cell.startsWith(quote))) return false;
  const isTable = lines.every(isFilled);
  const isInchMark = swallowed.at(-1)!.some((cell) => /\d$/.test(cell.split(quote).slice(0, -1).at(-1) ?? ''));
  const enough = isInchMark ? NO_ACCIDENT_BY_INCH_MARK : NO_ACCIDENT;
  return looseQuotes || (isTable && swallowed.flat().length >= enough);
}

/** Whether most cells have a letter or a digit. */
function isFilled(cells: string[]): boolean {
  return cells.filter((cell) => /[\p{L}\d]/u.test(cell)).length * 2 > cells.length;
}

/** Whether a quote stands by itself in this column of the first line and in another line, and their other cells are filled. */
function haveDittoMarks([first, ...others]: string[][], column: number, quote: string): boolean {
  const isMark = (cell: string | undefined) => cell?.trim() === quote;
  if (!isMark(first![column]) || !others.some((cells) => cells.some(isMark))) return false;
  return [first!, ...others].every((cells) => isFilled(cells.filter((cell) => !isMark(cell))));
}

/** In prose a blank follows every comma. */
function isProse(lines: string[][]): boolean {
  const following = lines.flatMap((cells) => cells.slice(1));
  return following.length > 0 && following.every((cell) => cell.startsWith(' '));
}
