import { maskOf } from './bytes';
import { brandHash, fold, foldedNumberEnd, hashFolded, hashOfNumber, NOT_FOLDED } from './part-key';
import * as settings from './settings';

/*
 * What rules ask of cells, as far as bytes tell it (src/validate/rules/leaves.ts). What only texts tell is remembered by the bytes of the cell
 * once it was answered, because most cells of a column repeat. The layout is that of src/validate/fast/kernel-io/rule-program.ts.
 */

/* A leaf: its field, what it asks, its number among the leaves of the field, where its rule goes on with a yes and with a no, the table of hashes of texts that
 * are meant and its number of slots less 1, the patterns, and the number that is compared with. */
const FIELD: u32 = 0;
export const ASKS: u32 = 4;
export const NUMBER: u32 = 8;
export const ON_YES: u32 = 12;
export const ON_NO: u32 = 16;
export const HASHES: u32 = 20;
const HASH_MASK: u32 = 24;
const PATTERNS: u32 = 28;
const LIMIT: u32 = 32;

/*
 * What is asked: what only texts tell; whether a cell is empty, or filled; whether it is among texts and patterns, of brands and numbers among texts alone; whether
 * a number is not given, or given; whether it is below, above, or equal.
 */
const EMPTY: u32 = 1;
const FILLED: u32 = 2;
const AMONG: u32 = 3;
/** Of the row that was parsed last, so that its field does not matter. */
export const AMONG_BRANDS: u32 = 4;
export const AMONG_NUMBERS: u32 = 5;
const NOT_GIVEN: u32 = 6;
const GIVEN: u32 = 7;
export const BELOW: u32 = 8;
const ABOVE: u32 = 9;
/** No question: a rule changes the row, and those behind it go on. */
export const ACTS: u32 = 11;

/* A field: where its cells are, how they are compared and read as numbers, how their characters are folded, what is remembered of them; then
 * its counts, the row in which it was asked last, and what was found then: where the cell is, whether it is a number, and which. */
export const WHERE: u32 = 0;
export const PLACE: u32 = 4;
const COMPARED: u32 = 8;
export const READ: u32 = 12;
const FOLDING: u32 = 16;
const KNOWN_CELLS: u32 = 20;
export const COUNTS: u32 = 24;
export const ROW: u32 = 28;
const FROM: u32 = 32;
const TO: u32 = 36;
export const KIND: u32 = 40;
const VALUE: u32 = 48;
export const FIELD_BYTES: u32 = 64;

const AS_BRAND: u32 = 1;
const AS_NUMBER: u32 = 2;
const AS_LIST: u32 = 3;
/** What is written around the values of a column is only taken off texts. */
const AS_WRAPPED: u32 = 4;
const READ_STOCK: u32 = 2;

/* What a cell is as a number; `OPEN`: what it says does not answer all that is asked, so that each answer is remembered; `UNREAD`: only its text tells. */
const KNOWN: u32 = 0;
export const NOTHING: u32 = 1;
export const UNREADABLE: u32 = 2;
export const OPEN: u32 = 3;
const UNREAD: u32 = 4;

/* The answers. */
export const NO: u32 = 0;
export const YES: u32 = 1;
export const UNKNOWN: u32 = 2;

const SPACE: u32 = 32;
const COMMA: u32 = 44;
const DOT: u32 = 46;
/** Longer amounts, and other decimals, are read as texts. */
const MOST_DIGITS: u32 = 9;
const MOST_DECIMALS: u32 = 2;

/** Whether the cells are those of the row that was parsed last, whose halves are hashed. */
export let isOfRow: bool = false;

/** The field whose cell was folded last, and where the folded text ends; no field when its cell has changed. */
let foldedField: u32 = 0;
let foldedEnd: u32 = 0;

/** Begins to ask the cells of the row that was parsed last. */
export function beginCells(): void {
  isOfRow = true;
  foldedField = 0;
}

// @inline
export function fieldOf(leaf: u32): u32 {
  return settings.ruleFields + load<u32>(leaf, FIELD) * FIELD_BYTES;
}

/** Asks a cell that is given; UNKNOWN where only its text tells. */
export function askCell(leaf: u32, from: u32, to: u32): u32 {
  isOfRow = false;
  const field = fieldOf(leaf);
  return keepCell(field, from, to) ? answer(leaf, field) : UNKNOWN;
}

/** Notes the cell of a field; false when it is compared as a number, and only its text tells which. */
export function keepCell(field: u32, from: u32, to: u32): bool {
  store<u32>(field, from, FROM);
  store<u32>(field, to, TO);
  foldedField = 0;
  return load<u32>(field, READ) == 0 || readNumber(field, from, to);
}

/** Answers what a leaf asks of the cell of its field. */
export function answer(leaf: u32, field: u32): u32 {
  const asks = load<u32>(leaf, ASKS);
  if (asks >= BELOW) return answerNumber(leaf, field, asks);
  if (asks >= NOT_GIVEN) return (load<u32>(field, KIND) == NOTHING) == (asks == NOT_GIVEN) ? YES : NO;
  const from = load<u32>(field, FROM);
  const to = load<u32>(field, TO);
  if (asks >= AMONG) {
    const found =
      load<u32>(field, COMPARED) == AS_LIST ? asksTags(leaf, field, from, to) : asksText(leaf, field, from, to);
    if (found != UNKNOWN) return found;
  } else if (asks != 0) {
    if (from == to) return asks == EMPTY ? YES : NO;
    if (isFilled(field, from)) return asks == FILLED ? YES : NO;
  }
  return remembered(leaf, field);
}

/** Compares the number of a field. */
// @inline
export function answerNumber(leaf: u32, field: u32, asks: u32): u32 {
  const kind = load<u32>(field, KIND);
  if (kind != KNOWN) return kind == OPEN ? remembered(leaf, field) : NO;
  const value = load<f64>(field, VALUE);
  const limit = load<f64>(leaf, LIMIT);
  const isMeant = asks == BELOW ? value < limit : asks == ABOVE ? value > limit : value == limit;
  return isMeant ? YES : NO;
}

/** Whether a cell certainly has a text: it begins with a digit or a letter. */
function isFilled(field: u32, from: u32): bool {
  const byte = <u32>load<u8>(from);
  const isLetter = byte - 48 < 10 || (byte | 32) - 97 < 26 || (byte >= 0xc3 && byte < 0xd4);
  return isLetter && load<u32>(field, COMPARED) != AS_WRAPPED;
}

/* Texts. */

function asksText(leaf: u32, field: u32, from: u32, to: u32): u32 {
  const compared = load<u32>(field, COMPARED);
  const patterns = load<u32>(leaf, PATTERNS);
  const isHashed = isOfRow && (compared == AS_BRAND || compared == AS_NUMBER);
  if (isHashed) {
    if (isAmong(leaf, compared == AS_BRAND ? brandHash : hashOfNumber())) return YES;
    if (patterns == 0) return NO;
  }
  if (compared == AS_WRAPPED) return UNKNOWN;
  if (isHashed && compared == AS_NUMBER && foldedNumberEnd != 0)
    return isLikeOne(patterns, settings.numberBuffer(), foldedNumberEnd) ? YES : NO;
  const text = settings.keyBuffer();
  if (foldedField != field) {
    foldedField = field;
    foldedEnd = foldCell(field, from, to, text);
  }
  if (foldedEnd == NOT_FOLDED) return UNKNOWN;
  if (!isHashed && isAmong(leaf, hashFolded(text, foldedEnd))) return YES;
  return patterns != 0 && isLikeOne(patterns, text, foldedEnd) ? YES : NO;
}

/** Whether a tag of a list certainly is none of those whose folded texts have these hashes. */
export function hasNone(folding: u32, from: u32, to: u32, hashes: u32, count: u32): bool {
  const text = settings.keyBuffer();
  foldedField = 0;
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && load<u8>(at) != settings.uploadedSeparator) continue;
    const end = at - start > settings.MAX_KEY ? NOT_FOLDED : foldText(folding, start, at, text);
    start = at + 1;
    if (end == NOT_FOLDED) return false;
    const hash = hashFolded(text, end);
    for (let other: u32 = 0; other < count; other += 1) if (load<u64>(hashes + (other << 3)) == hash) return false;
  }
  return true;
}

/** Of a list one tag is enough. */
function asksTags(leaf: u32, field: u32, from: u32, to: u32): u32 {
  if (from == to) return NO;
  if (settings.uploadedSeparator == settings.NONE) return UNKNOWN;
  const text = settings.keyBuffer();
  foldedField = 0;
  const patterns = load<u32>(leaf, PATTERNS);
  let found = NO;
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && load<u8>(at) != settings.uploadedSeparator) continue;
    const end = foldCell(field, start, at, text);
    start = at + 1;
    if (end == NOT_FOLDED) found = UNKNOWN;
    else if (isAmong(leaf, hashFolded(text, end)) || (patterns != 0 && isLikeOne(patterns, text, end))) return YES;
  }
  return found;
}

function foldCell(field: u32, from: u32, to: u32, target: u32): u32 {
  if (to - from > settings.MAX_KEY) return NOT_FOLDED;
  const folding = load<u32>(field, FOLDING);
  return folding == 0 ? fold(from, to, target) : foldText(folding, from, to, target);
}

/**
 * Folds a text as texts are compared: small letters, one blank between words and none around them. `folding` has a byte for each character of
 * ASCII and a half word for each letter of two bytes, 0 for what only texts tell.
 */
function foldText(folding: u32, from: u32, to: u32, target: u32): u32 {
  let out = target;
  let isBehindBlank = true;
  for (let at = from; at < to;) {
    const byte = <u32>load<u8>(at);
    let letter: u32;
    if (byte < 0x80) {
      letter = <u32>load<u8>(folding + byte);
      at += 1;
    } else if (byte < 0xe0) {
      letter = <u32>load<u16>(folding + 128 + ((((byte & 31) << 6) | (load<u8>(at, 1) & 63)) << 1));
      at += 2;
    } else {
      return NOT_FOLDED;
    }
    if (letter == 0) return NOT_FOLDED;
    const isBlank = letter == SPACE;
    if (isBlank && isBehindBlank) continue;
    store<u16>(out, <u16>letter);
    out += letter > 0xff ? 2 : 1;
    isBehindBlank = isBlank;
  }
  return isBehindBlank && out > target ? out - 1 : out;
}

/** Whether a hash is in the table of a leaf, whose free slots are 0. */
export function isAmong(leaf: u32, hash: u64): bool {
  const hashes = load<u32>(leaf, HASHES);
  if (hashes == 0) return false;
  const mask = load<u32>(leaf, HASH_MASK);
  let number = (<u32>hash) & mask;
  let known = load<u64>(hashes + (number << 3));
  while (known != 0) {
    if (known == hash) return true;
    number = (number + 1) & mask;
    known = load<u64>(hashes + (number << 3));
  }
  return false;
}

/** Whether a text is like one of some patterns: how many there are, then for each the number of its pieces, and where each begins and how long it is. */
function isLikeOne(patterns: u32, from: u32, to: u32): bool {
  let pattern = patterns + 4;
  for (let left = load<u32>(patterns); left != 0; left -= 1) {
    const pieces = load<u32>(pattern);
    if (isLike(pattern + 4, pieces, from, to)) return true;
    pattern += 4 + (pieces << 3);
  }
  return false;
}

/** Whether a text is like a pattern with any characters between its pieces; each piece is looked for once, from left to right. */
function isLike(pieces: u32, count: u32, from: u32, to: u32): bool {
  const last = pieces + ((count - 1) << 3);
  const length = load<u32>(last, 4);
  let at = from + load<u32>(pieces, 4);
  if (at + length > to || !isAt(pieces, from) || !isAt(last, to - length)) return false;
  for (let piece = pieces + 8; piece < last; piece += 8) {
    const end = to - length - load<u32>(piece, 4);
    while (<i32>at <= <i32>end && !isAt(piece, at)) at += 1;
    if (<i32>at > <i32>end) return false;
    at += load<u32>(piece, 4);
  }
  return true;
}

function isAt(piece: u32, at: u32): bool {
  const text = load<u32>(piece);
  const length = load<u32>(piece, 4);
  for (let next: u32 = 0; next < length; next += 1) if (load<u8>(text + next) != load<u8>(at + next)) return false;
  return true;
}

/* Numbers. */

/** Reads a cell of a few digits, perhaps with one or two decimals and spaces around it; others are remembered. False when only its text tells. */
function readNumber(field: u32, start: u32, end: u32): bool {
  let at = start;
  let to = end;
  while (at < to && load<u8>(at) == SPACE) at += 1;
  while (at < to && load<u8>(to - 1) == SPACE) to -= 1;
  if (at == to) {
    store<u32>(field, NOTHING, KIND);
    return true;
  }
  const from = at;
  let value: u64 = 0;
  while (at < to && isDigit(at)) value = value * 10 + digitAt(at++);
  const digits = at - from;
  let divisor: f64 = 1;
  if (at < to && (load<u8>(at) == COMMA || load<u8>(at) == DOT) && load<u32>(field, READ) != READ_STOCK) {
    const decimals = to - at - 1;
    if (decimals - 1 >= MOST_DECIMALS) return findNumber(field);
    divisor = decimals == 1 ? 10 : 100;
    at += 1;
    while (at < to && isDigit(at)) value = value * 10 + digitAt(at++);
  }
  if (at < to || digits == 0 || digits > MOST_DIGITS) return findNumber(field);
  store<u32>(field, KNOWN, KIND);
  store<f64>(field, <f64>value / divisor, VALUE);
  return true;
}

// @inline
function isDigit(at: u32): bool {
  return <u32>load<u8>(at) - 48 < 10;
}

// @inline
function digitAt(at: u32): u64 {
  return <u64>load<u8>(at) - 48;
}

function findNumber(field: u32): bool {
  const cell = findCell(field, false);
  const kind = cell == 0 ? UNREAD : load<u32>(cell, CELL_KIND);
  store<u32>(field, kind, KIND);
  if (kind == UNREAD) return false;
  store<f64>(field, load<f64>(cell, CELL_VALUE), VALUE);
  return true;
}

/* What is remembered of cells: 32 bytes of text padded with zeros, its length plus 1, what it is as a number, which, and a bit for each leaf that was answered, and
 * for each yes. */
const LONGEST: u32 = 32;
const CELL_LENGTH: u32 = 32;
const CELL_KIND: u32 = 36;
const CELL_VALUE: u32 = 40;
const ANSWERED: u32 = 48;
const ANSWERS: u32 = 52;
const CELL_BYTES: u32 = 64;
/** Of the 64 bits of a hash those that number the cells of a field. */
const CELL_SHIFT: u64 = 54;
/** Answers of further leaves are not remembered. */
const MOST_REMEMBERED: u32 = 32;

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;

/** Where the cell of a field is remembered, or 0; with `makesRoom` it replaces another one there. */
function findCell(field: u32, makesRoom: bool): u32 {
  const from = load<u32>(field, FROM);
  const length = load<u32>(field, TO) - from;
  if (length > LONGEST) return 0;
  const low = v128.and(v128.load(from), maskOf(length, 0));
  const high = v128.and(v128.load(from, 16), maskOf(length, 16));
  const mixed = v128.xor(low, high);
  const spread = (<u64>i64x2.extract_lane(mixed, 0) * P1) ^ (<u64>i64x2.extract_lane(mixed, 1) * P2);
  const cell = load<u32>(field, KNOWN_CELLS) + <u32>((spread * P3) >> CELL_SHIFT) * CELL_BYTES;
  const difference = v128.or(v128.xor(v128.load(cell), low), v128.xor(v128.load(cell, 16), high));
  if (load<u32>(cell, CELL_LENGTH) == length + 1 && !v128.any_true(difference)) return cell;
  if (!makesRoom) return 0;
  v128.store(cell, low);
  v128.store(cell, high, 16);
  store<u32>(cell, length + 1, CELL_LENGTH);
  store<u32>(cell, UNREAD, CELL_KIND);
  store<u64>(cell, 0, ANSWERED);
  return cell;
}

function remembered(leaf: u32, field: u32): u32 {
  const number = load<u32>(leaf, NUMBER);
  const cell = number < MOST_REMEMBERED ? findCell(field, false) : 0;
  if (cell == 0 || ((load<u32>(cell, ANSWERED) >> number) & 1) == 0) return UNKNOWN;
  return (load<u32>(cell, ANSWERS) >> number) & 1;
}

/** Remembers what the text of the cell that a leaf asked last answers. */
export function keepAnswer(leaf: u32, found: u32): void {
  const number = load<u32>(leaf, NUMBER);
  const cell = number < MOST_REMEMBERED ? findCell(fieldOf(leaf), true) : 0;
  if (cell == 0) return;
  store<u32>(cell, load<u32>(cell, ANSWERED) | (1 << number), ANSWERED);
  store<u32>(cell, load<u32>(cell, ANSWERS) | (found << number), ANSWERS);
}

/** Notes and remembers what the text of the cell that a leaf asked last is as a number. */
export function keepNumber(leaf: u32, kind: u32, value: f64): void {
  const field = fieldOf(leaf);
  store<u32>(field, kind, KIND);
  store<f64>(field, value, VALUE);
  const cell = findCell(field, true);
  if (cell == 0) return;
  store<u32>(cell, kind, CELL_KIND);
  store<f64>(cell, value, CELL_VALUE);
}
