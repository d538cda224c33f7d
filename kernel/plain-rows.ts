import { matchesPrefix, gatherPrefixBytes, matchesIndexed, mayMatchPrefix, needsSlowPath } from './patterns';
import { areEqual, copyBytes, writeNumber } from './bytes';
import { cellCount, isDoubled, nextRow, unescape } from './cells';
import { parseBrand, parseNumber } from './part-key';
import { isFilled, mayBeLone } from './refusals';
import * as settings from './settings';
import { countTags } from './tags';

/*
 * Plain rows: they have as many cells as the table has columns, and apart from quotes every cell is copied as it is. Most rows
 * of a file are plain, so they have the shortest path; every other row is checked by rows.ts.
 */

/** How many cells a plain row has; 0 when no row counts as plain. */
export let plainCells: u32 = 0;
let longestRow: u32 = 0;

const LF: u32 = 10;
const CR: u8 = 13;
const TAB: u8 = 9;
const SPACE: u8 = 32;

/** Prepares for the rows of a file; with `fastPathDisabled` no row counts as plain. */
export function configurePlainRows(fastPathDisabled: bool): void {
  const cells = settings.mostCells;
  plainCells = fastPathDisabled || cells < 2 || cells > settings.MAX_CELLS || settings.neededCells > cells ? 0 : cells;
  longestRow = min(settings.maxRow, settings.maxCell);
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    gatherPrefixBytes(settings.automatonOf(column), settings.prefixBytesOf(column));
  }
}

/**
 * Checks the row that begins at `row` and `index`, and writes it at `target` if the index holds only the ends of its cells;
 * returns where the output continues, or 0 when the row is not plain.
 */
export function parsePlainRow(row: u32, index: u32, line: u32, target: u32): u32 {
  if (plainCells == 0) return 0;
  const delimiter = settings.delimiter;
  const last = index + ((plainCells - 1) << 2);
  let other: u32 = 0;
  for (let at = index; at < last; at += 4) other |= (<u32>load<u8>(load<u32>(at))) ^ delimiter;
  const feed = load<u32>(last);
  other |= (<u32>load<u8>(feed)) ^ LF;
  if (other != 0 || feed - row >= longestRow) return 0;
  end = feed - (load<u8>(feed - 1) == CR ? 1 : 0);
  return parseCells(row, index, line, target, false);
}

/** The same for a row that was cut into cells, which may be quoted and have trigger bytes. */
export function parseCutRow(row: u32, line: u32, target: u32): u32 {
  if (cellCount != plainCells || nextRow - row > longestRow) return 0;
  return parseCells(row, 0, line, target, true);
}

/** Where the last cell of an uncut row ends. */
let end: u32 = 0;

// @inline
function parseCells(row: u32, index: u32, line: u32, target: u32, isCut: bool): u32 {
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
    let doubled: u32 = 0;
    if (place != settings.NONE) {
      const cell = settings.cellAt(place);
      const at = index + (place << 2);
      from = isCut ? load<u32>(cell) : place == 0 ? row : load<u32>(at - 4) + 1;
      to = isCut ? load<u32>(cell, 4) : place + 1 == plainCells ? end : load<u32>(at);
      store<u64>(settings.columnAt(column), (<u64>from) | ((<u64>to) << 32));
      if (!isPlainCell(column, from, to)) return 0;
      if (isCut) {
        const isPart = column == settings.brandAt || column == settings.oemAt;
        if (!isPart && matchesIndexed(settings.automatonOf(column), from, to, load<u32>(cell, 8))) return 0;
        if (isDoubled(cell)) {
          if (!mayBeDoubled(column)) return 0;
          doubled = load<u32>(cell, 8) + 4;
        }
      }
    }
    if (isCut && doubled != 0) out = unescape(from, to, out, doubled);
    else if (from < to) out = copyBytes(from, to, out);
    store<u8>(out, TAB);
    out += 1;
  }
  store<u8>(out - 1, LF);
  if (isHeader()) return 0;
  const first = isCut ? load<u32>(settings.cellAt(0)) : row;
  const firstEnd = isCut ? load<u32>(settings.cellAt(0), 4) : load<u32>(index);
  if (!parsePart(first, firstEnd)) return 0;
  if (settings.brandPlace() != settings.NONE) return isBrandRepeated() ? 0 : out;
  return (isCut ? mayBeLone() : mayBeLoneUncut(row, index)) ? 0 : out;
}

/** Whether the number repeats the brand: then the whole row may repeat one text, and be no offer. */
export function isBrandRepeated(): bool {
  if (settings.oemAt == settings.NONE) return false;
  const brand = settings.columnAt(settings.brandAt);
  const oem = settings.columnAt(settings.oemAt);
  const from = load<u32>(brand);
  const length = load<u32>(brand, 4) - from;
  return load<u32>(oem, 4) - load<u32>(oem) == length && areEqual(from, load<u32>(oem), length);
}

/** Whether only one cell of an uncut row may be filled. */
function mayBeLoneUncut(row: u32, index: u32): bool {
  let filled: u32 = 0;
  let from = row;
  for (let cell: u32 = 0; cell < plainCells && filled < 2; cell += 1) {
    const to = cell + 1 == plainCells ? end : load<u32>(index + (cell << 2));
    if (isFilled(from, to)) filled += 1;
    from = to + 1;
  }
  return filled < 2;
}

/** Whether a cell may have doubled quotes here: it is copied only, and no slow-path pattern involves quotes. */
// @inline
function mayBeDoubled(column: u32): bool {
  const isPart = column == settings.brandAt || column == settings.oemAt;
  return !isPart && column != settings.headerAt && !settings.isList(column);
}

/** Whether a cell needs neither trimming nor the slow path; brand and number are checked later. */
// @inline
function isPlainCell(column: u32, from: u32, to: u32): bool {
  if (from == to) return !settings.isRequired(column);
  const first = <u32>load<u8>(from);
  if (first == SPACE || load<u8>(to - 1) == SPACE) return false;
  if (column == settings.brandAt || column == settings.oemAt) return true;
  if (mayMatchPrefix(settings.prefixBytesOf(column), first)) {
    if (matchesPrefix(settings.automatonOf(column), from, to)) return false;
  }
  if (!settings.isList(column)) return true;
  const tags = countTags(from, to);
  return tags > 0 && tags <= settings.maxTags;
}

/** Hashes brand and number of the row, whose first cell is [first, firstEnd); false when the row is for the slow path. */
// @inline
function parsePart(first: u32, firstEnd: u32): bool {
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
  if (!parseBrand(automaton, from, to, isFirst)) return false;
  if (
    !isFirst &&
    (first == firstEnd || load<u8>(first) == SPACE || needsSlowPath(settings.firstAutomaton, first, firstEnd))
  ) {
    return false;
  }
  if (oemAt == settings.NONE) return parseNumber(0, 0);
  from = load<u32>(settings.columnAt(oemAt));
  to = load<u32>(settings.columnAt(oemAt), 4);
  return !needsSlowPath(settings.automatonOf(oemAt), from, to) && parseNumber(from, to);
}

/** Whether the row, whose columns are known, repeats the header. */
export function isHeader(): bool {
  const column = settings.headerAt;
  if (column == settings.NONE) return false;
  const from = load<u32>(settings.columnAt(column));
  const length = load<u32>(settings.columnAt(column), 4) - from;
  return length == settings.headerLength && areEqual(from, settings.headerPtr, length);
}
