import { escaped } from '../../io/tidy-text.ts';

/** A quoted cell is looked for in lines up to this length. */
const LONGEST_LINE = 2000;

/** The lines of a row as written; `newline` is what ends the lines of its file. */
export function linesOf(text: string, newline: string): string[] {
  return text.split(newline === '\r' ? /\r\n|\r|\n/ : '\n');
}

/** Splits a line into cells as written; a cell that opens a quote and closes it in the same line may hold delimiters. */
export function cellSplitter(delimiter: string, quote: string): (line: string) => string[] {
  const [end, mark] = [escaped(delimiter), escaped(quote)];
  const quoted = `${mark}(?:[^${mark}]|${mark}{2})*${mark}(?=\\r?$|${end})`;
  const cell = new RegExp(`(?<=^|${end})(?:${quoted}|[^${end}]*)`, 'gu');
  return (line) => {
    const isPlain = line.length > LONGEST_LINE || delimiter.length > 1 || !line.includes(quote);
    return isPlain ? line.split(delimiter) : line.match(cell)!;
  };
}

/** How many cells have a letter or a digit. */
export function countFilled(cells: string[]): number {
  return cells.filter((cell) => /[\p{L}\d]/u.test(cell)).length;
}
