import { cellCount } from './cells';
import * as settings from './settings';

/*
 * Whether a row may be a header below the first one, as src/validate/header/later-header.ts finds out: its number names a column, or all of
 * its cells repeat parts of the header. A no is certain, and a yes is for the slow path.
 */

/*
 * Four tables of bits, one for each hash of Latin or Cyrillic letters in lower case: the first five of a name; with which fewer a name begins; which fewer
 * are a whole name, and stand before no other letter of a word; with which a name ends that only ends words.
 */
const SHORT: u32 = 8192;
const WHOLE: u32 = 16384;
const ENDINGS: u32 = 24576;
const MOST: u32 = 5;
/** Behind them a table of bits for the hashes of all whole names, of Latin or Cyrillic letters and digits. */
const NAMES: u32 = 32768;

const SPACE: u32 = 32;
const DASH: u32 = 45;
const DOT: u32 = 46;
const SLASH: u32 = 47;
const HASH: u32 = 35;
const LEAST_LETTERS: u32 = 3;
/** So many words of several letters are a sentence, see src/values/no-numbers.ts. */
const LEAST_WORDS: u32 = 3;

/** Whether a text is Latin letters alone, at least three, in two words with a vowel at most: it has no digit and is no sentence. */
export function isPlainWord(from: u32, to: u32): bool {
  let letters: u32 = 0;
  let words: u32 = 0;
  let hasVowel: u32 = 0;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    const letter = letterOf(byte);
    if (letter != 0) {
      letters += 1;
      if (hasVowel == 0 && ((VOWELS >> letter) & 1) != 0) {
        words += 1;
        hasVowel = 1;
      }
    } else if (byte == SPACE) {
      hasVowel = 0;
    } else if (byte != DASH && byte != DOT && byte != SLASH) {
      return false;
    }
  }
  return letters >= LEAST_LETTERS && words < LEAST_WORDS;
}

/** Whether a text of Latin letters may be the name of the column of numbers: case and the marks between letters do not count. */
export function mayBeNumberName(from: u32, to: u32): bool {
  let hash = NO_LETTERS;
  for (let at = from; at < to; at += 1) {
    const letter = letterOf(<u32>load<u8>(at));
    if (letter != 0) hash = hashed(hash, letter);
  }
  return hash == settings.numberName;
}

/** A bit for each of a, e, i, o, u and y by its number. */
const VOWELS: u32 = 0x2208222;

/** Whether a text certainly names no column: words of Latin or Cyrillic letters, each of one case or with a capital before small ones. */
export function namesNoColumn(from: u32, to: u32): bool {
  let inWord: u32 = 0;
  let hasWord = false;
  let isSmall = false;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    const letter = letterAt(at);
    if (letter != 0) {
      const wasSmall = isSmall;
      isSmall = byte < 0x80 ? (byte & 32) != 0 : isSmallCyrillic(byte, <u32>load<u8>(at, 1));
      if (inWord > 0 && isSmall != wasSmall && !(isSmall && inWord == 1)) return false;
      if ((inWord == 0 && startsName(at, to)) || (byte < 0x80 && endsName(at, from, to))) return false;
      inWord += 1;
      hasWord = true;
      if (byte >= 0x80) at += 1;
    } else if (byte == SPACE || byte == DASH || byte == DOT || byte == SLASH) {
      inWord = 0;
    } else {
      return false;
    }
  }
  return hasWord;
}

/** Whether a cell of the row, other than those at two places, certainly is no name of a column as a whole. */
export function hasCellWithoutName(brandPlace: u32, numberPlace: u32): bool {
  for (let number: u32 = 0; number < cellCount; number += 1) {
    if (number == brandPlace || number == numberPlace) continue;
    const cell = settings.cellAt(number);
    if (isNoName(load<u32>(cell), load<u32>(cell, 4))) return true;
  }
  return false;
}

/** Whether a text certainly is no name as a whole: it has letters or digits, and those of no name, whose last digits do not count. */
function isNoName(from: u32, to: u32): bool {
  let hash = NO_LETTERS;
  let bare = NO_LETTERS;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte < 0x80) {
      if (byte == HASH) return false;
      const isDigit = byte - 48 < 10;
      const letter = isDigit ? byte : letterOf(byte);
      if (letter == 0) continue;
      hash = hashed(hash, letter);
      if (!isDigit) bare = hash;
    } else {
      const letter = cyrillicOf(byte, <u32>load<u8>(at, 1));
      if (letter == 0) return false;
      hash = hashed(hash, letter);
      bare = hash;
      at += 1;
    }
  }
  return hash != NO_LETTERS && !isName(hash) && !isName(bare);
}

/** The number of a letter, 0 for anything but Latin letters of ASCII and Cyrillic ones. */
// @inline
function letterAt(at: u32): u32 {
  const byte = <u32>load<u8>(at);
  return byte < 0x80 ? letterOf(byte) : cyrillicOf(byte, <u32>load<u8>(at, 1));
}

/** The number of a Cyrillic letter from U+0400 to U+045F in small, without the marks that Unicode takes off; 0 for anything else. */
function cyrillicOf(lead: u32, next: u32): u32 {
  const letter = ((lead & 31) << 6) | (next & 63);
  if ((lead != 0xd0 && lead != 0xd1) || letter > 0x45f) return 0;
  const small = letter < 0x410 ? letter + 80 : letter < 0x430 ? letter + 32 : letter;
  if (small == 0x439 || small == 0x45d) return 0x438;
  if (small == 0x450 || small == 0x451) return 0x435;
  if (small == 0x453) return 0x433;
  if (small == 0x457) return 0x456;
  if (small == 0x45c) return 0x43a;
  return small == 0x45e ? 0x443 : small;
}

// @inline
function isSmallCyrillic(lead: u32, next: u32): bool {
  return (((lead & 31) << 6) | (next & 63)) >= 0x430;
}

// @inline
function isName(hash: u32): bool {
  const bit = (hash ^ (hash >> 13)) & 0x7ffff;
  return ((load<u8>(settings.columnNames + NAMES + (bit >> 3)) >> (bit & 7)) & 1) != 0;
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
  for (let next = at; next < to;) {
    const letter = letterAt(next);
    next += <u32>load<u8>(next) < 0x80 ? 1 : 2;
    if (letter == 0) continue;
    hash = hashed(hash, letter);
    found += 1;
    if (found == MOST) return hasBit(settings.columnNames, hash);
    if (hasBit(settings.columnNames + SHORT, hash)) return true;
    const isLast = next >= to || letterAt(next) == 0;
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
