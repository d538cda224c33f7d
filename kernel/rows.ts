import { needsAttention } from './attention';
import { areEqual, copyBytes, writeNumber } from './bytes';
import { hashHigh, hashLow, hashPart } from './part-key';
import * as settings from './settings';

/** Where reading goes on: the next row and its line, the output, the list of entries, the index. */
export let rowAt: u32 = 0;
export let line: u32 = 0;
export let outAt: u32 = 0;
export let entryAt: u32 = 0;
let indexAt: u32 = 0;
let indexEnd: u32 = 0;

const DONE: i32 = 0;
/** The next row is for the careful path: it is unusual, or its end is not in the index. */
const UNUSUAL: i32 = 1;

const LF: u32 = 10;
const CR: u32 = 13;
const SPACE: u32 = 32;
const TAB: u32 = 9;

/** Where the row ends that `cutRow` cut, and how many cells it has. */
let nextRow: u32 = 0;
let cellCount: u32 = 0;

/** Begins a stretch of rows whose structure is in an index (`indexBytes`). */
export function open(index: u32, indexCount: u32, out: u32, entries: u32): void {
  indexAt = index;
  indexEnd = index + indexCount * 4;
  outAt = out;
  entryAt = entries;
}

/** Takes rows from `at` on that begin before `to`; 0 when all are taken, 1 when the row at `rowAt` needs care. */
export function takeRows(at: u32, to: u32, firstLine: u32): i32 {
  rowAt = at;
  line = firstLine;
  while (indexAt < indexEnd && load<u32>(indexAt) < at) indexAt += 4;
  while (rowAt < to) {
    const index = cutRow(rowAt, indexAt);
    if (index == 0 || !takeRow()) return UNUSUAL;
    indexAt = index;
    rowAt = nextRow;
    line += 1;
  }
  return DONE;
}

/** Cuts a row into cells; answers where the index goes on, or 0 when the row is not plain. */
function cutRow(from: u32, index: u32): u32 {
  let at = from;
  let next = index;
  for (cellCount = 0; cellCount < settings.MAX_CELLS;) {
    next = load<u8>(at) == settings.quote ? cutQuoted(at, next) : cutPlain(at, next);
    if (next == 0) return 0;
    cellCount += 1;
    if (nextRow != 0) return nextRow - from > settings.maxRow ? 0 : next;
    at = load<u32>(next - 4) + 1;
  }
  return 0;
}

/** Cuts a cell without quotes around it; sets `nextRow` when it is the last one. */
function cutPlain(from: u32, index: u32): u32 {
  for (let next = index; next < indexEnd;) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    next += 4;
    if (byte == settings.delimiter) return keepCell(from, at, 0, 0, next);
    if (byte == LF) return keepCell(from, at, 0, at + 1, next);
    if (byte == CR) return load<u8>(at + 1) == LF && next < indexEnd ? keepCell(from, at, 0, at + 2, next + 4) : 0;
  }
  return 0;
}

/** Cuts a cell in quotes: it must end at its line, with doubled quotes at most. */
function cutQuoted(from: u32, index: u32): u32 {
  if (settings.doubling == 0) return 0;
  let doubled: u32 = 0;
  for (let next = index + 4; next < indexEnd;) {
    const at = load<u32>(next);
    const byte = <u32>load<u8>(at);
    next += 4;
    if (byte == LF || byte == CR) return 0;
    if (byte != settings.quote) continue;
    const after = <u32>load<u8>(at + 1);
    if (next >= indexEnd) return 0;
    if (after == settings.delimiter) return keepCell(from + 1, at, doubled, 0, next + 4);
    if (after == LF) return keepCell(from + 1, at, doubled, at + 2, next + 4);
    if (after == CR && load<u8>(at + 2) == LF && next + 4 < indexEnd) {
      return keepCell(from + 1, at, doubled, at + 3, next + 8);
    }
    if (after != settings.quote) return 0;
    doubled = 1;
    next += 4;
  }
  return 0;
}

function keepCell(from: u32, to: u32, doubled: u32, next: u32, index: u32): u32 {
  store<u32>(settings.cellStarts() + (cellCount << 2), from);
  store<u32>(settings.cellEnds() + (cellCount << 2), to);
  store<u32>(settings.cellDoubled() + (cellCount << 2), doubled);
  nextRow = next;
  return index;
}

/** Checks the row that was cut and writes it; false when anything about it is unusual. */
function takeRow(): bool {
  if (cellCount < settings.leastCells || cellCount > settings.mostCells) return false;
  if (cellCount < settings.neededCells || cellCount == 1) return false;
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    if (!takeCell(column)) return false;
  }
  if (isHeader() || beginsStrangely()) return false;
  const brand = startOf(settings.brandAt);
  const brandEnd = endOf(settings.brandAt);
  const oem = startOf(settings.oemAt);
  const oemEnd = endOf(settings.oemAt);
  if (brandEnd - brand > settings.MAX_KEY || oemEnd - oem > settings.MAX_KEY) return false;
  if (!hashPart(brand, brandEnd, oem, oemEnd)) return false;
  keepEntry();
  writeRow();
  return true;
}

function startOf(column: u32): u32 {
  return column == settings.NONE ? 0 : load<u32>(settings.columnStarts() + (column << 2));
}

function endOf(column: u32): u32 {
  return column == settings.NONE ? 0 : load<u32>(settings.columnEnds() + (column << 2));
}

/** Trims and checks the cell of a configured column. */
function takeCell(column: u32): bool {
  const place = settings.placeOf(column);
  if (place == settings.NONE) {
    const fallback = settings.fallbackOf(column);
    const end = fallback + settings.fallbackLength(column);
    keepColumn(column, fallback, end);
    return !needsAttention(settings.automatonOf(column), fallback, end);
  }
  let from = load<u32>(settings.cellStarts() + (place << 2));
  let to = load<u32>(settings.cellEnds() + (place << 2));
  if (to - from > settings.maxCell) return false;
  if (load<u32>(settings.cellDoubled() + (place << 2)) != 0) {
    if (to - from > settings.MAX_UNESCAPED) return false;
    const room = settings.unescapeRoom(column);
    to = unescape(from, to, room);
    from = room;
  }
  while (from < to && load<u8>(from) == SPACE) from += 1;
  while (from < to && load<u8>(to - 1) == SPACE) to -= 1;
  keepColumn(column, from, to);
  if (from == to) return !settings.isRequired(column);
  if (needsAttention(settings.automatonOf(column), from, to)) return false;
  return !settings.isList(column) || areTags(from, to);
}

function keepColumn(column: u32, from: u32, to: u32): void {
  store<u32>(settings.columnStarts() + (column << 2), from);
  store<u32>(settings.columnEnds() + (column << 2), to);
}

function unescape(from: u32, to: u32, target: u32): u32 {
  let out = target;
  for (let at = from; at < to; at += 1) {
    const byte = load<u8>(at);
    store<u8>(out, byte);
    out += 1;
    if (byte == settings.quote) at += 1;
  }
  return out;
}

/** Whether a list is written as it is uploaded: no tag empty, padded or repeated, and not too many. */
function areTags(from: u32, to: u32): bool {
  if (settings.separator == settings.NONE) return false;
  const room = settings.tagRoom();
  let count: u32 = 0;
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && load<u8>(at) != settings.separator) continue;
    if (at == start || load<u8>(start) == SPACE || load<u8>(at - 1) == SPACE) return false;
    if (count == settings.maxTags || isRepeated(start, at - start, room, count)) return false;
    store<u32>(room + count * 8, start);
    store<u32>(room + count * 8, at - start, 4);
    count += 1;
    start = at + 1;
  }
  return true;
}

function isRepeated(tag: u32, length: u32, room: u32, count: u32): bool {
  for (let other: u32 = 0; other < count; other += 1) {
    if (load<u32>(room + other * 8, 4) == length && areEqual(tag, load<u32>(room + other * 8), length)) return true;
  }
  return false;
}

function isHeader(): bool {
  if (settings.headerAt == settings.NONE) return false;
  const from = startOf(settings.headerAt);
  const length = endOf(settings.headerAt) - from;
  return length == settings.headerLength && areEqual(from, settings.headerPtr, length);
}

/** Whether the first cell that is not blank needs attention, be it of a configured column or not. */
function beginsStrangely(): bool {
  for (let cell: u32 = 0; cell < cellCount; cell += 1) {
    let from = load<u32>(settings.cellStarts() + (cell << 2));
    const to = load<u32>(settings.cellEnds() + (cell << 2));
    while (from < to && load<u8>(from) == SPACE) from += 1;
    if (from < to) return needsAttention(settings.firstAutomaton, from, to);
  }
  return false;
}

/** Hash, line, and where the row is in output and input. */
function keepEntry(): void {
  store<u32>(entryAt, hashLow);
  store<u32>(entryAt, hashHigh, 4);
  store<u32>(entryAt, line, 8);
  store<u32>(entryAt, outAt, 12);
  store<u32>(entryAt, rowAt, 16);
  entryAt += 20;
}

function writeRow(): void {
  let out = outAt;
  if (settings.numbered != 0) {
    out = writeNumber(line, out);
    store<u8>(out, TAB);
    out += 1;
  }
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    out = copyBytes(startOf(column), endOf(column), out);
    store<u8>(out, TAB);
    out += 1;
  }
  store<u8>(out - 1, LF);
  outAt = out;
}

/** The careful path has taken everything up to `at` and has written up to `out`, with entries up to `entries`. */
export function resume(out: u32, entries: u32): void {
  outAt = out;
  entryAt = entries;
}
