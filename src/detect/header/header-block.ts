import type { ExaminedRow } from './examined-rows.ts';
import { joinedNames } from './joined-names.ts';
import type { HeaderNames } from '../table/header-names.ts';

/** The rows of a header, by their places among the examined ones, and the names that they give to the columns. */
export type Block = { start: number; end: number; names: string[] };

/** A header has few rows: titles of groups, names, units, numbers of the columns. */
const MOST_MORE_ROWS = 2;
const LONGEST_TITLE = 40;
/** A row as full as the data must differ from them more, or have names, such as those in a second language. */
const LEAST_KNOWN_OF_FULL = 2;
const LEAST_UNLIKE_OF_FULL = 2;

/** Adds to a header row what belongs to it: titles of groups above it, the second half of names or units below it. Pure. */
export function headerBlock(rows: ExaminedRow[], at: number, firstData: number, names: HeaderNames): Block {
  const data = rows[firstData];
  let end = at;
  while (end < at + MOST_MORE_ROWS && goesOn(rows, end + 1, firstData)) end += 1;
  // Numbers of the columns belong to the header between its rows; below it they are passed over.
  while (end > at && rows[end]!.isNumbering) end -= 1;
  const start = at > 0 && data !== undefined && isTitle(rows[at - 1]!, rows[at]!, data) ? at - 1 : at;
  const named = rows.slice(start, end + 1).filter(({ isNumbering }) => !isNumbering);
  return {
    start,
    end,
    names: joinedNames(
      named.map(({ cells }) => cells),
      names,
    ),
  };
}

function goesOn(rows: ExaminedRow[], at: number, firstData: number): boolean {
  const row = rows[at];
  return row !== undefined && (row.isNumbering || (at < firstData && continuesHeader(row)));
}

/** Whether a row above the data goes on with the header: numbers of the columns, units, second halves of names, names once more. */
export function continuesHeader({
  isNumbering,
  isFull,
  filled,
  alike,
  unlike,
  odd,
  whole,
  words,
}: ExaminedRow): boolean {
  if (isNumbering) return true;
  if (filled < 2 || odd > 0 || alike >= 1) return false;
  if (!isFull) return unlike > alike;
  return unlike >= LEAST_UNLIKE_OF_FULL || whole + words / 2 >= LEAST_KNOWN_OF_FULL;
}

/** Whether a row names columns of the data that the row below it leaves unnamed, or tells apart what that row names alike. */
function isTitle(upper: ExaminedRow, lower: ExaminedRow, data: ExaminedRow): boolean {
  const isShort = upper.known.length > 0 || upper.cells.every((cell) => cell.length <= LONGEST_TITLE);
  if (upper.filled < 2 || upper.odd * 2 >= upper.filled || upper.alike >= 1 || !isShort) return false;
  const unnamed = upper.cells.some((cell, at) => cell !== '' && !lower.cells[at] && Boolean(data.cells[at]));
  const isRepeated = (name: string) => name !== '' && lower.cells.indexOf(name) !== lower.cells.lastIndexOf(name);
  return unnamed || upper.cells.filter((cell, at) => cell !== '' && isRepeated(lower.cells[at] ?? '')).length > 1;
}
