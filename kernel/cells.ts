import { copyBytes } from './bytes';
import * as settings from './settings';

/** Where the row ends that `cutRow` cut, how many cells it has, and how many line breaks are inside its quotes. */
export let nextRow: u32 = 0;
export let cellCount: u32 = 0;
export let innerBreaks: u32 = 0;

/** Where the row begins that was cut, and how many of its cells were unwrapped since. */
export let rowStart: u32 = 0;
export let unwrapped: u32 = 0;

const TAB: u32 = 9;
const LF: u32 = 10;
const CR: u32 = 13;
const SPACE: u8 = 32;

/* A cell: where it begins and ends, its first position in the index, and what is special about it. */
export const CELL: u32 = 16;
/** A cell in quotes; one with doubled quotes in it; one with tabs or line breaks in it, which become spaces. */
const QUOTED: u32 = 1;
const DOUBLED: u32 = 2;
const BROKEN: u32 = 4;
/** A cell whose text was copied, so that the index says nothing of it. */
const COPIED: u32 = 8;

/** Whether a cell that was cut is in quotes. */
// @inline
export function isQuoted(cell: u32): bool {
  return (load<u32>(cell, 12) & QUOTED) != 0;
}

/** Whether a cell that was cut has doubled quotes, tabs or line breaks, so that its text is not what is written. */
// @inline
export function isCoded(cell: u32): bool {
  return (load<u32>(cell, 12) & (DOUBLED | BROKEN)) != 0;
}

/** Whether a cell that was cut has tabs or line breaks. */
// @inline
export function isBroken(cell: u32): bool {
  return (load<u32>(cell, 12) & BROKEN) != 0;
}

/** Whether a cell that was cut has doubled quotes. */
// @inline
export function isDoubled(cell: u32): bool {
  return (load<u32>(cell, 12) & DOUBLED) != 0;
}

/** Whether a cell that was cut has its text as it is written, without quotes. */
// @inline
export function isPlain(cell: u32): bool {
  return load<u32>(cell, 12) == 0;
}

/** Whether a cell that was cut has its text as it is written, in quotes or without them. */
// @inline
export function isText(cell: u32): bool {
  return (load<u32>(cell, 12) & (DOUBLED | BROKEN | COPIED)) == 0;
}

// @inline
export function isCopied(cell: u32): bool {
  return (load<u32>(cell, 12) & COPIED) != 0;
}

/* An unwrapped cell: its column and the kinds that were taken off, a bit for each; the cell or 0; begin, end and kind as they were written. */

/** Gives a cell of a column the text [from, to), of which `kinds` were taken off; the cell is 0 where another column has it too. */
export function unwrapTo(column: u32, kinds: u32, cell: u32, from: u32, to: u32, copied: bool): void {
  const entry = settings.unwrappedAt(unwrapped);
  unwrapped += 1;
  store<u32>(entry, column);
  store<u32>(entry, kinds, 4);
  store<u32>(entry, cell, 8);
  if (cell == 0) return;
  store<u64>(entry, load<u64>(cell), 16);
  store<u32>(entry, load<u32>(cell, 12), 24);
  store<u64>(cell, (<u64>from) | ((<u64>to) << 32));
  store<u32>(cell, (load<u32>(cell, 12) & QUOTED) | (copied ? COPIED : 0), 12);
}

/** Exchanges the cells that were unwrapped with what was written. */
export function swapWritten(): void {
  for (let number: u32 = 0; number < unwrapped; number += 1) {
    const entry = settings.unwrappedAt(number);
    const cell = load<u32>(entry, 8);
    if (cell == 0) continue;
    const text = load<u64>(cell);
    const kind = load<u32>(cell, 12);
    store<u64>(cell, load<u64>(entry, 16));
    store<u32>(cell, load<u32>(entry, 24), 12);
    store<u64>(entry, text, 16);
    store<u32>(entry, kind, 24);
  }
}

// @inline
function keepCell(cell: u32, from: u32, to: u32, index: u32, kind: u32): void {
  store<u64>(cell, (<u64>from) | ((<u64>to) << 32));
  store<u64>(cell, (<u64>index) | ((<u64>kind) << 32), 8);
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
  let kind: u32 = 0;
  innerBreaks = 0;
  rowStart = from;
  unwrapped = 0;
  while (true) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    next += 4;
    if (byte == delimiter) {
      keepCell(cell, start, at, first, kind);
      if (cell == lastCell) return 0;
      cell += CELL;
      start = at + 1;
      first = next;
      kind = 0;
    } else if (byte == LF) {
      keepCell(cell, start, at - (load<u8>(at - 1) == CR && at > start ? 1 : 0), first, kind);
      return endRow(at + 1, index, next, cell - cells);
    } else if (at == 0 || byte == CR) {
      return 0;
    } else if (at == start && byte == settings.quote) {
      next = skipQuoted(next);
      if (next == 0) return 0;
      const end = load<u32>(next);
      const after = load<u32>(next, 4);
      keepCell(cell, start + 1, end, first, QUOTED | quotedKind);
      next += 8;
      if (load<u8>(after) == LF) return endRow(after + 1, index, next, cell - cells);
      if (cell == lastCell) return 0;
      cell += CELL;
      start = after + 1;
      first = next;
    } else if (byte == TAB) {
      kind = BROKEN;
    }
  }
}

// @inline
function endRow(end: u32, index: u32, indexEnd: u32, lastCell: u32): u32 {
  nextRow = end;
  cellCount = lastCell / CELL + 1;
  return innerBreaks != 0 && maySwallowRows(index, indexEnd) ? 0 : indexEnd;
}

/**
 * Whether a row of several lines may be several rows, of which the first opens a quote by mistake (src/validate/scan/swallowed-rows.ts):
 * it is not as wide as the header, a quote in it may be a ditto mark, or each of its lines is as wide as the row.
 */
function maySwallowRows(index: u32, indexEnd: u32): bool {
  if (settings.width != 0 && cellCount != settings.width) return true;
  let cells: u32 = 1;
  let isTable = true;
  for (let next = index; next < indexEnd; next += 4) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    if (byte == settings.delimiter) {
      cells += 1;
    } else if (byte == LF) {
      if (cells != cellCount) isTable = false;
      cells = 1;
    } else if (byte == settings.quote && mayBeDittoMark(at, index, indexEnd)) {
      return true;
    }
  }
  return isTable;
}

/**
 * Whether a quote in a row may be a ditto mark: it is a cell by itself, perhaps with blanks behind it. One at the beginning of a line
 * counts where the row begins with a quote, and one at the end of a line where the row ends with one, since both quotes would
 * stand in the same column.
 */
function mayBeDittoMark(at: u32, index: u32, indexEnd: u32): bool {
  const before = <u32>load<u8>(at - 1);
  const behind = <u32>load<u8>(at, 1);
  const begin = load<u32>(index);
  const end = load<u32>(indexEnd - 4);
  if (at != begin && before != settings.delimiter && !(endsLine(before) && load<u8>(begin) == settings.quote))
    return false;
  if (behind == settings.delimiter || behind == <u32>SPACE) return true;
  return endsLine(behind) && (load<u8>(end - 1) == settings.quote || load<u8>(end - 2) == settings.quote);
}

// @inline
function endsLine(byte: u32): bool {
  return byte == LF || byte == CR;
}

let quotedKind: u32 = 0;

/**
 * The index position of the quote that closes a quoted cell, before the delimiter or LF that follows; 0 when the cell has
 * anything but doubled quotes, tabs and line breaks in it, or does not end in the index.
 */
function skipQuoted(index: u32): u32 {
  quotedKind = 0;
  if (settings.doubling == 0) return 0;
  let next = index;
  while (true) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    if (byte == CR || at == 0) return 0;
    if (byte == settings.quote) {
      const follower = load<u32>(next, 4);
      const after = <u32>load<u8>(follower);
      if (follower != at + 1) return follower == at + 2 && load<u8>(at + 1) == CR && after == LF ? next : 0;
      if (after == settings.delimiter || after == LF) return next;
      if (after != settings.quote) return 0;
      quotedKind |= DOUBLED;
      next += 4;
    } else if (byte == LF) {
      quotedKind |= BROKEN;
      innerBreaks += 1;
    } else if (byte == TAB) {
      quotedKind |= BROKEN;
    }
    next += 4;
  }
}

/**
 * Writes the text of a coded cell and returns its end: the second of doubled quotes is dropped, and tabs and line breaks that
 * follow one another become a space.
 */
export function decodeCell(cell: u32, target: u32): u32 {
  const to = load<u32>(cell, 4);
  const doubled = isDoubled(cell);
  let out = target;
  let start = load<u32>(cell);
  let next = load<u32>(cell, 8) + (isQuoted(cell) ? 4 : 0);
  let space: u32 = 0;
  for (let at = load<u32>(next); at < to; at = load<u32>(next)) {
    next += 4;
    const byte = <u32>load<u8>(at);
    if (doubled && byte == settings.quote) {
      out = copyBytes(start, at + 1, out);
      start = at + 2;
      next += 4;
    } else if (byte == LF || byte == TAB) {
      const end = byte == LF && at > start && load<u8>(at - 1) == CR ? at - 1 : at;
      if (end > start) out = copyBytes(start, end, out);
      if (end > start || out != space) {
        store<u8>(out, SPACE);
        out += 1;
        space = out;
      }
      start = at + 1;
    }
  }
  return start < to ? copyBytes(start, to, out) : out;
}
