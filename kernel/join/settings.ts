/** Stands for a mark that a file does not have: no byte is equal to it. */
const NO_BYTE: u32 = 256;
/** Stands for a column that is not there. */
export const NO_COLUMN: u32 = 0xffffffff;
/** Rows with more cells are not plain. */
export const MOST_CELLS: u32 = 1024;

/** How the rows of a file are cut and compared. JavaScript writes its fields as words in this order. */
@unmanaged
export class Settings {
  delimiter: u32;
  quote: u32;
  escape: u32;
  /** How many cells a plain row has. */
  leastCells: u32;
  mostCells: u32;
  /** The columns that are compared. */
  oem: u32;
  brand: u32;
  /** A row with these bytes is a header once more. */
  header: u32;
  headerEnd: u32;
  /** A row whose part has this hash is a header once more, if there is one. */
  hasHeaderHash: u32;
  headerHigh: u32;
  headerLow: u32;
  /** What kernel/transcode.ts needs for the charset of the file; 0 for UTF-8. */
  charset: u32;
  /** How many columns a row brings, and the byte before each. */
  brought: u32;
  broughtDelimiter: u32;
}

/** A byte to look for: one that ends a row where there is no such mark. */
// @inline
export function findable(mark: u32): v128 {
  return i8x16.splat(mark == NO_BYTE ? 10 : <u8>mark);
}
