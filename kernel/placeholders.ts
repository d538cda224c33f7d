import { areEqual } from './bytes';
import * as settings from './settings';

/*
 * Cells that stand for nothing, as src/values/placeholders.ts knows them: words in a table, which src/validate/patterns/placeholder-table.ts
 * makes, and cells of marks and zeros alone. The table has: a bit for each pair of bytes with which such a cell may begin; what becomes of each
 * ASCII character, 0 for none, 1 for a mark that counts inside a word; a half word for each letter of two bytes, 0 for none, 1 for one that only
 * the slow path can fold; slots of a hash table with the offsets of words; the words, each behind its length and a bit for each column that it
 * stands for nothing in; a bit for each beginning of a word, its first letters.
 */
const LETTERS: u32 = 8192;
const LETTERS_OF_TWO: u32 = LETTERS + 128;
const SLOTS: u32 = LETTERS_OF_TWO + 4096;
const SLOT_MASK: u32 = 4095;
const BEGINNINGS: u32 = SLOTS + 16384 + 49152;
/** A beginning has as many letters, or is a whole word. */
const BEGINNING: u32 = 4;

/** Longer cells, in bytes, are texts; shorter ones have certainly no more characters than a placeholder may have. */
const LONGEST: u32 = 120;
const CERTAINLY_SHORT: u32 = 40;

/* What a cell is: something, perhaps nothing, which the slow path decides, or certainly nothing. */
export const SOMETHING: u32 = 0;
export const UNCERTAIN: u32 = 1;
export const NOTHING: u32 = 2;

/* The bits of the columns. */
export const IN_BRAND: u32 = 1;
export const IN_NUMBER: u32 = 2;
export const IN_NAME: u32 = 4;
export const IN_TAGS: u32 = 8;
/** The word stands for nothing where dots are written in it, which the slow path sees. */
const DOTTED: u32 = 16;

const DROPPED: u32 = 0;
const MARK: u32 = 1;
const UNKNOWN: u32 = 1;
const ZERO: u32 = 48;
/** `\N` is nothing, and `N` is something. */
const BACKSLASH: u32 = 92;

/** Whether a cell that is not empty may stand for nothing, by how it begins. */
// @inline
export function mayBePlaceholder(from: u32, to: u32): bool {
  const pair = (<u32>load<u8>(from)) | (to - from > 1 ? (<u32>load<u8>(from, 1)) << 8 : 0);
  return ((load<u8>(settings.placeholders + (pair >> 3)) >> (pair & 7)) & 1) != 0 && mayBeginWord(from, to);
}

/** Whether the first letters of a cell may begin a word; a no is certain. */
// @inline
function mayBeginWord(from: u32, to: u32): bool {
  const letters = load<u32>(from);
  return to - from >= BEGINNING && areLetters(letters)
    ? isBeginning(hashOfFour(letters & CAPITALS))
    : mayFold(from, to);
}

/** Whether four bytes are Latin letters of ASCII. */
// @inline
function areLetters(bytes: u32): bool {
  const small = bytes | 0x20202020;
  return ((bytes | ~(small + 0x1f1f1f1f) | (small + 0x05050505)) & 0x80808080) == 0;
}

const CAPITALS: u32 = 0xdfdfdfdf;

// @inline
function hashOfFour(letters: u32): u32 {
  const half = hashed(hashed(NO_BYTES, letters & 0xff), (letters >> 8) & 0xff);
  return hashed(hashed(half, (letters >> 16) & 0xff), letters >> 24);
}

// @inline
function isBeginning(hash: u32): bool {
  const bit = (hash ^ (hash >> 16)) & 0xffff;
  return ((load<u8>(settings.placeholders + BEGINNINGS + (bit >> 3)) >> (bit & 7)) & 1) != 0;
}

/** The same for any cell, whose letters are folded. */
function mayFold(from: u32, to: u32): bool {
  const table = settings.placeholders;
  let hash = NO_BYTES;
  let letters: u32 = 0;
  for (let at = from; at < to && letters < BEGINNING;) {
    const byte = <u32>load<u8>(at);
    let letter: u32;
    if (byte < 0x80) {
      at += 1;
      letter = <u32>load<u8>(table + LETTERS + byte);
      if (letter == DROPPED) continue;
      if (letter == MARK || letter == ZERO) return true;
    } else if (byte < 0xe0) {
      letter = <u32>load<u16>(table + LETTERS_OF_TWO + ((((byte & 31) << 6) | (load<u8>(at, 1) & 63)) << 1));
      at += 2;
      if (letter == DROPPED) continue;
      if (letter == UNKNOWN) return true;
    } else {
      return true;
    }
    hash = hashed(hash, letter & 0xff);
    if (letter > 0xff) hash = hashed(hash, letter >> 8);
    letters += 1;
  }
  return letters == 0 || isBeginning(hash);
}

/* The hash of bytes: FNV-1a. */
const NO_BYTES: u32 = 0x811c9dc5;
// @inline
function hashed(hash: u32, byte: u32): u32 {
  return (hash ^ byte) * 0x01000193;
}

/** Says whether a cell that is not empty stands for nothing in a column; `place` is the bit of the column. */
export function judgePlaceholder(from: u32, to: u32, place: u32): u32 {
  if (to - from > LONGEST) return SOMETHING;
  const table = settings.placeholders;
  const key = settings.keyBuffer();
  let out = key;
  // Where the last letter ends, behind which marks do not count.
  let end = key;
  let isExact = to - from <= CERTAINLY_SHORT;
  let isZero = true;
  for (let at = from; at < to;) {
    const byte = <u32>load<u8>(at);
    if (byte < 0x80) {
      at += 1;
      const folded = <u32>load<u8>(table + LETTERS + byte);
      if (folded == DROPPED) continue;
      if (folded == MARK) {
        if (byte == BACKSLASH) return UNCERTAIN;
        if (out == key) continue;
        store<u8>(out, <u8>byte);
        out += 1;
        continue;
      }
      store<u8>(out, <u8>folded);
      out += 1;
      if (folded != ZERO) isZero = false;
    } else if (byte < 0xe0) {
      const letter = <u32>load<u16>(table + LETTERS_OF_TWO + ((((byte & 31) << 6) | (load<u8>(at, 1) & 63)) << 1));
      at += 2;
      if (letter == UNKNOWN) return UNCERTAIN;
      if (letter == DROPPED) {
        isExact = false;
        continue;
      }
      store<u16>(out, <u16>letter);
      out += letter > 0xff ? 2 : 1;
      isZero = false;
    } else if (isForSlowPath(byte, at)) {
      return UNCERTAIN;
    } else if (byte == 0xe2 || byte == 0xef || (byte == 0xe3 && load<u8>(at, 1) == 0x80)) {
      if (!isDash(at)) isExact = false;
      at += 3;
      continue;
    } else {
      const length: u32 = byte < 0xf0 ? 3 : 4;
      for (let part: u32 = 0; part < length; part += 1) store<u8>(out + part, load<u8>(at + part));
      at += length;
      out += length;
      isZero = false;
    }
    end = out;
  }
  const columns = isZero ? (end == key || place != IN_TAGS ? place : 0) : columnsOf(key, end);
  if ((columns & place) != 0) return isExact ? NOTHING : UNCERTAIN;
  return (columns & DOTTED) != 0 ? UNCERTAIN : SOMETHING;
}

/** Forms as wide as ideographs, other slashes, and letters of Hangul that nobody sees. */
function isForSlowPath(byte: u32, at: u32): bool {
  const second = <u32>load<u8>(at, 1);
  if (byte == 0xef) return second == 0xbc || second == 0xbd || second == 0xbe;
  if (byte == 0xe2) return load<u16>(at, 1) == 0x8481 || load<u16>(at, 1) == 0x9588;
  return (byte == 0xe1 || byte == 0xe3) && second == 0x85;
}

/** A dash of U+2010 to U+2015, or a minus. */
function isDash(at: u32): bool {
  const rest = load<u16>(at, 1);
  return (rest & 0xff) == 0x80 ? rest >> 8 >= 0x90 && rest >> 8 <= 0x95 : rest == 0x9288;
}

/** The bits of the columns in which a folded word stands for nothing. */
function columnsOf(key: u32, end: u32): u32 {
  const table = settings.placeholders;
  const length = end - key;
  let hash = NO_BYTES;
  for (let at = key; at < end; at += 1) hash = hashed(hash, <u32>load<u8>(at));
  let slot = hash & SLOT_MASK;
  let offset = load<u32>(table + SLOTS + (slot << 2));
  while (offset != 0) {
    const word = table + offset;
    if (<u32>load<u8>(word) == length && areEqual(word + 2, key, length)) return load<u8>(word, 1);
    slot = (slot + 1) & SLOT_MASK;
    offset = load<u32>(table + SLOTS + (slot << 2));
  }
  return 0;
}
