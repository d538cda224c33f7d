import { escaped } from '../../io/tidy-text.ts';
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

/** A quoted cell is looked for in lines up to this length, in each of their cells. */
const LONGEST_LINE = 2000;

/**
 * Whether a row with a quoted cell over several lines is really several rows, of which the first opens a quote by mistake and
 * the last has a quote (an inch mark, a ditto mark) that seems to close it. `text` is the row as written, quoted from `open` on;
 * `found` is the number of its cells. If every line would be a row on its own, that is evidence, unless the lines are few or their
 * commas are those of prose; in a file that quotes properly, a few lines are accepted as one cell.
 */
export function swallowsRows(
  row: { text: string; open: number; found: number },
  dialect: ScanDialect,
  { width, looseQuotes }: TableShape,
): boolean {
  const { delimiter, quote, newline } = dialect;
  if (delimiter === null || quote === null) return false;
  const cellsOf = cellSplitter(delimiter, quote);
  const lines = row.text.split(newline === '\r' ? /\r\n|\r|\n/ : '\n').map(cellsOf);
  const swallowed = lines.slice(1);
  if (width !== null && row.found !== width) return swallowed.some((cells) => cells.length === width);
  const before = cellsOf(row.text.slice(0, row.open));
  if (haveDittoMarks(lines, { column: before.length - 1, quote, width: row.found })) return true;
  if (lines.some((cells) => cells.length !== row.found)) return false;
  if (isProse(swallowed) && !isProse([before])) return false;
  if ([...before, ...swallowed.flat()].some((cell) => cell.startsWith(quote))) return false;
  const isTable = lines.every((cells) => countFilled(cells) * 2 > cells.length);
  const isInchMark = swallowed.at(-1)!.some((cell) => /\d$/.test(cell.split(quote).slice(0, -1).at(-1) ?? ''));
  const enough = isInchMark ? NO_ACCIDENT_BY_INCH_MARK : NO_ACCIDENT;
  return looseQuotes || (isTable && swallowed.flat().length >= enough);
}

/** Splits a line into cells as written; a cell that opens a quote and closes it in the same line may hold delimiters. */
function cellSplitter(delimiter: string, quote: string): (line: string) => string[] {
  const [end, mark] = [escaped(delimiter), escaped(quote)];
  const quoted = `${mark}(?:[^${mark}]|${mark}{2})*${mark}(?=\\s*$|${end})`;
  const cell = new RegExp(`(?<=^|${end})(?:${quoted}|[^${end}]*)`, 'gu');
  return (line) => {
    const isPlain = line.length > LONGEST_LINE || delimiter.length > 1 || !line.includes(quote);
    return isPlain ? line.split(delimiter) : line.match(cell)!;
  };
}

/**
 * Whether the quote that opens in this column of the first line and one in the same column further down are text, since one
 * stands in its cell by itself: a ditto mark, in place of the value above. Both of their lines hold more than that, and if
 * the other one is part of a value, both are rows of this width, which is no accident from three cells on.
 */
function haveDittoMarks(
  [first, ...others]: string[][],
  { column, quote, width }: { column: number; quote: string; width: number },
): boolean {
  const isMark = (cell: string | undefined) => cell?.trimEnd() === quote;
  const isRow = (cells: string[]) => cells.some((cell, at) => at !== column && countFilled([cell]) > 0);
  const last = others.find((cells) => cells[column]?.trimEnd().endsWith(quote));
  if (last === undefined || !isRow(first!) || !isRow(last)) return false;
  const marks = [first!, last].filter((cells) => isMark(cells[column])).length;
  return marks === 2 || (marks === 1 && width > 2 && first!.length === width && last.length === width);
}

/** How many cells have a letter or a digit. */
function countFilled(cells: string[]): number {
  return cells.filter((cell) => /[\p{L}\d]/u.test(cell)).length;
}

/** In prose a blank follows every comma. */
function isProse(lines: string[][]): boolean {
  const following = lines.flatMap((cells) => cells.slice(1));
  return following.length > 0 && following.every((cell) => cell.startsWith(' '));
}
