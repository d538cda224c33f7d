import type { TablePart } from '../../model.ts';

/** Where a row stands in a supplier's file: the physical line of a text, or the row of a sheet. */
export type Place = { sheet: string | null; line: number };

/** Where a line of the text that was made of a file stands in that file; of a text (no parts) the line itself. Pure. */
export function placeIn(parts: TablePart[], line: number): Place {
  const part = parts.findLast((one) => one.line <= line);
  return part === undefined ? { sheet: null, line } : { sheet: part.sheet, line: line - part.line + 1 };
}

/** The line of the text that was made of a file, for a place in that file. Pure; undoes `placeIn`. */
export function lineOf(parts: TablePart[], { sheet, line }: Place): number {
  const part = parts.find((one) => one.sheet === sheet);
  return part === undefined ? line : part.line + line - 1;
}

/** A place for people: `line 12`, `Prices!12`, with a column's position from 1 `Prices!C12`. */
export function placeWords({ sheet, line }: Place, position: number | null = null): string {
  if (sheet === null) return `line ${line}`;
  return `${sheet}!${position === null ? '' : columnLetters(position)}${line}`;
}

/** What spreadsheets call a column: 1 is A, 27 is AA. */
function columnLetters(position: number): string {
  const rest = Math.floor((position - 1) / 26);
  return `${rest === 0 ? '' : columnLetters(rest)}${String.fromCharCode(65 + ((position - 1) % 26))}`;
}
