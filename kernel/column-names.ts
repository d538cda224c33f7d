import { cellCount } from './cells';
import * as settings from './settings';

/*
 * Whether a row may be a header below the first one, as src/validate/header/later-header.ts finds out: its number names a column, or all of
 * its cells repeat parts of the header. A no is certain, and a yes is for the slow path.
 */

/** A letter is a number from 1 to 26, and 0 where there is none; a bit for each three of them, in two tables. */
const LETTERS: u32 = 27;
const NAME_BITS_BYTES: u32 = 2496;

const SPACE: u32 = 32;
const DASH: u32 = 45;
const DOT: u32 = 46;
const SLASH: u32 = 47;
const HASH: u32 = 35;
const LEAST_LETTERS: u32 = 3;

/** Whether a text without a digit certainly names no column and is no sentence: two words of Latin letters of one case at most, at least three letters. */
export function namesNoColumn(from: u32, to: u32): bool {
  let letters: u32 = 0;
  let spaces: u32 = 0;
  let cases: u32 = 0;
  let isWithin = false;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    const isBegun = isWithin;
    isWithin = letterOf(byte) != 0;
    if (isWithin) {
      letters += 1;
      cases |= byte & 32 ? 1 : 2;
      if ((!isBegun && startsName(at, to)) || endsName(at, from, to)) return false;
    } else if (byte == SPACE) {
      spaces += 1;
    } else if (byte != DASH && byte != DOT && byte != SLASH) {
      return false;
    }
  }
  return letters >= LEAST_LETTERS && spaces < 2 && cases != 3;
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

/** Whether a name of a column begins with the first three letters of a word, of which some may stand in the next words. */
function startsName(at: u32, to: u32): bool {
  let three: u32 = 0;
  let found: u32 = 0;
  for (let next = at; next < to && found < 3; next += 1) {
    const letter = letterOf(<u32>load<u8>(next));
    if (letter == 0) continue;
    three = three * LETTERS + letter;
    found += 1;
  }
  for (; found < 3; found += 1) three *= LETTERS;
  return hasBit(settings.columnNames, three);
}

/** Whether a word ends here, and a name ends with its last three letters. */
function endsName(at: u32, from: u32, to: u32): bool {
  if (at + 1 < to && letterOf(<u32>load<u8>(at, 1)) != 0) return false;
  let three: u32 = 0;
  let weight: u32 = 1;
  for (let before = at; weight < LETTERS * LETTERS * LETTERS; before -= 1) {
    const letter = letterOf(<u32>load<u8>(before));
    if (letter == 0) break;
    three += letter * weight;
    weight *= LETTERS;
    if (before == from) break;
  }
  return hasBit(settings.columnNames + NAME_BITS_BYTES, three);
}

// @inline
function hasBit(table: u32, bit: u32): bool {
  return ((load<u8>(table + (bit >> 3)) >> (bit & 7)) & 1) != 0;
}
