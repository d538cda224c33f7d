import { haveDittoMarks } from './ditto-marks.ts';
import { cellSplitter, countFilled, linesOf } from './line-cells.ts';
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
  const lines = linesOf(row.text, newline).map(cellsOf);
  const swallowed = lines.slice(1);
  if (haveDittoMarks(row, dialect)) return true;
  if (width !== null && row.found !== width) return swallowed.some((cells) => cells.length === width);
  if (lines.some((cells) => cells.length !== row.found)) return false;
  const before = cellsOf(row.text.slice(0, row.open));
  if (isProse(swallowed) && !isProse([before])) return false;
  if ([...before, ...swallowed.flat()].some((cell) => cell.startsWith(quote))) return false;
  const isTable = lines.every((cells) => countFilled(cells) * 2 > cells.length);
  const isInchMark = swallowed.at(-1)!.some((cell) => /\d$/.test(cell.split(quote).slice(0, -1).at(-1) ?? ''));
  const enough = isInchMark ? NO_ACCIDENT_BY_INCH_MARK : NO_ACCIDENT;
  return looseQuotes || (isTable && swallowed.flat().length >= enough);
}

/** In prose a blank follows every comma. */
function isProse(lines: string[][]): boolean {
  const following = lines.flatMap((cells) => cells.slice(1));
  return following.length > 0 && following.every((cell) => cell.startsWith(' '));
}
