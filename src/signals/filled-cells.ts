import { open } from 'node:fs/promises';

/** So many pieces of a file are looked at, each so large (bytes): 4 MB in all, whatever its size. */
const PIECES = 64;
const PIECE = 64 * 1024;

const TAB = 0x09;
const LINE_FEED = 0x0a;

/**
 * Counts the rows of a file of accepted rows whose cell in a column (from 0) is filled: all rows of a small file, of a larger one
 * those in pieces that are spread over it. Null when there is no such column. A line number stands before the cells.
 */
export async function filledCells(path: string, column: number): Promise<{ rows: number; filled: number } | null> {
  if (column < 0) return null;
  const place = column + 1;
  await using file = await open(path);
  const { size } = await file.stat();
  const counts = { rows: 0, filled: 0 };
  const bytes = Buffer.allocUnsafe(Math.min(size, size <= PIECES * PIECE ? size : PIECE));
  if (size <= PIECES * PIECE) {
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    countIn(bytes.subarray(0, bytesRead), place, counts);
    return counts;
  }
  for (let at = 0; at < PIECES; at += 1) {
    const from = Math.floor((at * (size - PIECE)) / (PIECES - 1));
    const { bytesRead } = await file.read(bytes, 0, PIECE, from);
    // The first row is whole in the first piece only.
    const begin = at === 0 ? 0 : bytes.subarray(0, bytesRead).indexOf(LINE_FEED) + 1;
    countIn(bytes.subarray(begin, bytesRead), place, counts);
  }
  return counts;
}

/** Counts the whole rows of a piece. */
function countIn(bytes: Uint8Array, place: number, counts: { rows: number; filled: number }): void {
  let [cell, start, isFilled] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== TAB && byte !== LINE_FEED) continue;
    if (cell === place && at > start) isFilled = true;
    start = at + 1;
    cell += 1;
    if (byte === TAB) continue;
    counts.rows += 1;
    if (isFilled) counts.filled += 1;
    [cell, isFilled] = [0, false];
  }
}
