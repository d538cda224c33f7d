import type { TablePart } from '../../model.ts';

/**
 * Where a row stands in a supplier's file: the physical line of a text, or the row of a sheet. `file`: in which one of several that are
 * read as one list.
 */
export type Place = { file?: string | undefined; sheet: string | null; line: number };

/** Where a line of the text that was made of a file stands in that file; of a text (no parts) the line itself. Pure. */
export function placeIn(parts: TablePart[], line: number): Place {
  const part = parts.findLast((one) => one.line <= line);
  if (part === undefined) return { sheet: null, line };
  const place = { sheet: part.sheet, line: line - part.line + 1 };
  return part.file === undefined ? place : { file: part.file, ...place };
}

/** The line of the text that was made of a file, for a place in that file. Pure; undoes `placeIn`. */
export function lineOf(parts: TablePart[], { file, sheet, line }: Place): number {
  const part = parts.find((one) => one.sheet === sheet && one.file === file);
  return part === undefined ? line : part.line + line - 1;
}

/** A place for people: `line 12`, `Prices!12`, with a column's position from 1 `Prices!C12`; of several files `ate.csv, line 12`. */
export function placeWords({ file, sheet, line }: Place, position: number | null = null): string {
  if (sheet === null) return inFile(file, `line ${line}`);
  return inFile(file, `${sheet}!${position === null ? '' : columnLetters(position)}${line}`);
}

/** A place of which the file is named anyway: its name is among the words only where the delivery has several. */
export function rowPlaceWords({
  file,
  ofFiles,
  sheet,
  line,
}: {
  file: string | null;
  ofFiles?: boolean | undefined;
  sheet: string | null;
  line: number;
}): string {
  return placeWords({ file: ofFiles === true ? (file ?? undefined) : undefined, sheet, line });
}

/** A place in words, behind the name of the file in which it is, where that is one of several. */
export function inFile(file: string | undefined, place: string): string {
  return file === undefined ? place : `${file}, ${place}`;
}

/** What spreadsheets call a column: 1 is A, 27 is AA. */
function columnLetters(position: number): string {
  const rest = Math.floor((position - 1) / 26);
  return `${rest === 0 ? '' : columnLetters(rest)}${String.fromCharCode(65 + ((position - 1) % 26))}`;
}
