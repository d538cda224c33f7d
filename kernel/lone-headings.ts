import { cellCount, CELL, isPlain, unwrapped } from './cells';
import { IN_BRAND, IN_NAME, judgePlaceholder, mayBePlaceholder, SOMETHING } from './placeholders';
import { needsSlowPath } from './patterns';
import { mayBeFooter } from './refusals';
import * as settings from './settings';

/*
 * Rows of a single filled cell that certainly reads like a heading, as src/validate/checks/lone-cell.ts says it: plain words, at least one of
 * them with four letters, and nothing at the beginning that may be an article number. All others are for the slow path.
 */

/** Longer texts are no headings. */
const LONGEST: u32 = 300;
const LONG_WORD: u32 = 4;
const CODE: u32 = 5;
/** So many words at the beginning must be no article number. */
const FIRST_WORDS: u32 = 2;
/** Letters beyond ASCII are known where the text is certainly UTF-8. */
const KNOWS_LETTERS: u32 = 2;

const SPACE: u32 = 32;
const DOT: u32 = 46;
const HYPHEN: u32 = 45;

/** Whether the row that was cut is a heading for certain. */
export function isLoneHeading(): bool {
  if (settings.loneHeadings == 0 || unwrapped != 0) return false;
  if (cellCount < settings.leastCells || cellCount > settings.mostCells || cellCount < settings.neededCells)
    return false;
  const cells = settings.cellAt(0);
  const end = cells + cellCount * CELL;
  let filled: u32 = 0;
  for (let cell = cells; cell < end; cell += CELL) {
    if (!isPlain(cell)) return false;
    if (load<u32>(cell) == load<u32>(cell, 4)) continue;
    if (filled != 0) return false;
    filled = cell;
  }
  if (filled == 0) return false;
  const from = load<u32>(filled);
  const to = load<u32>(filled, 4);
  return (
    to - from <= min(LONGEST, settings.maxCell) &&
    hasWords(from, to) &&
    isSound((filled - cells) / CELL, from, to) &&
    !mayBeFooter()
  );
}

/** Whether nothing is wrong with the text in its column, which holds names or brands or is none of the configured ones. */
function isSound(place: u32, from: u32, to: u32): bool {
  for (let column: u32 = 0; column < settings.columnCount; column += 1) {
    if (settings.placeOf(column) != place) continue;
    const isBrand = column == settings.brandAt;
    if (!isBrand && column != settings.nameAt) return false;
    if (needsSlowPath(settings.automatonOf(column), from, to)) return false;
    if (mayBePlaceholder(from, to) && judgePlaceholder(from, to, isBrand ? IN_BRAND : IN_NAME) != SOMETHING)
      return false;
  }
  return true;
}

/** Whether a text has a long word, and nothing in it that may be a number or has to be looked at closer. */
function hasWords(from: u32, to: u32): bool {
  if (<u32>load<u8>(from) == SPACE || <u32>load<u8>(to - 1) == SPACE) return false;
  let hasLongWord = false;
  // Of the piece between blanks: its number, and what is in it.
  let piece: u32 = 0;
  let length: u32 = 0;
  let letters: u32 = 0;
  let digits: u32 = 0;
  // Of the word: how many letters it begins with, and whether there is anything else in it.
  let word: u32 = 0;
  let isMixed = false;
  for (let at = from; at <= to; at += 1) {
    const byte: u32 = at == to ? SPACE : <u32>load<u8>(at);
    if (byte == SPACE || isBetweenWords(byte)) {
      if (word >= LONG_WORD && !isMixed) hasLongWord = true;
      word = 0;
      isMixed = false;
      if (byte != SPACE) {
        length += 1;
        continue;
      }
      if (length == 0) continue;
      if (piece < FIRST_WORDS && (digits >= CODE || (letters != 0 && digits != 0 && length >= CODE))) return false;
      piece += 1;
      length = 0;
      letters = 0;
      digits = 0;
      continue;
    }
    length += 1;
    if ((byte | 32) - 97 < 26) {
      word += 1;
      letters += 1;
    } else if (byte - 48 < 10) {
      isMixed = true;
      digits += 1;
    } else if (byte >= 0x80) {
      if (!isLetterOfTwo(at, to)) return false;
      at += 1;
      word += 1;
      letters += 1;
    } else if (byte == DOT || byte == HYPHEN) {
      isMixed = true;
    } else {
      return false;
    }
  }
  return hasLongWord;
}

/** `!`, `&`, `'`, brackets, `+`, `/`, `:`, `?`: marks that end a word, and separate no cells. */
function isBetweenWords(byte: u32): bool {
  return (
    byte == 33 ||
    (byte >= 38 && byte <= 41) ||
    byte == 43 ||
    byte == 47 ||
    byte == 58 ||
    byte == 63 ||
    byte == 91 ||
    byte == 93
  );
}

/** Whether a letter of Latin-1 or a Russian one begins here, in UTF-8. */
function isLetterOfTwo(at: u32, to: u32): bool {
  if (settings.loneHeadings != KNOWS_LETTERS || at + 1 == to) return false;
  const first = <u32>load<u8>(at);
  const second = <u32>load<u8>(at, 1);
  if (first == 0xc3) return second != 0x97 && second != 0xb7;
  return (first == 0xd0 && second >= 0x90) || (first == 0xd1 && second <= 0x8f);
}
