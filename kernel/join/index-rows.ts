import { batchSize, begin, readRow, rowAt, take, touchSlots } from './batch';
import { CellStore, keepCells, NOT_KEPT } from './cell-store';
import { places, rowNext } from './cut-row';
import { fill, hasRoom, loadValue, PartIndex, slotOf } from './part-index';
import { broughtColumns, safe, settings } from './settings';

/** Where the cells of a batch are before they are kept. */
const STAGE_BYTES: u32 = 65536;
const stage: u32 = memory.data(65600, 16);

/** Rows with a part, and those among them whose part was there already. */
export let keyed: u32 = 0;
export let repeated: u32 = 0;

/**
 * Adds the plain rows from `at` on to an index, with the cells that they bring; answers where the first row begins that was not taken. With
 * `showsRepeated` a row whose part is there already is not taken.
 */
export function indexRows(index: PartIndex, cells: CellStore, from: u32, to: u32, showsRepeated: bool): u32 {
  begin();
  keyed = 0;
  repeated = 0;
  let at = from;
  let goesOn = true;
  while (goesOn) {
    const count = stageBatch(at, to);
    touchSlots(index, count);
    const added = addBatch(index, cells, count, showsRepeated);
    at = take(added, count, at);
    goesOn = count != 0 && added == count;
  }
  return at;
}

/** Reads rows and the cells that they bring. */
function stageBatch(from: u32, to: u32): u32 {
  let count: u32 = 0;
  let out = stage;
  for (let at = from; count < batchSize && readRow(count, at, to); count += 1) {
    const row = rowAt(count);
    if (row.isKeyed == 0 || out + (row.end - row.start) + settings.brought > stage + STAGE_BYTES) break;
    row.cells = out;
    out = stageCells(out);
    if (out == 0) break;
    row.cellsEnd = out;
    at = rowNext;
  }
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

/** Adds the rows of a batch in order; answers how many were taken. */
function addBatch(index: PartIndex, cells: CellStore, count: u32, showsRepeated: bool): u32 {
  const header = ((<u64>settings.headerHigh) << 32) | settings.headerLow;
  const hasHeader = settings.hasHeaderHash != 0;
  for (let number: u32 = 0; number < count; number += 1) {
    const row = rowAt(number);
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
