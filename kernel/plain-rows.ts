import { beginsStrangely, gatherBeginnings, isStriking, mayBeginStrangely, needsAttention } from './attention';
import { areEqual, copyBytes, writeNumber } from './bytes';
import { takeBrand, takeNumber } from './part-key';
import * as settings from './settings';
import { countTags } from './tags';

/*
 * Rows without quotes that have as many cells as the table has columns, all written as they stand there. They are most of a
 * file, so that they have a way of their own; every other row is cut and checked by rows.ts.
 */

/** Where the index goes on behind the row that was taken. */
export let nextIndex: u32 = 0;

/** So many cells has a plain row; 0: no row is taken as one. */
let plainCells: u32 = 0;
let longestRow: u32 = 0;
/** Where the ends of the row's cells are listed. */
let ends: u32 = 0;

const LF: u32 = 10;
const CR: u8 = 13;
const TAB: u8 = 9;
const SPACE: u8 = 32;

/** Prepares for the rows of a file; `isHopeless`: none of them is plain. */
export function configurePlainRows(isHopeless: bool): void {
  const cells = settings.mostCells;
  plainCells = isHopeless || cells < 2 || cells > settings.MAX_CELLS || settings.neededCells > cells ? 0 : cells;
  longestRow = min(settings.maxRow, settings.maxCell);
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    gatherBeginnings(settings.automatonOf(column), settings.beginningsOf(column));
  }
}

/**
 * Checks the row that begins at `row` and `index` and writes it at `target`; answers where the output goes on, or 0 when the row is
 * not plain after all.
 */
export function takePlainRow(row: u32, index: u32, line: u32, target: u32): u32 {
  const end = endOfPlainRow(row, index);
  if (end == 0) return 0;
  const last = ends + ((plainCells - 1) << 2);
  let out = target;
  if (settings.numbered != 0) {
    out = writeNumber(line, out);
    store<u8>(out, TAB);
    out += 1;
  }
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    const place = settings.placeOf(column);
    let from = load<u32>(settings.columnAt(column));
    let to = load<u32>(settings.columnAt(column), 4);
    if (place != settings.NONE) {
      const at = ends + (place << 2);
      from = place == 0 ? row : load<u32>(at - 4) + 1;
      to = at == last ? end : load<u32>(at);
      store<u64>(settings.columnAt(column), (<u64>from) | ((<u64>to) << 32));
      if (!isPlainCell(column, from, to)) return 0;
    }
    if (from < to) out = copyBytes(from, to, out);
    store<u8>(out, TAB);
    out += 1;
  }
  store<u8>(out - 1, LF);
  return !isHeader() && takePart(row, load<u32>(ends)) ? out : 0;
}

/** Finds where the cells of a row end, and answers where the last one does; 0 when it is not plain. */
// @inline
function endOfPlainRow(row: u32, index: u32): u32 {
  if (plainCells == 0) return 0;
  const delimiter = settings.delimiter;
  const last = index + ((plainCells - 1) << 2);
  let other: u32 = 0;
  for (let at = index; at < last; at += 4) other |= (<u32>load<u8>(load<u32>(at))) ^ delimiter;
  let feed = load<u32>(last);
  other |= (<u32>load<u8>(feed)) ^ LF;
  ends = index;
  nextIndex = last + 4;
  if (other != 0) feed = gatherEnds(row, index);
  if (feed == 0 || feed - row >= longestRow) return 0;
  return feed - (load<u8>(feed - 1) == CR ? 1 : 0);
}

/** Lists the ends of cells without the restless bytes between them; answers where the line ends, or 0. */
function gatherEnds(row: u32, index: u32): u32 {
  const room = settings.cellAt(0);
  const last = room + ((plainCells - 1) << 2);
  let end = room;
  let next = index;
  while (true) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    next += 4;
    if (byte == settings.delimiter) {
      if (end == last) return 0;
      store<u32>(end, at);
      end += 4;
    } else if (byte == LF) {
      store<u32>(end, at);
      ends = room;
      nextIndex = next;
      return end == last ? at : 0;
    } else if (
      at == 0 ||
      byte == CR ||
      byte == settings.quote ||
      isStriking(settings.everyAutomaton, at, row, at + longestRow)
    ) {
      return 0;
    }
  }
}

/** Whether a cell needs neither trimming nor attention; brand and number are looked at later. */
// @inline
function isPlainCell(column: u32, from: u32, to: u32): bool {
  if (from == to) return !settings.isRequired(column);
  const first = <u32>load<u8>(from);
  if (first == SPACE || load<u8>(to - 1) == SPACE) return false;
  if (column == settings.brandAt || column == settings.oemAt) return true;
  if (mayBeginStrangely(settings.beginningsOf(column), first)) {
    if (beginsStrangely(settings.automatonOf(column), from, to)) return false;
  }
  if (!settings.isList(column)) return true;
  const tags = countTags(from, to);
  return tags > 0 && tags <= settings.maxTags;
}

/** Takes brand and number of the row, whose first cell is [row, firstEnd); false when it has to be looked at with care. */
// @inline
function takePart(row: u32, firstEnd: u32): bool {
  const brandAt = settings.brandAt;
  const oemAt = settings.oemAt;
  let from: u32 = 0;
  let to: u32 = 0;
  let automaton: u32 = 0;
  let isFirst = false;
  if (brandAt != settings.NONE) {
    from = load<u32>(settings.columnAt(brandAt));
    to = load<u32>(settings.columnAt(brandAt), 4);
    automaton = settings.automatonOf(brandAt);
    isFirst = settings.placeOf(brandAt) == 0 && from < to;
  }
  if (!takeBrand(automaton, from, to, isFirst)) return false;
  if (
    !isFirst &&
    (row == firstEnd || load<u8>(row) == SPACE || needsAttention(settings.firstAutomaton, row, firstEnd))
  ) {
    return false;
  }
  if (oemAt == settings.NONE) return takeNumber(0, 0);
  from = load<u32>(settings.columnAt(oemAt));
  to = load<u32>(settings.columnAt(oemAt), 4);
  return !needsAttention(settings.automatonOf(oemAt), from, to) && takeNumber(from, to);
}

/** Whether the row, whose columns are known, is the header again. */
export function isHeader(): bool {
  const column = settings.headerAt;
  if (column == settings.NONE) return false;
  const from = load<u32>(settings.columnAt(column));
  const length = load<u32>(settings.columnAt(column), 4) - from;
  return length == settings.headerLength && areEqual(from, settings.headerPtr, length);
}
