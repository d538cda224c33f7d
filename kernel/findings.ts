import { copyBytes, writeNumber } from './bytes';
import { trimEnd, trimStart } from './blanks';
import { cellCount, cutRow, isCoded, nextRow, rowStart, swapWritten } from './cells';
import { cleaned, emptied, endOf, failed, garbled, lostTag, lostTagEnd, startOf } from './columns';
import { mend, mended, mendedEnd } from './garbled';
import { countInvisible, countPrintable, nextInvisible, readPrintable, removeInvisible } from './invisible';
import { BECOMES_CYRILLIC, judgeLetters, lettersEnd, UNCHANGED, unmixedEnd } from './lookalikes';
import { brandChange, mixedBrand, mixedBrandEnd, numberChange } from './part-key';
import {
  charactersIn,
  endOfQuoted,
  isSimple,
  writeCells,
  writeEllipsis,
  writeInText,
  writeRow,
  writeText,
  writeVisible,
} from './issue-text';
import * as settings from './settings';
import { unwrapRow } from './unwrap';

/*
 * Issues about rows in which nothing else is unusual, as lines of the issues file. Their text is assembled from templates,
 * which src/validate/fast/kernel-io/finding-templates.ts makes by writing such an issue with placeholders for what differs.
 */

/** Where the next finding is listed, in four words (kind, line, begin and end of its text), and where its text goes. */
export let findingAt: u32 = 0;
let textAt: u32 = 0;
/** How many of the findings are about accepted rows, and about rows that rules left out. */
export let warnings: u32 = 0;
export let leftOut: u32 = 0;

/*
 * Kinds of findings. Of letters of another alphabet there are eight: in the number one Cyrillic letter, several, one Latin letter,
 * several; then the same in the brand. Then each column has one for an empty cell, for a cleaned one, for one in which a formula
 * failed, for one that cannot be decoded, for a garbled one that can be mended, for one that cannot, and for one with control characters
 * that are printable; then for one that stands for nothing. Behind them is one for each rule that leaves rows out.
 */
export const CELL_COUNT: u32 = 0;
export const TAGS: u32 = 1;
const DUPLICATE: u32 = 2;
const LOOKALIKES: u32 = 3;
export const EMPTY: u32 = 11;

/** The kind of a cell in which a formula failed, and of one that cannot be decoded. */
export function failedIn(column: u32): u32 {
  return EMPTY + settings.columnCount * 2 + column;
}
export function undecodableIn(column: u32): u32 {
  return EMPTY + settings.columnCount * 3 + column;
}

export function placeholderIn(column: u32): u32 {
  return EMPTY + settings.columnCount * 7 + column;
}

function garbledIn(column: u32, isMended: bool): u32 {
  return EMPTY + settings.columnCount * (isMended ? 4 : 5) + column;
}
function cleanedIn(column: u32, hasPrintable: bool): u32 {
  return EMPTY + settings.columnCount * (hasPrintable ? 6 : 1) + column;
}

const SEVERAL: u32 = 1;
const LATIN: u32 = 2;
const IN_BRAND: u32 = 4;

/* Pieces of a template, three words each: what to write; address and length of a text. */
const END: u32 = 0;
const TEXT: u32 = 1;
const LINE: u32 = 2;
const COUNT: u32 = 3;
const VALUE: u32 = 4;
const CELLS: u32 = 5;
const LETTERS: u32 = 6;
const AFTER: u32 = 7;
const VISIBLE: u32 = 8;
const MENDED: u32 = 10;
const READ: u32 = 11;
const PIECE: u32 = 12;
const FINDING: u32 = 16;

/** Longer values, in characters as JavaScript counts them, are left to the slow path, which cuts them. */
const LONGEST_VALUE: u32 = 200;
/** So are longer brands and numbers with letters of another alphabet, which messages quote. */
const LONGEST_QUOTED: u32 = 80;
/** More text than a finding has besides its cells. */
const MOST_TEXT: u32 = 8192;

/** A byte of a text becomes this many at most. */
const MOST_ESCAPED: u32 = 6;

const SPACE: u8 = 32;
const QUOTE: u8 = 34;
const COMMA: u8 = 44;
const BACKSLASH: u8 = 92;

/** Drops the findings of the previous chunk. */
export function openFindings(): void {
  findingAt = settings.findings;
  textAt = settings.findingTexts;
  warnings = leftOut = 0;
}

/**
 * Lists a finding about the row that was cut, with a count and a value; for CELL_COUNT the value is the whole row. False when
 * the finding is left to the slow path.
 */
export function addFinding(kind: u32, line: u32, count: u32, from: u32, to: u32): bool {
  let piece = settings.templateOf(kind);
  if (piece == 0 || isLong(from, to)) return false;
  const rowBytes = nextRow - rowStart;
  if (textAt + rowBytes * MOST_ESCAPED + (cellCount + settings.nameCount) * 4 + MOST_TEXT > settings.findingsEnd)
    return false;
  if (findingAt + FINDING > settings.findingTexts) return false;
  let out = textAt;
  for (let what = load<u32>(piece); what != END; what = load<u32>(piece)) {
    if (what == TEXT) out = copyBytes(load<u32>(piece, 4), load<u32>(piece, 4) + load<u32>(piece, 8), out);
    else if (what == LINE) out = writeNumber(line, out);
    else if (what == COUNT) out = writeNumber(count, out);
    else if (what == VALUE) out = writeValue(kind, from, to, out);
    else if (what == CELLS) out = writeWritten(out);
    else if (what == LETTERS) out = writeLetters(out);
    else if (what == AFTER) out = copyBytes(settings.unmixedBuffer(), unmixedEnd, out);
    else if (what == VISIBLE) out = writeVisible(from, to, out);
    else if (what == MENDED) out = writeVisible(mended, mendedEnd, out);
    else out = writeCleaned(from, to, what == READ, out);
    piece += PIECE;
  }
  store<u32>(findingAt, kind);
  store<u32>(findingAt, line, 4);
  store<u32>(findingAt, textAt, 8);
  store<u32>(findingAt, out, 12);
  findingAt += FINDING;
  textAt = out;
  return true;
}

/** Writes the cells of the row as they were before they were unwrapped. */
function writeWritten(target: u32): u32 {
  swapWritten();
  const out = writeCells(target);
  swapWritten();
  return out;
}

// @inline
function isLong(from: u32, to: u32): bool {
  return to - from > LONGEST_VALUE && charactersIn(from, to) > LONGEST_VALUE;
}

// @inline
function writeValue(kind: u32, from: u32, to: u32, target: u32): u32 {
  if (kind == CELL_COUNT) return writeRow(target);
  return kind >= LOOKALIKES && kind < EMPTY ? copyBytes(from, to, target) : writeText(from, to, target);
}

/**
 * Lists that the brand or the number of the row, or both, have letters of another alphabet; false when a finding is left to the slow
 * path: then none is listed. Leaves the other spelling of the number in `settings.unmixedBuffer()`.
 */
export function addLookalikes(line: u32): bool {
  const from = settings.oemAt == settings.NONE ? 0 : startOf(settings.oemAt);
  const to = settings.oemAt == settings.NONE ? 0 : endOf(settings.oemAt);
  if (brandChange == UNCHANGED) return addMixed(numberChange, 0, line, from, to);
  const finding = findingAt;
  const text = textAt;
  judgeLetters(mixedBrand, mixedBrandEnd, 0, 0);
  if (!addMixed(brandChange, IN_BRAND, line, mixedBrand, mixedBrandEnd)) return false;
  if (numberChange == UNCHANGED) return true;
  judgeLetters(from, to, startOf(settings.brandAt), endOf(settings.brandAt));
  if (addMixed(numberChange, 0, line, from, to)) return true;
  findingAt = finding;
  textAt = text;
  warnings -= 1;
  return false;
}

/** Lists the letters that were judged last, of a text that becomes of one alphabet. */
function addMixed(change: u32, where: u32, line: u32, from: u32, to: u32): bool {
  if (to - from > LONGEST_QUOTED || !isSimple(from, to)) return false;
  const letters = (lettersEnd - settings.lettersBuffer() > 2 ? SEVERAL : 0) | (change == BECOMES_CYRILLIC ? LATIN : 0);
  if (!addFinding(LOOKALIKES + (where | letters), line, 0, from, to)) return false;
  warnings += 1;
  return true;
}

/**
 * Lists the columns of the row that are garbled, from which invisible characters were removed, in which a formula failed, or that were emptied; false when
 * one is left to the slow path: then none is listed.
 */
export function addWarnings(line: u32): bool {
  const finding = findingAt;
  const text = textAt;
  const before = warnings;
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    if (addWarningsOf(column, line)) continue;
    findingAt = finding;
    textAt = text;
    warnings = before;
    return false;
  }
  return true;
}

function addWarningsOf(column: u32, line: u32): bool {
  if ((((cleaned | emptied | failed | garbled) >> column) & 1) == 0) return true;
  const cell = settings.cellAt(settings.placeOf(column));
  const from = load<u32>(cell);
  const to = load<u32>(cell, 4);
  if (((failed >> column) & 1) != 0) return addWarning(failedIn(column), line, 0, from, to);
  if (((emptied >> column) & 1) != 0) {
    const isTag = settings.isList(column);
    return addWarning(placeholderIn(column), line, 0, isTag ? lostTag : from, isTag ? lostTagEnd : to);
  }
  let isMended = false;
  if (((garbled >> column) & 1) != 0) {
    isMended = mend(from, to);
    // A message spells out what nobody sees, of which only the slow path knows all.
    if (isMended && removeInvisible(mended, mendedEnd, settings.tagBuffer()) == 0) return false;
    if (!addWarning(garbledIn(column, isMended), line, 0, from, to)) return false;
  }
  if (((cleaned >> column) & 1) == 0) return true;
  // The control characters of a text that can be mended are bytes of its letters.
  const namesPrintable = (!isMended || settings.readsControls != 0) && countPrintable(from, to) != 0;
  return addWarning(cleanedIn(column, namesPrintable), line, countInvisible(from, to), from, to);
}

function addWarning(kind: u32, line: u32, count: u32, from: u32, to: u32): bool {
  if (!addFinding(kind, line, count, from, to)) return false;
  warnings += 1;
  return true;
}

/** Writes what a cell became or would become, inside a text in quotes. `isRead`: with the printable ones of its control characters. */
function writeCleaned(from: u32, to: u32, isRead: bool, target: u32): u32 {
  const buffer = settings.keyBuffer();
  let end: u32 = 0;
  if (isRead) {
    const read = settings.unmixedBuffer();
    end = removeInvisible(read, readPrintable(from, to, read), buffer);
  } else {
    end = removeInvisible(from, to, buffer);
  }
  const quotedEnd = endOfQuoted(buffer, end);
  return writeEllipsis(quotedEnd < end, writeInText(buffer, quotedEnd, target));
}

/** Writes letters of one or two bytes in quotes, inside a text in quotes. */
function writeLetters(target: u32): u32 {
  const mark: u8 = settings.asCsv != 0 ? QUOTE : BACKSLASH;
  let out = target;
  for (let at = settings.lettersBuffer(); at < lettersEnd; at += 2) {
    if (out > target) {
      store<u8>(out, COMMA);
      store<u8>(out, SPACE, 1);
      out += 2;
    }
    store<u8>(out, mark);
    store<u8>(out, QUOTE, 1);
    const letter = load<u16>(at);
    store<u16>(out, letter, 2);
    out += letter > 0xff ? 4 : 3;
    store<u8>(out, mark);
    store<u8>(out, QUOTE, 1);
    out += 2;
  }
  return out;
}

/** Lists that the row of an entry repeats the part of an earlier line; false when the finding is left to the slow path. */
export function nameDuplicate(entry: u32, first: u32, index: u32, indexCount: u32): bool {
  return cutEntry(entry, index, indexCount) != 0 && unwrapRow() && addPart(DUPLICATE, load<u32>(entry, 8), first);
}

/** The same for the row of an entry that a rule left out, by the place of the rule. */
export function nameLeftOut(entry: u32, rule: u32, index: u32, indexCount: u32): bool {
  return cutEntry(entry, index, indexCount) != 0 && unwrapRow() && addLeftOut(rule, load<u32>(entry, 8));
}

// @inline
function leftOutBy(rule: u32): u32 {
  return EMPTY + settings.columnCount * 8 + rule;
}

/** Whether rows that a rule left out are listed here. */
export function mayAddLeftOut(rule: u32): bool {
  return settings.templateOf(leftOutBy(rule)) != 0;
}

/** Lists that a rule left out the row that was cut and unwrapped; false when that is left to the slow path. */
export function addLeftOut(rule: u32, line: u32): bool {
  if (!addPart(leftOutBy(rule), line, 0)) return false;
  leftOut += 1;
  return true;
}

/** Cuts the row of an entry again; answers with the number of its cells, or 0 when only the slow path can. */
export function cutEntry(entry: u32, index: u32, indexCount: u32): u32 {
  const row = load<u32>(entry, 16);
  return cutRow(row, indexFrom(row, index, indexCount)) == 0 ? 0 : cellCount;
}

/** Where the cells are of the row that was cut. */
export function cells(): u32 {
  return settings.cellAt(0);
}

/** Lists a finding about brand and number of the row that was cut and unwrapped. */
function addPart(kind: u32, line: u32, count: u32): bool {
  const buffer = settings.keyBuffer();
  let out = writePart(settings.brandAt, buffer);
  if (out == 0) return false;
  store<u8>(out, SPACE);
  out = writePart(settings.oemAt, out + 1);
  return out != 0 && addFinding(kind, line, count, buffer, out);
}

/** The first position of an index that is not before an address. */
function indexFrom(address: u32, index: u32, indexCount: u32): u32 {
  let low: u32 = 0;
  let high = indexCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(index + middle * 4) < address) low = middle + 1;
    else high = middle;
  }
  return index + low * 4;
}

/** Writes the text of a brand or number, or its default, and returns the end; 0 when only the slow path knows it. */
function writePart(column: u32, target: u32): u32 {
  if (column == settings.NONE) return target;
  const place = settings.placeOf(column);
  if (place == settings.NONE) {
    const text = settings.fallbackOf(column);
    return copyBytes(text, text + settings.fallbackLength(column), target);
  }
  const cell = settings.cellAt(place);
  if (isCoded(cell) || nextInvisible(load<u32>(cell), load<u32>(cell, 4)) < load<u32>(cell, 4)) return 0;
  const from = trimStart(load<u32>(cell), load<u32>(cell, 4));
  const to = trimEnd(from, load<u32>(cell, 4));
  if (isLong(from, to) || (settings.replacesLookalikes != 0 && !isAscii(from, to))) return 0;
  return copyBytes(from, to, target);
}

function isAscii(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 1) if (load<u8>(at) >= 0x80) return false;
  return true;
}
