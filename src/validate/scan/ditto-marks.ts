import { cellSplitter, countFilled, linesOf } from './line-cells.ts';
import type { ScanDialect } from './text-view.ts';

/**
 * Whether the quote that opens in the first line of a row and the one that closes it further down are text, since one stands in
 * its cell by itself: a ditto mark, in place of the value above. Both stand in the same column, or their lines are as wide as
 * the row however their other quotes are read. Both lines hold more than that, and no program quoted all their cells. If the
 * other quote is part of a value, the first line is as wide as the last, from three cells on. `text` is the row as written,
 * quoted from `open` on; `found` is the number of its cells.
 */
export function haveDittoMarks(
  { text, open, found }: { text: string; open: number; found: number },
  dialect: ScanDialect,
): boolean {
  const { delimiter, quote, newline } = dialect;
  if (delimiter === null || quote === null) return false;
  const cellsOf = cellSplitter(delimiter, quote);
  const beforeOpening = cellsOf(text.slice(0, open));
  const toClosing = linesOf(text.slice(0, closingQuote(text, open, dialect)), newline);
  const beforeClosing = cellsOf(toClosing.at(-1)!);
  const lines = linesOf(text, newline);
  const written = [lines[0]!, lines[toClosing.length - 1]!];
  const [first, last] = written.map(cellsOf) as [string[], string[]];
  const columns = [beforeOpening.length - 1, beforeClosing.length - 1] as const;
  if (!isRow(first, columns[0], quote) || !isRow(last, columns[1], quote)) return false;
  const opensAlone = endsCell(text, open + 1, delimiter);
  const closesAlone = beforeClosing.at(-1) === '';
  const isSameColumn = columns[0] === columns[1];
  if (opensAlone && closesAlone) return isSameColumn || written.every((line) => line.split(delimiter).length === found);
  return (opensAlone || closesAlone) && isSameColumn && first.length > 2 && first.length === last.length;
}

/** Whether a cell ends here or behind blanks. */
function endsCell(text: string, from: number, delimiter: string): boolean {
  let at = from;
  while (text[at] === ' ') at += 1;
  return text[at] === '\n' || text[at] === '\r' || text.startsWith(delimiter, at);
}

/** Where the quoted cell ends that begins at `open`. */
function closingQuote(text: string, open: number, { quote, escape }: ScanDialect): number {
  const isDoubled = escape === null || escape === quote;
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === quote && !(isDoubled && text[at + 1] === quote)) return at;
    if (text[at] === escape || text[at] === quote) at += 1;
  }
  return text.length;
}

/** Whether a line has content beside this column and is not of a program that quotes all cells. */
function isRow(cells: string[], column: number, quote: string): boolean {
  const others = cells.filter((_, at) => at !== column);
  return countFilled(others) > 0 && !cells.some((cell) => isQuotedAnyway(cell.trimEnd(), quote));
}

/** Whether a cell is in quotes that it does not need. */
function isQuotedAnyway(cell: string, quote: string): boolean {
  return cell.startsWith(quote) && cell.endsWith(quote) && /^[\p{L}\d .-]+$/u.test(cell.slice(1, -1));
}
