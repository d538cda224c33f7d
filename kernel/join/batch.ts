import { areEqual } from '../bytes';
import { rows, settings } from './areas';
import { cutRow, rowEnd, rowNext } from './cut-row';
import { HASHED, hashRow, rowHash, SLOW } from './hash-row';
import { homeOf, PartIndex } from './part-index';

/** At most so many rows are looked up together, so that their cache misses overlap. */
export const BATCH: u32 = 64;
/** Fewer are, where many rows are left to the slow path: those behind such a row are read once more. */
const FEWEST: u32 = 4;

/** How many rows are looked up together for now. */
export let batchSize: u32 = BATCH;

/** A row of a batch. */
@unmanaged
export class Row {
  hash: u64;
  start: u32;
  end: u32;
  next: u32;
  /** Whether it has a part. */
  isKeyed: u32;
  /** Where the cells that it brings begin and end. */
  cells: u32;
  cellsEnd: u32;
}

export const ROW_BYTES: u32 = offsetof<Row>();

/** What prefetched memory held. Nothing reads it, but without the export the compiler would drop the loads. */
export let touched: u32 = 0;
/** How many rows were taken, and whether only room was missing for the next one. */
export let taken: u32 = 0;
export let isFull: bool = false;

/** Begins to count the rows that are taken. */
export function begin(): void {
  taken = 0;
  isFull = false;
}

/** Remembers that there is no room for a row, and answers false. */
export function refuseFull(): bool {
  isFull = true;
  return false;
}

/** Counts rows as taken. */
export function countTaken(these: u32): void {
  taken += these;
}

/** Counts the first `done` rows of a batch as taken, and answers where the row after them begins. */
export function take(done: u32, count: u32, at: u32): u32 {
  taken += done;
  batchSize = done < count ? max(FEWEST, batchSize >> 1) : min(BATCH, batchSize << 1);
  return done == 0 ? at : rowAt(done - 1).next;
}

/** A row of the batch by its number. */
// @inline
export function rowAt(number: u32): Row {
  return rowOf(rows, number);
}

/** A row by its number among those at an address. */
// @inline
export function rowOf(these: u32, number: u32): Row {
  return changetype<Row>(these + number * ROW_BYTES);
}

/** Reads the row at `at`; false when it is left to the slow path. */
// @inline
export function readRow(row: Row, at: u32, to: u32): bool {
  const count = cutRow(at, to);
  if (count < settings.leastCells || count > settings.mostCells || rowEnd == at) return false;
  const length = settings.headerEnd - settings.header;
  if (length != 0 && rowEnd - at == length && areEqual(at, settings.header, length)) return false;
  const found = hashRow();
  if (found == SLOW) return false;
  row.hash = rowHash;
  row.isKeyed = found == HASHED ? 1 : 0;
  row.start = at;
  row.end = rowEnd;
  row.next = rowNext;
  return true;
}

/** Reads the rows from `at` on; answers how many there are in the batch. */
export function readBatch(at: u32, to: u32): u32 {
  let count: u32 = 0;
  for (let row = at; count < batchSize && readRow(rowAt(count), row, to); count += 1) row = rowNext;
  return count;
}

/** Prefetches the slots of rows, which lie far apart in memory. */
export function touchSlots(index: PartIndex, these: u32, count: u32): void {
  let sum: u32 = 0;
  for (let number: u32 = 0; number < count; number += 1) sum += load<u32>(homeOf(index, rowOf(these, number).hash));
  touched = sum;
}

/**
 * Prefetches what is at so many addresses, which are words: 16 bytes of each. A loop of its own, because a processor looks only so many instructions
 * ahead, and each row that it sees there is one more that is on its way.
 */
export function touchAll(addresses: u32, count: u32): void {
  let sum: u32 = 0;
  const end = addresses + (count << 2);
  for (let at = addresses; at < end; at += 4) {
    const address = load<u32>(at);
    sum += <u32>load<u8>(address) + load<u8>(address, 15);
  }
  touched = sum;
}
