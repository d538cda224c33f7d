/**
 * A leading column of the `.errors` file may be the line of the uploaded file. Nothing says so, so it has to prove it on the
 * rows whose place is certain; then it may settle rows that fit several places.
 */
export type LineWitness = {
  /** The column, counted from the first of the file. */
  column: number;
  /** What is added to the number of a row of the dataset, from 1, to get the number in the column. */
  offset: number;
};

/** A rejection whose row is certain: its leading cells, where it stands in the `.errors` file, and the dataset's row, from 1. */
export type CertainRow = { leading: string[]; ordinal: number; row: number };

/** Row 1 is line 2 with a header, line 1 without, line 0 where lines count from nought. */
const OFFSETS = [1, 0, -1];

/** So unlikely must it be that the column agrees by chance. */
const CHANCE = 1e-6;

/**
 * The column that is the line number for all rows whose place is certain, if one is. A column that merely counts the
 * rejections proves nothing, nor do so few rows that chance could do it.
 */
export function findLineWitness(certain: CertainRow[], datasetRows: number): LineWitness | null {
  const distinct = new Set(certain.map(({ row }) => row)).size;
  if (datasetRows < 2 || datasetRows ** -distinct * OFFSETS.length > CHANCE) return null;
  const columns = certain[0]?.leading.length ?? 0;
  for (let column = 0; column < columns; column += 1) {
    const numbers = certain.map(({ leading }) => lineNumber(leading[column]));
    const offset = OFFSETS.find((tried) => certain.every(({ row }, at) => numbers[at] === row + tried));
    if (offset === undefined || countsRejections(certain, numbers)) continue;
    return { column, offset };
  }
  return null;
}

/** The row of the dataset, from 1, that a rejection names; null when its cell is no number. */
export function rowNamed({ column, offset }: LineWitness, leading: string[]): number | null {
  const number = lineNumber(leading[column]);
  return number === null ? null : number - offset;
}

/** Every row, from 1, that a leading column could name. */
export function rowsNamed(leading: string[]): number[] {
  const numbers = leading.map((cell) => lineNumber(cell)).filter((number) => number !== null);
  return numbers.flatMap((number) => OFFSETS.map((offset) => number - offset));
}

function lineNumber(cell: string | undefined): number | null {
  return /^\d{1,15}$/.test((cell ?? '').trim()) ? Number(cell) : null;
}

function countsRejections(certain: CertainRow[], numbers: (number | null)[]): boolean {
  const first = (numbers[0] ?? 0) - (certain[0]?.ordinal ?? 0);
  return certain.every(({ ordinal }, at) => (numbers[at] ?? 0) - ordinal === first);
}
