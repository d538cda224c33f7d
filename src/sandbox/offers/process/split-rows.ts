import { CsvError } from 'csv-parse';

/** A UTF-16 unit takes at most so many bytes in UTF-8. */
const MOST_BYTES = 3;

/**
 * Splits a text without quotes into rows of cells, a piece's worth at a time: lines end with CR LF, LF or CR, the last one may lack its end.
 * As csv-parse does, but many times as fast; it fails with the same error at a row of more than `rowLength` bytes, once the rows before it
 * were given.
 */
export async function* splitRows(
  text: AsyncIterable<string>,
  delimiter: string,
  rowLength: number,
): AsyncGenerator<string[][]> {
  let rest = '';
  let before = 0;
  for await (const piece of text) {
    const whole = rest + piece;
    // The line feed of a CR LF may follow in the next piece.
    const end = whole.endsWith('\r') ? whole.length - 1 : whole.length;
    const lines = linesOf(whole.slice(0, end));
    rest = lines.at(-1)! + whole.slice(end);
    const long = lines.findIndex((line) => isTooLong(line, delimiter, rowLength));
    const good = lines.slice(0, long < 0 ? -1 : long);
    if (good.length > 0) yield good.map((line) => line.split(delimiter));
    before += good.length;
    if (long >= 0) throw tooLong(before + 1, rowLength);
  }
  const lines = linesOf(rest);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > 0) yield lines.map((line) => line.split(delimiter));
}

function linesOf(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

/** Counts as csv-parse does: the characters of the cells before, the bytes of the cell that is too much, and the last of them is let pass. */
function isTooLong(line: string, delimiter: string, rowLength: number): boolean {
  if (line.length * MOST_BYTES <= rowLength) return false;
  let before = 0;
  return line.split(delimiter).some((cell) => {
    const length = before + Buffer.byteLength(cell) - 1;
    before += cell.length;
    return length > rowLength;
  });
}

function tooLong(line: number, rowLength: number): CsvError {
  return new CsvError('CSV_MAX_RECORD_SIZE', [
    'Max Record Size:',
    'record exceed the maximum number of tolerated bytes',
    `of ${rowLength}`,
    `at line ${line}`,
  ]);
}
