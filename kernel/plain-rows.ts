import { mayBePadded } from './blanks';
import { areEqual } from './bytes';
import { cellCount, cutRow, nextRow } from './cells';
import { endOf, FINE, readColumn, startOf } from './columns';
import { addLookalikes } from './findings';
import { UNCHANGED } from './lookalikes';
import { brandChange, mayBeSentence, numberChange, parseBrand, parseNumber } from './part-key';
import { gatherPrefixBytes, needsSlowPath } from './patterns';
import { isFilled, mayBeLone } from './refusals';
import * as settings from './settings';

/*
 * Plain rows: they have as many cells as the table has columns, and nothing is wrong with them. Most rows of a file are plain, so
 * they have the shortest path; every other row is checked by rows.ts.
 */

/** How many cells a plain row has; 0 when no row counts as plain. */
export let plainCells: u32 = 0;
let longestRow: u32 = 0;

const LF: u32 = 10;
const CR: u8 = 13;

/** Prepares for the rows of a file; with `fastPathDisabled` no row counts as plain. */
export function configurePlainRows(fastPathDisabled: bool): void {
  const cells = settings.mostCells;
  plainCells = fastPathDisabled || cells < 2 || cells > settings.MAX_CELLS || settings.neededCells > cells ? 0 : cells;
  longestRow = min(settings.maxRow, settings.maxCell);
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    gatherPrefixBytes(settings.automatonOf(column), settings.prefixBytesOf(column));
  }
}

/** Checks the row that begins at `row` and `index`, and reads its columns if the index holds only the ends of its cells; false when it is not plain. */
export function parsePlainRow(row: u32, index: u32, line: u32): bool {
  if (plainCells == 0 || settings.unwraps != 0) return false;
  const delimiter = settings.delimiter;
  const last = index + ((plainCells - 1) << 2);
  let other: u32 = 0;
  for (let at = index; at < last; at += 4) other |= (<u32>load<u8>(load<u32>(at))) ^ delimiter;
  const feed = load<u32>(last);
  other |= (<u32>load<u8>(feed)) ^ LF;
  if (other != 0 || feed - row >= longestRow) return false;
  end = feed - (load<u8>(feed - 1) == CR ? 1 : 0);
  return parseCells(row, index, line, false);
}

/** The same for a row that was cut into cells, which may be quoted and have trigger bytes. */
export function parseCutRow(row: u32, line: u32): bool {
  return cellCount == plainCells && nextRow - row <= longestRow && parseCells(row, 0, line, true);
}

/** Where the last cell of an uncut row ends. */
let end: u32 = 0;

/** Where the cells of the uncut row begin and end that was parsed last. */
// @inline
export function cellStart(row: u32, index: u32, place: u32): u32 {
  return place == 0 ? row : load<u32>(index + (place << 2) - 4) + 1;
}
// @inline
export function cellEnd(index: u32, place: u32): u32 {
  return place + 1 == plainCells ? end : load<u32>(index + (place << 2));
}

// @inline
function parseCells(row: u32, index: u32, line: u32, isCut: bool): bool {
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    const place = settings.placeOf(column);
    if (place == settings.NONE) continue;
    const cell = settings.cellAt(place);
    const from = isCut ? load<u32>(cell) : cellStart(row, index, place);
    const to = isCut ? load<u32>(cell, 4) : cellEnd(index, place);
    if (readColumn(column, from, to, isCut ? cell : 0) != FINE) return false;
  }
  if (isHeader()) return false;
  const first = isCut ? load<u32>(settings.cellAt(0)) : row;
  const firstEnd = isCut ? load<u32>(settings.cellAt(0), 4) : load<u32>(index);
  if (!parsePart(first, firstEnd)) return false;
  const isMixed = brandChange != UNCHANGED || numberChange != UNCHANGED;
  if (isMixed && settings.replacesLookalikes != 0) return false;
  if (settings.brandPlace() != settings.NONE) {
    if (isBrandRepeated()) return false;
  } else if (isCut ? mayBeLone() : mayBeLoneUncut(row, index)) {
    return false;
  }
  if (!isMixed) return true;
  // The issue shows all cells of the row.
  return (isCut || cutRow(row, index) != 0) && addLookalikes(line);
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
    from = startOf(brandAt);
    to = endOf(brandAt);
    automaton = settings.automatonOf(brandAt);
    isFirst = settings.placeOf(brandAt) == 0 && from < to;
  }
  if (!parseBrand(automaton, from, to, isFirst)) return false;
  if (
    !isFirst &&
    (first == firstEnd || mayBePadded(first, firstEnd) || needsSlowPath(settings.firstAutomaton, first, firstEnd))
  ) {
    return false;
  }
  if (oemAt == settings.NONE) return parseNumber(0, 0);
  from = startOf(oemAt);
  to = endOf(oemAt);
  return !mayBeSentence(from, to) && !needsSlowPath(settings.automatonOf(oemAt), from, to) && parseNumber(from, to);
}

/** Whether the row, whose columns are known, repeats the header, or may hold the numbers of the columns below one. */
export function isHeader(): bool {
  if (mayBeNumbering()) return true;
  const column = settings.headerAt;
  if (column == settings.NONE) return false;
  const from = load<u32>(settings.columnAt(column));
  const length = load<u32>(settings.columnAt(column), 4) - from;
  return length == settings.headerLength && areEqual(from, settings.headerPtr, length);
}

/** Whether brand and number look like the numbers of their columns. */
function mayBeNumbering(): bool {
  const oemAt = settings.oemAt;
  if (oemAt == settings.NONE || !mayBeColumnNumber(oemAt)) return false;
  return settings.brandPlace() == settings.NONE || mayBeColumnNumber(settings.brandAt);
}

/** `1`, `(2)`, `3.`, `[12]` and whatever else is as short and begins like that. */
function mayBeColumnNumber(column: u32): bool {
  const from = startOf(column);
  const length = endOf(column) - from;
  if (length == 0 || length > 4) return false;
  const first = load<u8>(from);
  return (first >= 0x30 && first <= 0x39) || first == 0x28 || first == 0x5b;
}
