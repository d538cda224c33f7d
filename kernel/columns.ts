import { mayBePadded, trimEnd, trimStart } from './blanks';
import { decodeCell, isCoded, isCopied } from './cells';
import { isGarbled, mend, mended, mendedEnd } from './garbled';
import { countInvisible, countPrintable, nextInvisible, readPrintable, removeInvisible } from './invisible';
import { matchesIndexed, matchesPrefix, mayMatchPrefix, needsSlowPath } from './patterns';
import { IN_NAME, judgePlaceholder, mayBePlaceholder, NOTHING, SOMETHING } from './placeholders';
import * as settings from './settings';
import { countTags, hasDropped, isUploadedMark, noTag, noTagEnd, repairedEnd, repairTags, translateTags } from './tags';

/* What the cell of a configured column is. */
export const FINE: u32 = 0;
/** For the slow path. */
export const UNUSUAL: u32 = 1;
/** For the slow path, unless the pattern that it shows is a plain damage. */
export const SHOWS_PATTERN: u32 = 4;
/** Empty although the column is required; with more tags than a list may have. */
export const IS_EMPTY: u32 = 2;
export const HAS_MANY_TAGS: u32 = 3;
/** Without a value, but for a word or a mark; of a list one tag. */
export const STANDS_FOR_NOTHING: u32 = 5;

const HASH: u8 = 35;

/** Longer cells are left to the slow path where a message quotes them, in bytes. */
const LONGEST_CLEANED: u32 = 800;

/** A bit for each column of the row from which invisible characters were removed, in which a formula failed, that is garbled, or was emptied. */
export let cleaned: u64 = 0;
export let failed: u64 = 0;
export let garbled: u64 = 0;
export let emptied: u64 = 0;

/** A bit for each column of the row from which empty or repeated tags were dropped. */
export let dropped: u64 = 0;

/** Begins to read the columns of a row, which may be read in another way afterwards. */
export function forgetDropped(): void {
  dropped = 0;
}

/** Begins a row, of which no column is read yet. */
export function beginColumns(): void {
  cleaned = failed = garbled = emptied = 0;
}

/** Notes that a formula failed in a column. */
export function keepFailed(column: u32): void {
  failed |= (<u64>1) << column;
}

/** The tag that stood for nothing in the one list of the row that had such a tag. */
export let lostTag: u32 = 0;
export let lostTagEnd: u32 = 0;

/** Empties a column that stands for nothing; a list has lost its tag already. */
export function emptyColumn(column: u32): void {
  emptied |= (<u64>1) << column;
  if (settings.isList(column)) {
    lostTag = noTag;
    lostTagEnd = noTagEnd;
  } else {
    keepColumn(column, startOf(column), startOf(column));
  }
}

/** How many tags the list has that was read last. */
export let tagCount: u32 = 0;

// @inline
export function startOf(column: u32): u32 {
  return load<u32>(settings.columnAt(column));
}

// @inline
export function endOf(column: u32): u32 {
  return load<u32>(settings.columnAt(column), 4);
}

// @inline
export function keepColumn(column: u32, from: u32, to: u32): void {
  store<u64>(settings.columnAt(column), (<u64>from) | ((<u64>to) << 32));
}

/**
 * Reads the cell [from, to) of a column and keeps its text: tabs and line breaks become spaces, blanks around it go, and so do
 * empty and repeated tags. Brand and number are checked when all columns are known. `cell` is 0 in a row that was not cut, which
 * has nothing but text in its cells.
 */
// @inline
export function readColumn(column: u32, from: u32, to: u32, cell: u32): u32 {
  let begin = from;
  let end = to;
  const coded = cell != 0 && isCoded(cell);
  if (coded) {
    if (end - begin > settings.MAX_REPAIRED) return UNUSUAL;
    begin = settings.repairBuffer(column);
    end = decodeCell(cell, begin);
  }
  if (begin < end && mayBePadded(begin, end)) {
    const whole = end;
    begin = trimStart(begin, end);
    end = trimEnd(begin, end);
    // A no-break space behind one of these letters is half of a letter that was read in a wrong charset.
    if (end < whole && endsGarbled(begin, end)) return UNUSUAL;
  }
  keepColumn(column, begin, end);
  if (begin == end) return settings.isRequired(column) ? IS_EMPTY : FINE;
  if (column == settings.brandAt) return FINE;
  if (column == settings.oemAt) return settings.numberMarks != 0 && hasNumberMark(from, to) ? UNUSUAL : FINE;
  const automaton = settings.automatonOf(column);
  if (coded || (cell != 0 && isCopied(cell))) {
    if (needsSlowPath(automaton, begin, end)) return UNUSUAL;
  } else {
    const first = <u32>load<u8>(begin);
    if (mayMatchPrefix(settings.prefixBytesOf(column), first) && matchesPrefix(automaton, begin, end))
      return SHOWS_PATTERN;
    if (cell != 0 && matchesIndexed(automaton, begin, end, load<u32>(cell, 8))) return SHOWS_PATTERN;
  }
  if (settings.isList(column)) {
    const list = readList(column, begin, end);
    return list == STANDS_FOR_NOTHING && (coded || emptied != 0 || settings.isRequired(column)) ? UNUSUAL : list;
  }
  if (column != settings.nameAt || !mayBePlaceholder(begin, end)) return FINE;
  const found = judgePlaceholder(begin, end, IN_NAME);
  if (found == SOMETHING) return FINE;
  return found == NOTHING && !coded ? STANDS_FOR_NOTHING : UNUSUAL;
}

/** Whether the cell of the column of names may stand for nothing. */
// @inline
function isNoName(column: u32, from: u32, to: u32): bool {
  return column == settings.nameAt && mayBePlaceholder(from, to) && judgePlaceholder(from, to, IN_NAME) != SOMETHING;
}

/**
 * As `readColumn`, for a cell with invisible characters, which are removed, or one that was read in a wrong charset, which is mended where
 * that is wanted; the text is in `settings.repairBuffer` then.
 */
export function cleanColumn(column: u32, from: u32, to: u32, cell: u32): u32 {
  if (isCoded(cell) || to - from > LONGEST_CLEANED || mayBePadded(from, to)) return UNUSUAL;
  const isPart = column == settings.brandAt || column == settings.oemAt;
  if (column == settings.oemAt && settings.numberMarks != 0 && hasNumberMark(from, to)) return UNUSUAL;
  const begin = settings.repairBuffer(column);
  let end = removeInvisible(from, to, begin);
  if (end == 0) return UNUSUAL;
  if (isGarbled(from, to)) {
    if (isPart) return UNUSUAL;
    garbled |= (<u64>1) << column;
    if (settings.mendsGarbled != 0 && mend(from, to)) {
      if (nextInvisible(mended, mendedEnd) < mendedEnd) return UNUSUAL;
      end = removeInvisible(mended, mendedEnd, begin);
    } else {
      end = clean(column, from, to, end);
    }
    // What else a garbled text may be: the message of a failed formula.
    if (end <= begin || mayBePadded(begin, end) || load<u8>(begin) == HASH) return UNUSUAL;
    keepColumn(column, begin, end);
    if (settings.isList(column)) return readCleanedList(column, begin, end);
    return isNoName(column, begin, end) ? UNUSUAL : FINE;
  }
  end = clean(column, from, to, end);
  if (end <= begin || mayBePadded(begin, end)) return UNUSUAL;
  keepColumn(column, begin, end);
  if (isPart) return FINE;
  if (needsSlowPath(settings.automatonOf(column), begin, end)) return UNUSUAL;
  if (settings.isList(column)) return readCleanedList(column, begin, end);
  return isNoName(column, begin, end) ? UNUSUAL : FINE;
}

/**
 * Notes that the invisible characters of a text are removed, which was written up to `end`, or puts the printable ones in their place;
 * returns the end, or 0 when the row is for the slow path.
 */
function clean(column: u32, from: u32, to: u32, end: u32): u32 {
  const count = countInvisible(from, to);
  if (count == 0) return end;
  cleaned |= (<u64>1) << column;
  const printable = settings.readsControls == 0 ? 0 : countPrintable(from, to);
  if (printable == 0) return end;
  return printable == count ? readPrintable(from, to, settings.repairBuffer(column)) : 0;
}

/** Whether a text ends in a letter with which mojibake begins: C3 82 or C3 83 in UTF-8. */
function endsGarbled(from: u32, to: u32): bool {
  return to - from >= 2 && load<u8>(to - 2) == 0xc3 && (load<u8>(to - 1) & 0xfe) == 0x82;
}

/** A list from which something else was removed as well loses no tag here. */
function readCleanedList(column: u32, from: u32, to: u32): u32 {
  const found = readList(column, from, to);
  return found == STANDS_FOR_NOTHING ? UNUSUAL : found;
}

// @inline
function readList(column: u32, from: u32, to: u32): u32 {
  tagCount = countTags(from, to);
  const target = settings.listBuffer(column);
  if (tagCount != 0 && !isUploadedMark()) {
    if (!translateTags(from, to, target)) return UNUSUAL;
    keepColumn(column, target, repairedEnd);
  } else if (tagCount == 0) {
    tagCount = repairTags(from, to, target);
    if (tagCount == settings.NONE) return UNUSUAL;
    if (hasDropped) dropped |= (<u64>1) << column;
    keepColumn(column, target, repairedEnd);
    if (noTag != 0) return tagCount > settings.maxTags ? UNUSUAL : STANDS_FOR_NOTHING;
  }
  return tagCount > settings.maxTags ? HAS_MANY_TAGS : FINE;
}

/** Whether a cell has a mark that may part several numbers: a byte whose halves have a bit in common in two tables of sixteen. */
// @inline
function hasNumberMark(from: u32, to: u32): bool {
  const marks = numberMarksIn(v128.load(from));
  const length = to - from;
  const found = length < 16 ? marks & ((1 << length) - 1) : marks;
  return found != 0 ? mayBeParted(from, to) : length > 16 && hasNumberMarkBehind(from, to);
}

/** Whether there is one behind the first 16 bytes. */
function hasNumberMarkBehind(from: u32, to: u32): bool {
  for (let at = from + 16; at < to; at += 16) {
    const marks = numberMarksIn(v128.load(at));
    if (marks != 0 && at + <u32>ctz(marks) < to) return mayBeParted(from, to);
  }
  return false;
}

// @inline
function numberMarksIn(bytes: v128): u32 {
  const lower = i8x16.swizzle(v128.load(settings.numberMarks), v128.and(bytes, i8x16.splat(15)));
  const upper = i8x16.swizzle(v128.load(settings.numberMarks, 16), i8x16.shr_u(bytes, 4));
  return <u32>i8x16.bitmask(i8x16.ne(v128.and(lower, upper), i8x16.splat(0)));
}

/* What a piece beside a slash needs at least to be a number by itself, see `LEAST` in src/parts/several-numbers.ts. */
const LEAST_CHARACTERS: u32 = 5;
const LEAST_DIGITS: u32 = 3;
const SLASH: u32 = 47;
const BLANK: u32 = 32;
/* The first bytes of letters of two bytes from U+00C0 to U+04FF, and of what is none among and before them. */
const NO_LETTERS: u32 = 0xc0;
const FIRST_LETTERS: u32 = 0xc3;
const ACCENTS: u32 = 0xcc;
const MORE_ACCENTS: u32 = 0xcd;
const LAST_LETTERS: u32 = 0xd4;

/* Which slashes may part a cell: every one, or only those between blanks or beside another one; else those between long pieces too. */
const EVERY_SLASH: u32 = 0;
const SPACED_SLASHES: u32 = 2;

/**
 * Whether the marks of a cell may part it. Slashes without blanks beside them do not where they are no mark by themselves, nor where a piece is
 * short, as in `12/34`.
 */
function mayBeParted(from: u32, to: u32): bool {
  if (settings.slashes == EVERY_SLASH) return true;
  let characters: u32 = 0;
  let digits: u32 = 0;
  let isShort = false;
  let before: u32 = SLASH;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte == SLASH) {
      if (before == SLASH || before == BLANK || at + 1 == to || load<u8>(at, 1) == <u8>BLANK) return true;
      isShort = isShort || characters < LEAST_CHARACTERS || digits < LEAST_DIGITS;
      characters = 0;
      digits = 0;
    } else if (byte >= 0x80) {
      if (!isPartOfLetter(byte)) return true;
      if (byte >= FIRST_LETTERS) characters += 1;
    } else if (isNumberMark(byte)) {
      return true;
    } else if (byte - 48 < 10) {
      characters += 1;
      digits += 1;
    } else if ((byte | 32) - 97 < 26) {
      characters += 1;
    }
    before = byte;
  }
  if (settings.slashes == SPACED_SLASHES) return false;
  return !isShort && characters >= LEAST_CHARACTERS && digits >= LEAST_DIGITS;
}

/** A byte of a letter of two bytes that is certainly no blank, mark or accent; any second byte. */
function isPartOfLetter(byte: u32): bool {
  return byte < LAST_LETTERS && byte != ACCENTS && byte != MORE_ACCENTS && (byte >= FIRST_LETTERS || byte < NO_LETTERS);
}

function isNumberMark(byte: u32): bool {
  return (load<u8>(settings.numberMarks + (byte & 15)) & load<u8>(settings.numberMarks + 16 + (byte >> 4))) != 0;
}
