import { cellCount, isBroken, isCoded, isDoubled, unwrapped, unwrapTo } from './cells';
import { areEqual } from './bytes';
import { dropped } from './columns';
import * as settings from './settings';

/*
 * What spreadsheets and exports write around values, as src/columns/unwrap.ts takes it off. A text is cut out of its cell, or copied where it
 * had backslashes; formulas of several texts, and cells that are both coded and wrapped, are left to the slow path.
 */

/* The kinds, in the order of WRAP_KINDS: a bit for each; tags are counted by `countDropped`, spellings by `countSpelled`, markup and typography are left to the slow path. */
const BACKSLASHES: u32 = 1;
const FORMULA: u32 = 2;
const PAIR: u32 = 4;
const APOSTROPHE: u32 = 8;
const DECIMALS: u32 = 16;
const TAGS: u32 = 5;
const SPELLING: u32 = 8;

/*
 * What is written around the values of a column: the lengths of an apostrophe or what stands for one, of what opens, closes and of the
 * decimals, then eight bytes for each of them.
 */
const LEAD: u32 = 16;
const OPEN: u32 = 24;
const CLOSE: u32 = 32;
const ENDING: u32 = 40;

const SPACE: u8 = 32;
const QUOTE: u8 = 34;
const AMPERSAND: u8 = 38;
const HASH: u8 = 35;
const TICK: u8 = 39;
const LEFT: u8 = 40;
const RIGHT: u8 = 41;
const SLASH: u8 = 47;
const ZERO: u8 = 48;
const NINE: u8 = 57;
const LESS: u8 = 60;
const EQUALS: u8 = 61;
const BACKSLASH: u8 = 92;

/** The text of the cell that is being unwrapped. */
let from: u32 = 0;
let to: u32 = 0;
let kinds: u32 = 0;
/** Where the next text without backslashes goes. */
let plainAt: u32 = 0;

/** Forgets how often each kind was taken off. */
export function openUnwrap(): void {
  memory.fill(settings.wrapCounts(), 0, settings.MAX_COLUMNS * settings.WRAP_KINDS * 4);
}

/** Takes off what stands around the values of the row that was cut; false when the row is for the slow path. */
export function unwrapRow(): bool {
  plainAt = settings.plainTexts();
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    const place = settings.placeOf(column);
    if (place != settings.NONE && place < cellCount && !unwrapCell(column, settings.cellAt(place))) return false;
  }
  return true;
}

/** Counts what was taken off the values of the row. */
export function countUnwrapped(): void {
  for (let number: u32 = 0; number < unwrapped; number += 1) {
    const entry = settings.unwrappedAt(number);
    const counts = settings.wrapCounts() + load<u32>(entry) * settings.WRAP_KINDS * 4;
    for (let bits = load<u32>(entry, 4); bits != 0; bits &= bits - 1) {
      const count = counts + ((<u32>ctz(bits)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
}

/** Counts the columns of the row of whose tags some were dropped. */
export function countDropped(): void {
  for (let bits = dropped; bits != 0; bits &= bits - 1) {
    const count = settings.wrapCounts() + (<u32>ctz(bits) * settings.WRAP_KINDS + TAGS) * 4;
    store<u32>(count, load<u32>(count) + 1);
  }
}

/** Counts a row whose brand stands for another. */
export function countSpelled(): void {
  const count = settings.wrapCounts() + (settings.brandAt * settings.WRAP_KINDS + SPELLING) * 4;
  store<u32>(count, load<u32>(count) + 1);
}

function unwrapCell(column: u32, cell: u32): bool {
  from = load<u32>(cell);
  to = load<u32>(cell, 4);
  const wrap = settings.wrapOf(column);
  if (from == to) return true;
  const first = load<u8>(from);
  if (first != EQUALS && first != SPACE && settings.unwraps == 0) return !hasMarkup();
  for (let number: u32 = 0; number < unwrapped; number += 1) {
    const entry = settings.unwrappedAt(number);
    if (load<u32>(entry, 8) != cell) continue;
    unwrapTo(column, load<u32>(entry, 4), 0, 0, 0, false);
    return true;
  }
  kinds = 0;
  const text = plainAt;
  if (settings.backslashes != 0 && has(BACKSLASH) && (isCoded(cell) || !dropBackslashes())) return false;
  if (hasMarkup()) return false;
  if (trimmedStart() < to && load<u8>(trimmedStart()) == EQUALS && !dropFormula(cell)) return false;
  if (wrap != 0) {
    if (isCoded(cell) && (kinds & FORMULA) == 0) return false;
    if (load<u32>(wrap, 4) != 0) dropPair(wrap);
    if (load<u32>(wrap) != 0) dropLead(wrap);
    if (load<u32>(wrap, 12) != 0) dropDecimals(wrap);
  }
  if (kinds != 0) unwrapTo(column, kinds, cell, from, to, plainAt > text);
  return true;
}

/** Whether a cell has an entity or an element of web pages in it, or what looks like one; reads up to 15 bytes past it. */
function hasMarkup(): bool {
  for (let base = from; base < to; base += 16) {
    const bytes = v128.load(base);
    const marks = v128.or(i8x16.eq(bytes, i8x16.splat(AMPERSAND)), i8x16.eq(bytes, i8x16.splat(LESS)));
    for (let mask = <u32>i8x16.bitmask(marks); mask != 0; mask &= mask - 1) {
      const at = base + <u32>ctz(mask) + 1;
      if (at < to && beginsMarkup(load<u8>(at))) return true;
    }
  }
  return false;
}

/** Whether a byte is a letter, a slash or a hash. */
function beginsMarkup(byte: u8): bool {
  const lower = byte | 32;
  return (lower >= 97 && lower <= 122) || byte == SLASH || byte == HASH;
}

function has(byte: u8): bool {
  for (let at = from; at < to; at += 1) if (load<u8>(at) == byte) return true;
  return false;
}

function trimmedStart(): u32 {
  let at = from;
  while (at < to && load<u8>(at) == SPACE) at += 1;
  return at;
}

function trimmedEnd(start: u32): u32 {
  let at = to;
  while (at > start && load<u8>(at - 1) == SPACE) at -= 1;
  return at;
}

function keep(start: u32, end: u32, kind: u32): void {
  from = start;
  to = end;
  kinds |= kind;
}

/** Writes the text without backslashes; false when there is no room for it. */
function dropBackslashes(): bool {
  const start = trimmedStart();
  const end = trimmedEnd(start);
  if (end - start == 2 && load<u8>(start) == BACKSLASH && load<u8>(start, 1) == 78) {
    keep(start, start, BACKSLASHES);
    return true;
  }
  if (plainAt + (to - from) > settings.plainTexts() + settings.PLAIN_TEXT_BYTES) return false;
  let out = plainAt;
  let isChanged = false;
  for (let at = from; at < to; at += 1) {
    const byte = load<u8>(at);
    if (byte != BACKSLASH || at + 1 == to) {
      store<u8>(out++, byte);
      continue;
    }
    at += 1;
    const meant = meantBy(load<u8>(at));
    if (meant == settings.NONE) {
      store<u8>(out++, BACKSLASH);
      store<u8>(out++, load<u8>(at));
      continue;
    }
    isChanged = true;
    if (meant != 0) store<u8>(out++, <u8>meant);
  }
  if (!isChanged) return true;
  keep(plainAt, out, BACKSLASHES);
  // The next text does not begin where this one is read beyond its end.
  plainAt = out + 1;
  return true;
}

/** What a backslash before a byte stands for: a byte, 0 for nothing, NONE where it stands for itself. */
function meantBy(byte: u8): u32 {
  // b f n r t v
  if (byte == 98 || byte == 102 || byte == 110 || byte == 114 || byte == 116 || byte == 118) return SPACE;
  if (byte == BACKSLASH || byte == QUOTE || byte == TICK) return byte;
  return byte == ZERO || byte == 90 ? 0 : settings.NONE;
}

/** Cuts the text out of a formula that is nothing but a text; false when only the slow path knows whether it is one. */
function dropFormula(cell: u32): bool {
  const isCopied = (kinds & BACKSLASHES) != 0;
  const isTwice = !isCopied && isDoubled(cell);
  if (!isCopied && (isBroken(cell) || (isTwice && settings.quote != QUOTE))) return false;
  if (!has(QUOTE)) return true;
  const width: u32 = isTwice ? 2 : 1;
  let at = trimmedStart() + 1;
  let end = trimmedEnd(at);
  const isFunction = end - at > 3 && (load<u8>(at) | 32) == 116 && load<u8>(at, 1) == LEFT;
  if (isFunction) {
    at += 2;
    end -= 1;
    if (load<u8>(end) != RIGHT) return false;
  }
  if (end - at < width * 2 || !areQuotes(at, width)) return false;
  const start = at + width;
  let last = start;
  while (last < end && load<u8>(last) != QUOTE) last += 1;
  if (last + width > end || !areQuotes(last, width)) return false;
  let rest = last + width;
  if (!isFunction && end - rest == 1 + width * 2 && load<u8>(rest) == AMPERSAND && areQuotes(rest + 1, width * 2))
    rest = end;
  if (rest != end) return false;
  keep(start, last, FORMULA);
  return true;
}

function areQuotes(at: u32, count: u32): bool {
  for (let number: u32 = 0; number < count; number += 1) if (load<u8>(at + number) != QUOTE) return false;
  return true;
}

function dropPair(wrap: u32): void {
  const opening = load<u32>(wrap, 4);
  const closing = load<u32>(wrap, 8);
  const start = trimmedStart();
  const end = trimmedEnd(start);
  if (end - start < opening + closing || !areEqual(start, wrap + OPEN, opening)) return;
  const inside = start + opening;
  const last = end - closing;
  if (!areEqual(last, wrap + CLOSE, closing)) return;
  if (occurs(wrap + OPEN, opening, inside, last) || occurs(wrap + CLOSE, closing, inside, last)) return;
  keep(inside, last, PAIR);
}

function occurs(text: u32, length: u32, start: u32, end: u32): bool {
  for (let at = start; at + length <= end; at += 1) if (areEqual(at, text, length)) return true;
  return false;
}

function dropLead(wrap: u32): void {
  const length = load<u32>(wrap);
  const start = trimmedStart();
  if (start + length > to || !areEqual(start, wrap + LEAD, length)) return;
  keep(start + length, trimmedEnd(start + length), APOSTROPHE);
}

function dropDecimals(wrap: u32): void {
  const length = load<u32>(wrap, 12);
  const start = trimmedStart();
  const end = trimmedEnd(start);
  if (end - start <= length || !areEqual(end - length, wrap + ENDING, length)) return;
  for (let at = start; at < end - length; at += 1) if (load<u8>(at) < ZERO || load<u8>(at) > NINE) return;
  keep(start, end - length, DECIMALS);
}
