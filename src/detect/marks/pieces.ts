/** A cell of a column that may hold several values, and its line where that is known. */
export type MarkedCell = { line: number | null; text: string };

/** A row of a table, with its line where that is known. */
export type MarkedRow = { line: number | null; cells: string[] };

/** The filled pieces of a cell between marks. */
export function piecesOf(text: string, mark: string): string[] {
  const pieces = mark === '\n' ? text.split(/\r\n?|\n/) : text.split(mark);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}
