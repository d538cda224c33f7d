import { copyBytes, maskOf } from './bytes';
import { CELL, cellCount, isDoubled } from './cells';
import { codePointAt, invisibleBytes, nextInvisible } from './invisible';
import * as settings from './settings';

/*
 * Texts of the supplier in a line of the issues file, as src/validate/issues/issue-line.ts writes them: in CSV in quotes where
 * that is needed, with a mark before what a spreadsheet would run; in JSON inside the quotes of the template or their own.
 */
const TAB: u32 = 9;
const LF: u32 = 10;
const CR: u32 = 13;
const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const APOSTROPHE: u8 = 39;
const COMMA: u32 = 44;
const BACKSLASH: u32 = 92;
const BAR: u8 = 124;

/** Longer texts are cut where a message quotes them, as src/validate/checks/repair.ts does. */
const MOST_QUOTED: u32 = 80;

/* How a text is written: as it is, inside the quotes of CSV, inside those of JSON. */
const PLAIN: u32 = 0;
const IN_CSV: u32 = 1;
const IN_JSON: u32 = 2;

/** Whether a text is written as it is wherever it stands. */
export function isSimple(from: u32, to: u32): bool {
  if (isFormula(from, to)) return false;
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const marks = v128.or(i8x16.eq(bytes, i8x16.splat(<u8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<u8>COMMA)));
    const controls = i8x16.lt_u(bytes, i8x16.splat(<u8>SPACE));
    const found = v128.or(v128.or(marks, controls), i8x16.eq(bytes, i8x16.splat(<u8>BACKSLASH)));
    if (v128.any_true(v128.and(found, maskOf(to - at, 0)))) return false;
  }
  return true;
}

/** Writes a text as a cell of CSV, or inside the quotes that the template of JSON has. */
export function writeText(from: u32, to: u32, target: u32): u32 {
  return settings.asCsv == 0 ? escape(from, to, false, IN_JSON, target) : writeCsvCell(from, to, false, target);
}

/** Writes a text inside another one that has quotes around it, in CSV as in JSON. */
export function writeInText(from: u32, to: u32, target: u32): u32 {
  return escape(from, to, false, settings.asCsv == 0 ? IN_JSON : IN_CSV, target);
}

/** The same with its invisible characters spelled out, as in `\u200b`; a long text is cut. */
export function writeVisible(from: u32, to: u32, target: u32): u32 {
  let out = target;
  const end = endOfQuoted(from, to);
  for (let at = from; at < end;) {
    const next = nextInvisible(at, end);
    if (at < next) out = writeInText(at, next, out);
    if (next == end) break;
    out = spell(codePointAt(next), out);
    at = next + invisibleBytes(next);
  }
  return writeEllipsis(end < to, out);
}

/** Where a text ends that a message quotes: behind its first 80 characters, none of which has four bytes. */
export function endOfQuoted(from: u32, to: u32): u32 {
  let characters: u32 = 0;
  for (let at = from; at < to; at += 1) {
    if ((load<u8>(at) & 0xc0) == 0x80) continue;
    if (characters == MOST_QUOTED) return at;
    characters += 1;
  }
  return to;
}

/** How many characters a text has as JavaScript counts them: those of four bytes are two. */
export function charactersIn(from: u32, to: u32): u32 {
  let characters: u32 = 0;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if ((byte & 0xc0) != 0x80) characters += byte >= 0xf0 ? 2 : 1;
  }
  return characters;
}

/** Writes an ellipsis where a text was cut. */
export function writeEllipsis(isCut: bool, target: u32): u32 {
  if (!isCut) return target;
  store<u16>(target, 0x80e2);
  store<u8>(target, 0xa6, 2);
  return target + 3;
}

/** Writes `\u` and four hexadecimal digits, with the backslash as JSON has it. */
function spell(codePoint: u32, target: u32): u32 {
  let out = writeEscaped(BACKSLASH, settings.asCsv == 0 ? IN_JSON : IN_CSV, target);
  store<u8>(out++, 117);
  for (let shift: u32 = 16; shift > 0;) {
    shift -= 4;
    store<u8>(out++, hexadecimal((codePoint >> shift) & 15));
  }
  return out;
}

function hexadecimal(digit: u32): u8 {
  return <u8>(digit < 10 ? 48 + digit : 87 + digit);
}

/** Writes the cells of the row that was cut. */
export function writeCells(target: u32): u32 {
  return settings.asCsv == 0 ? writeJsonCells(target) : writeCsvCells(target);
}

/** Writes all cells as one text, with delimiters between them. */
export function writeRow(target: u32): u32 {
  const first = settings.cellAt(0);
  if (settings.asCsv == 0) return joinCells(first, false, IN_JSON, target);
  const isInQuotes = (cellCount > 1 && settings.delimiter == COMMA) || haveToBeInQuotes(first);
  return writeJoined(first, false, isInQuotes, target);
}

function writeJsonCells(target: u32): u32 {
  let out = target;
  for (let cell = settings.cellAt(0); cell < settings.cellAt(cellCount); cell += CELL) {
    if (out > target) store<u8>(out++, <u8>COMMA);
    store<u8>(out++, <u8>QUOTE);
    out = escape(load<u32>(cell), load<u32>(cell, 4), isDoubled(cell), IN_JSON, out);
    store<u8>(out++, <u8>QUOTE);
  }
  return out;
}

/** Writes a cell for each name, each followed by a comma; then the cells without a name, as one. */
function writeCsvCells(target: u32): u32 {
  let out = target;
  for (let number: u32 = 0; number < settings.nameCount; number += 1) {
    const cell = settings.cellAt(number);
    if (number < cellCount) out = writeCsvCell(load<u32>(cell), load<u32>(cell, 4), isDoubled(cell), out);
    store<u8>(out++, <u8>COMMA);
  }
  if (cellCount <= settings.nameCount) return out;
  const first = settings.cellAt(settings.nameCount);
  return writeJoined(first, true, haveToBeInQuotes(first), out);
}

function writeCsvCell(from: u32, to: u32, doubled: bool, target: u32): u32 {
  const isInQuotes = (doubled && settings.quote == QUOTE) || needsQuotes(from, to);
  let out = target;
  if (isInQuotes) store<u8>(out++, <u8>QUOTE);
  if (isFormula(from, to)) store<u8>(out++, APOSTROPHE);
  out = escape(from, to, doubled, isInQuotes ? IN_CSV : PLAIN, out);
  if (isInQuotes) store<u8>(out++, <u8>QUOTE);
  return out;
}

/** Writes the cells from one on as one cell of CSV. */
function writeJoined(first: u32, byBars: bool, isInQuotes: bool, target: u32): u32 {
  let out = target;
  if (isInQuotes) store<u8>(out++, <u8>QUOTE);
  if (isFormula(load<u32>(first), load<u32>(first, 4))) store<u8>(out++, APOSTROPHE);
  out = joinCells(first, byBars, isInQuotes ? IN_CSV : PLAIN, out);
  if (isInQuotes) store<u8>(out++, <u8>QUOTE);
  return out;
}

/** Writes the cells from one on with delimiters between them, or bars. */
function joinCells(first: u32, byBars: bool, mode: u32, target: u32): u32 {
  let out = target;
  for (let cell = first; cell < settings.cellAt(cellCount); cell += CELL) {
    if (cell > first && byBars) {
      store<u8>(out, <u8>SPACE);
      store<u8>(out, BAR, 1);
      store<u8>(out, <u8>SPACE, 2);
      out += 3;
    } else if (cell > first) {
      out = writeEscaped(settings.delimiter, mode, out);
    }
    out = escape(load<u32>(cell), load<u32>(cell, 4), isDoubled(cell), mode, out);
  }
  return out;
}

/** Whether the cells from one on, written as one cell of CSV, need quotes around them. */
function haveToBeInQuotes(first: u32): bool {
  for (let cell = first; cell < settings.cellAt(cellCount); cell += CELL) {
    if (needsQuotes(load<u32>(cell), load<u32>(cell, 4))) return true;
  }
  return false;
}

/** Whether CSV has a text in quotes: for quotes, commas and line breaks. */
function needsQuotes(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const marks = v128.or(i8x16.eq(bytes, i8x16.splat(<u8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<u8>COMMA)));
    const breaks = v128.or(i8x16.eq(bytes, i8x16.splat(<u8>LF)), i8x16.eq(bytes, i8x16.splat(<u8>CR)));
    const found = <u32>i8x16.bitmask(v128.or(marks, breaks));
    if (found != 0 && at + <u32>ctz(found) < to) return true;
  }
  return false;
}

/** Whether a spreadsheet may take a text for a formula: `=`, `+`, `-`, `@` or their wide forms, a tab, a carriage return. */
function isFormula(from: u32, to: u32): bool {
  if (from == to) return false;
  const byte = <u32>load<u8>(from);
  if (byte == 61 || byte == 43 || byte == 45 || byte == 64 || byte == TAB || byte == CR) return true;
  if (byte != 0xef || to - from < 3 || load<u8>(from, 1) != 0xbc) return false;
  const last = <u32>load<u8>(from, 2);
  return last == 0x9d || last == 0x8b || last == 0x8d || last == 0xa0;
}

/** Writes a text, in which quotes may be doubled, in one of the ways; reads and writes up to 15 bytes too many. */
function escape(from: u32, to: u32, doubled: bool, mode: u32, target: u32): u32 {
  let out = target;
  let at = from;
  while (true) {
    const next = nextEscape(at, to, mode, doubled);
    if (at < next) out = copyBytes(at, next, out);
    if (next == to) return out;
    const byte = <u32>load<u8>(next);
    out = writeEscaped(byte, mode, out);
    at = next + (doubled && byte == settings.quote ? 2 : 1);
  }
}

/** The next byte that is not written as it is, or the end. */
// @inline
function nextEscape(from: u32, to: u32, mode: u32, doubled: bool): u32 {
  const second = doubled ? settings.quote : QUOTE;
  if (mode == PLAIN && !doubled) return to;
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    let marks = i8x16.eq(bytes, i8x16.splat(<u8>second));
    if (mode != PLAIN) marks = v128.or(marks, i8x16.eq(bytes, i8x16.splat(<u8>QUOTE)));
    if (mode == IN_JSON) {
      const controls = i8x16.lt_u(bytes, i8x16.splat(<u8>SPACE));
      marks = v128.or(marks, v128.or(controls, i8x16.eq(bytes, i8x16.splat(<u8>BACKSLASH))));
    }
    const found = <u32>i8x16.bitmask(marks);
    if (found != 0) return min(at + <u32>ctz(found), to);
  }
  return to;
}

/** Writes a byte as CSV has it inside quotes, or JSON. */
function writeEscaped(byte: u32, mode: u32, target: u32): u32 {
  if (mode == IN_CSV && byte == QUOTE) {
    store<u16>(target, 0x2222);
    return target + 2;
  }
  if (mode != IN_JSON || (byte >= SPACE && byte != QUOTE && byte != BACKSLASH)) {
    store<u8>(target, <u8>byte);
    return target + 1;
  }
  store<u8>(target, <u8>BACKSLASH);
  const short = shortEscape(byte);
  if (short != 0) {
    store<u8>(target, short, 1);
    return target + 2;
  }
  // u0000 to u001f
  store<u32>(target, 0x30303075, 1);
  store<u8>(target, <u8>(48 + (byte >> 4)), 4);
  store<u8>(target, hexadecimal(byte & 15), 5);
  return target + 6;
}

/** The letter behind the backslash, or 0. */
function shortEscape(byte: u32): u8 {
  if (byte == QUOTE || byte == BACKSLASH) return <u8>byte;
  if (byte == LF) return 110;
  if (byte == TAB) return 116;
  if (byte == CR) return 114;
  if (byte == 8) return 98;
  return byte == 12 ? 102 : 0;
}
