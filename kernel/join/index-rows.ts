import { broughtColumns, places, safe, settings } from './areas';
import { BATCH, begin, countTaken, readRow, refuseFull, ROW_BYTES, rowOf, taken, touchSlots } from './batch';
import { CellStore, keepCells, NOT_KEPT } from './cell-store';
import { rowNext } from './cut-row';
import { fill, hasRoom, loadValue, PartIndex, slotOf } from './part-index';

/** Rows with a part, and those among them whose part was there already. */
export let keyed: u32 = 0;
export let repeated: u32 = 0;

/**
 * Reads at most so many plain rows from `from` on to `these`, and the cells that they bring to `staged`, for `addStaged`; answers where the
 * first row begins that was not read.
 */
export function stageRows(these: u32, most: u32, staged: u32, stagedEnd: u32, from: u32, to: u32): u32 {
  begin();
  countTaken(readStaged(these, most, staged, stagedEnd, from, to));
  return taken == 0 ? from : rowOf(these, taken - 1).next;
}

/**
 * Adds so many rows that were staged to an index, with the cells that they bring; answers where the first row begins that was not taken, 0 when none
 * was. With `showsRepeated` a row whose part is there already is not taken.
 */
export function addStaged(index: PartIndex, cells: CellStore, these: u32, count: u32, showsRepeated: bool): u32 {
  begin();
  keyed = 0;
  repeated = 0;
  let goesOn = true;
  while (goesOn) {
    const size = min(BATCH, count - taken);
    const added = addBatch(index, cells, these + taken * ROW_BYTES, size, showsRepeated);
    countTaken(added);
    goesOn = added == size && taken < count;
  }
  return taken == 0 ? 0 : rowOf(these, taken - 1).next;
}

/** Reads rows and the cells that they bring; answers how many. */
function readStaged(these: u32, most: u32, staged: u32, stagedEnd: u32, from: u32, to: u32): u32 {
  let count: u32 = 0;
  let out = staged;
  let at = from;
  while (count < most) {
    const row = rowOf(these, count);
    if (!readRow(row, at, to) || row.isKeyed == 0) break;
    if (row.end - row.start + settings.brought > stagedEnd - out) {
      if (count != 0) refuseFull();
      break;
    }
    row.cells = out;
    out = stageCells(out);
    if (out == 0) break;
    row.cellsEnd = out;
    at = rowNext;
    count += 1;
  }
  if (count == most) refuseFull();
  return count;
}

/** Writes the cells that the row brings, each behind a delimiter; 0 when one of them cannot be brought as it is. */
// @inline
function stageCells(target: u32): u32 {
  let out = target;
  let isSafe: u32 = 1;
  for (let number: u32 = 0; number < settings.brought; number += 1) {
    const place = places + (load<u32>(broughtColumns + (number << 2)) << 3);
    const end = load<u32>(place, 4);
    store<u8>(out, <u8>settings.broughtDelimiter);
    out += 1;
    for (let at = load<u32>(place); at < end; at += 1) {
      const byte = load<u8>(at);
      isSafe &= <u32>load<u8>(safe + byte);
      store<u8>(out, byte);
      out += 1;
    }
  }
  return isSafe == 0 ? 0 : out;
}

/** Adds rows in order; answers how many were taken. */
function addBatch(index: PartIndex, cells: CellStore, these: u32, count: u32, showsRepeated: bool): u32 {
  touchSlots(index, these, count);
  const header = ((<u64>settings.headerHigh) << 32) | settings.headerLow;
  const hasHeader = settings.hasHeaderHash != 0;
  for (let number: u32 = 0; number < count; number += 1) {
    const row = rowOf(these, number);
    if (hasHeader && row.hash == header) continue;
    if (!hasRoom(index)) return number;
    const slot = slotOf(index, row.hash);
    if (loadValue(slot) != 0) {
      if (showsRepeated) return number;
      repeated += 1;
    } else {
      const place = keepCells(cells, row.cells, row.cellsEnd - row.cells);
      if (place == NOT_KEPT) return number;
      fill(index, slot, row.hash, place);
    }
    keyed += 1;
  }
  return count;
}
