import { MOST_COLUMNS, NEAR_COLUMNS, type TableFile, type TableRow } from './table-file.ts';

/** Where the columns behind the first `NEAR_COLUMNS` are written. */
export type FarPlaces = {
  /** The place of a column, from 0. */
  of: (column: number) => number;
  /** How many empty columns were left out. */
  empty: number;
  /** What was met so far, as long as nobody knows whether columns are empty. */
  met: MetColumns | null;
};

/** Which columns have a filled cell, how many they are, and where the next one would be behind the last of them. */
type MetColumns = { filled: Uint8Array; count: number; end: number };

/** Each column in its own place, as long as no empty ones are before it. */
export function noPlaces(): FarPlaces {
  return { of: (column) => column, empty: 0, met: noColumns() };
}

/** Whether a row has a filled cell behind columns that have been empty so far; what is met is remembered. */
export function hasGaps({ far }: TableRow, { met }: FarPlaces): boolean {
  if (far === undefined || met === null) return false;
  meet(met, far);
  return met.end - NEAR_COLUMNS > met.count;
}

/** Reads all rows that are to be written for which columns are filled: these come one after the other, in their order. */
export async function farPlaces(file: TableFile, tables: number[], most = Infinity): Promise<FarPlaces> {
  const met = noColumns();
  for (const table of tables) {
    let count = 0;
    for await (const rows of file.rows(table)) {
      for (const { far = [] } of rows.slice(0, Math.max(0, most - count))) meet(met, far);
      count += rows.length;
      if (count >= most) break;
    }
  }
  const places = new Uint16Array(MOST_COLUMNS);
  let next = NEAR_COLUMNS;
  for (const column of met.filled.keys()) {
    places[column] = column < NEAR_COLUMNS ? column : next;
    next += met.filled[column]!;
  }
  return { of: (column) => places[column]!, empty: met.end - next, met: null };
}

function noColumns(): MetColumns {
  return { filled: new Uint8Array(MOST_COLUMNS), count: 0, end: NEAR_COLUMNS };
}

function meet(met: MetColumns, far: NonNullable<TableRow['far']>): void {
  for (const { column } of far) {
    if (met.filled[column] === 1) continue;
    met.filled[column] = 1;
    met.count += 1;
    met.end = Math.max(met.end, column + 1);
  }
}
