import { cellCount } from './cells';
import * as settings from './settings';

/*
 * Whether a row may be a header below the first one, as src/validate/header/later-header.ts finds out: its number names a column, or all of
 * its cells repeat parts of the header. A no is certain, and a yes is for the slow path.
 */

/*
 * Four tables of bits, one for each hash of Latin letters in lower case: the first five of a name; with which fewer a name begins; which fewer
 * are a whole name, and stand before no other letter of a word; with which a name ends that only ends words.
 */
const SHORT: u32 = 8192;
const WHOLE: u32 = 16384;
const ENDINGS: u32 = 24576;
const MOST: u32 = 5;

const SPACE: u32 = 32;
const DASH: u32 = 45;
const DOT: u32 = 46;
const SLASH: u32 = 47;
const HASH: u32 = 35;
const LEAST_LETTERS: u32 = 3;
/** So many words of several letters are a sentence, see src/values/no-numbers.ts. */
const LEAST_WORDS: u32 = 3;

/** Whether a text without a digit certainly names no column and is no sentence: Latin letters of one case, at least three, in two words of several letters at most. */
export function namesNoColumn(from: u32, to: u32): bool {
  let letters: u32 = 0;
  let words: u32 = 0;
  let inWord: u32 = 0;
  let cases: u32 = 0;
  let isWithin = false;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    const isBegun = isWithin;
    isWithin = letterOf(byte) != 0;
    if (isWithin) {
      letters += 1;
      inWord += 1;
      if (inWord == 2) words += 1;
      cases |= byte & 32 ? 1 : 2;
      if ((!isBegun && startsName(at, to)) || endsName(at, from, to)) return false;
    } else if (byte == SPACE) {
      inWord = 0;
    } else if (byte != DASH && byte != DOT && byte != SLASH) {
      return false;
    }
  }
  return letters >= LEAST_LETTERS && words < LEAST_WORDS && cases != 3;
}

/** Whether a text has nothing but marks of ASCII, of which none is read as a word. */
export function hasNoWord(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte >= 0x80 || byte == HASH || letterOf(byte) != 0 || byte - 48 < 10) return false;
  }
  return true;
}

/** Whether a cell of the row has more letters than any name in the header, of which it can be no part. */
export function hasLongCell(): bool {
  for (let number: u32 = 0; number < cellCount; number += 1) {
    const cell = settings.cellAt(number);
    const to = load<u32>(cell, 4);
    let letters: u32 = 0;
    for (let at = load<u32>(cell); at < to; at += 1) {
      const byte = <u32>load<u8>(at);
      // Latin, Greek and Cyrillic letters, without the accents that may become one with them.
      const isLetter =
        letterOf(byte) != 0 || byte - 48 < 10 || (byte >= 0xc3 && byte < 0xd4 && byte != 0xcc && byte != 0xcd);
      if (isLetter) letters += 1;
      if (letters > settings.longestName) return true;
    }
  }
  return false;
}

/** The number of a Latin letter, 0 for anything else. */
// @inline
function letterOf(byte: u32): u32 {
  const letter = (byte | 32) - 96;
  return letter - 1 < 26 ? letter : 0;
}

/** Whether a name of a column begins with the first letters of a word, of which some may stand in the next words. */
function startsName(at: u32, to: u32): bool {
  let hash = NO_LETTERS;
  let found: u32 = 0;
  for (let next = at; next < to; next += 1) {
    const letter = letterOf(<u32>load<u8>(next));
    if (letter == 0) continue;
    hash = hashed(hash, letter);
    found += 1;
    if (found == MOST) return hasBit(settings.columnNames, hash);
    if (hasBit(settings.columnNames + SHORT, hash)) return true;
    const isLast = next + 1 == to || letterOf(<u32>load<u8>(next, 1)) == 0;
    if (isLast && hasBit(settings.columnNames + WHOLE, hash)) return true;
  }
  return false;
}

/** Whether a word ends here, and a name ends with its last letters. */
function endsName(at: u32, from: u32, to: u32): bool {
  if (at + 1 < to && letterOf(<u32>load<u8>(at, 1)) != 0) return false;
  let hash = NO_LETTERS;
  for (let before = at, found: u32 = 0; found < MOST; before -= 1, found += 1) {
    const letter = letterOf(<u32>load<u8>(before));
    if (letter == 0) return false;
    hash = hashed(hash, letter);
    if (hasBit(settings.columnNames + ENDINGS, hash)) return true;
    if (before == from) return false;
  }
  return false;
}

/* The hash of letters: FNV-1a. */
const NO_LETTERS: u32 = 0x811c9dc5;
// @inline
function hashed(hash: u32, letter: u32): u32 {
  return (hash ^ letter) * 0x01000193;
}

// @inline
function hasBit(table: u32, hash: u32): bool {
  const bit = (hash ^ (hash >> 16)) & 0xffff;
  return ((load<u8>(table + (bit >> 3)) >> (bit & 7)) & 1) != 0;
}
