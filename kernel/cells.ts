import { copyBytes } from './bytes';
import * as settings from './settings';

/** Where the row ends that `cutRow` cut, and how many cells it has. */
export let nextRow: u32 = 0;
export let cellCount: u32 = 0;

const LF: u32 = 10;
const CR: u32 = 13;

/* A cell: where it begins and ends, its first position in the index, and its quotes. */
export const CELL: u32 = 16;
/** A cell in quotes, and one with doubled quotes in it. */
const QUOTED: u32 = 2;
const DOUBLED: u32 = 1;

/** Whether a cell that was cut is in quotes. */
// @inline
export function isQuoted(cell: u32): bool {
  return (load<u32>(cell, 12) & QUOTED) != 0;
}

/** Whether a cell that was cut has doubled quotes. */
// @inline
export function isDoubled(cell: u32): bool {
  return (load<u32>(cell, 12) & DOUBLED) != 0;
}

// @inline
function keepCell(cell: u32, from: u32, to: u32, index: u32, quotes: u32): void {
  store<u64>(cell, (<u64>from) | ((<u64>to) << 32));
  store<u64>(cell, (<u64>index) | ((<u64>quotes) << 32), 8);
}

/** Cuts a row into cells; returns where the index continues, or 0 when the row is for the slow path or does not end in the index. */
export function cutRow(from: u32, index: u32): u32 {
  const delimiter = settings.delimiter;
  const cells = settings.cellAt(0);
  const lastCell = cells + (settings.MAX_CELLS - 1) * CELL;
  let cell = cells;
  let start = from;
  let first = index;
  let next = index;
  while (true) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    next += 4;
    if (byte == delimiter) {
      keepCell(cell, start, at, first, 0);
      if (cell == lastCell) return 0;
      cell += CELL;
      start = at + 1;
      first = next;
    } else if (byte == LF) {
      keepCell(cell, start, at - (load<u8>(at - 1) == CR && at > start ? 1 : 0), first, 0);
      return endRow(at + 1, next, cell - cells);
    } else if (at == 0 || byte == CR) {
      return 0;
    } else if (at == start && byte == settings.quote) {
      next = skipQuoted(next);
      if (next == 0) return 0;
      const end = load<u32>(next);
      const after = load<u32>(next, 4);
      keepCell(cell, start + 1, end, first, QUOTED | quotesDoubled);
      next += 8;
      if (load<u8>(after) == LF) return endRow(after + 1, next, cell - cells);
      if (cell == lastCell) return 0;
      cell += CELL;
      start = after + 1;
      first = next;
    }
  }
}

// @inline
function endRow(end: u32, index: u32, lastCell: u32): u32 {
  nextRow = end;
  cellCount = lastCell / CELL + 1;
  return index;
}

let quotesDoubled: u32 = 0;

/**
 * The index position of the quote that closes a quoted cell, before the delimiter or LF that follows; 0 when the cell goes on
 * past its line, or has anything but doubled quotes in it.
 */
function skipQuoted(index: u32): u32 {
  quotesDoubled = 0;
  if (settings.doubling == 0) return 0;
  let next = index;
  while (true) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    if (byte == LF || byte == CR || at == 0) return 0;
    if (byte == settings.quote) {
      const follower = load<u32>(next, 4);
      const after = <u32>load<u8>(follower);
      if (follower != at + 1) return follower == at + 2 && load<u8>(at + 1) == CR && after == LF ? next : 0;
      if (after == settings.delimiter || after == LF) return next;
      if (after != settings.quote) return 0;
      quotesDoubled = DOUBLED;
      next += 4;
    }
    next += 4;
  }
}

/** Copies a cell, dropping the second of doubled quotes, which are in the index from `index` on. */
export function unescape(from: u32, to: u32, target: u32, index: u32): u32 {
  let out = target;
  let start = from;
  let next = index;
  for (let at = load<u32>(next); at < to; at = load<u32>(next)) {
    next += 4;
    if (load<u8>(at) != settings.quote) continue;
    out = copyBytes(start, at + 1, out);
    start = at + 2;
    next += 4;
  }
  return copyBytes(start, to, out);
}
