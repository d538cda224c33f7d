/** Where a cell is: its column from 0 and its row from 1. */
export type Reference = { column: number; row: number };

/** Reads a reference such as `AB12` in a text into `into`; false when it is none. */
export function readReference(text: string, from: number, end: number, into: Reference): boolean {
  let [column, row] = [0, 0];
  let at = from;
  for (; at < end; at++) {
    // Bit 32 set: letters in either case.
    const letter = (text.charCodeAt(at) | 32) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  const digits = at;
  for (; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return false;
    row = row * 10 + digit;
  }
  into.column = column - 1;
  into.row = row;
  // Four letters or eight digits name no cell of a sheet.
  return digits > from && digits - from < 5 && end > digits && end - digits < 9;
}

/** Reads a number without a sign in a text; -1 when it is none. */
export function readNumber(text: string, from: number, end: number): number {
  if (end === from || end - from > 9) return -1;
  let number = 0;
  for (let at = from; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}
