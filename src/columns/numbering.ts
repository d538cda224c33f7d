/** A column's number as people write it below a header: `1`, `(2)`, `3.`, `5 = 3 x 4`. */
const NUMBER = /^[([]?(\d{1,3})(?:[.)\]]|\s?=.*)?$/u;
/** Columns may have letters instead, as in a spreadsheet. */
const LETTER = /^[A-Z]$/;
const FIRST_LETTER = 'A'.charCodeAt(0);
/** Fewer cells in order may be an offer. */
const LEAST_NUMBERED = 3;

/**
 * Whether a row numbers the columns and holds nothing else: `1;2;3;4`, `(1);(2);(3)`, `A;B;C`. It counts on from one, or each cell
 * has the number of its column. Such a row belongs to the header above it. Pure.
 */
export function isNumbering(cells: string[]): boolean {
  const filled = cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [{ number: numberOf(cell.trim()), at }]));
  if (filled.length < LEAST_NUMBERED) return false;
  const [first] = filled;
  if (first!.number !== 0 && first!.number !== 1 && first!.number !== first!.at + 1) return false;
  return (
    filled.every(({ number }, index) => number === first!.number! + index) ||
    filled.every(({ number, at }) => number === at + 1)
  );
}

function numberOf(cell: string): number | null {
  if (LETTER.test(cell)) return cell.charCodeAt(0) - FIRST_LETTER + 1;
  const digits = NUMBER.exec(cell)?.[1];
  return digits === undefined ? null : Number(digits);
}
