import { copyBytes, maskOf } from './bytes';
import * as settings from './settings';

/*
 * Letters of another alphabet in article numbers, judged as src/validate/checks/homoglyphs.ts does, where all of them become
 * Latin or none is changed.
 */
export const UNCHANGED: u32 = 0;
export const BECOMES_LATIN: u32 = 1;
export const UNCERTAIN: u32 = 2;

/** Where the number ends in `settings.numberBuffer()` that it becomes, and the replaced letters in `settings.lettersBuffer()`. */
export let numberEnd: u32 = 0;
export let lettersEnd: u32 = 0;

const SPACE: u32 = 32;

/* Latin letters without an equal in the other alphabet, Cyrillic ones without one, letters of each. */
let latin: u32 = 0;
let cyrillic: u32 = 0;
let foreignLatin: u32 = 0;
let foreignCyrillic: u32 = 0;

/** Judges a number, which has a digit and shows no slow-path pattern, beside its brand. */
export function judgeNumber(from: u32, to: u32, brand: u32, brandEnd: u32): u32 {
  const alphabet = alphabetOf(brand, brandEnd);
  if (alphabet == UNCERTAIN) return UNCERTAIN;
  const hasLatinBrand = alphabet == BECOMES_LATIN;
  if (to - from <= 16 && becomesLatin(from, to, hasLatinBrand)) return BECOMES_LATIN;
  if (to - from > settings.MAX_KEY || !countLetters(from, to)) return UNCERTAIN;
  if (cyrillic == 0) return UNCHANGED;
  const isWhole = latin == 0 && foreignCyrillic == 0 && hasLatinBrand;
  if (latin == 0 && !isWhole) return UNCHANGED;
  numberEnd = settings.numberBuffer();
  lettersEnd = settings.lettersBuffer();
  let result = UNCHANGED;
  for (let at = from; at < to;) {
    let end = at;
    while (end < to && load<u8>(end) != SPACE) end += 1;
    if (end < to) end += 1;
    const isOnly = at == from && end == to;
    const change = isWhole ? BECOMES_LATIN : judgeWord(at, end, isOnly, hasLatinBrand);
    if (change == UNCERTAIN) return UNCERTAIN;
    if (change == UNCHANGED) numberEnd = copyBytes(at, end, numberEnd);
    else if (writeLatin(at, end)) result = BECOMES_LATIN;
    at = end;
  }
  return result;
}

/** Whether a number of one short word plainly becomes Latin, which is written then: nearly all numbers with such letters do. */
function becomesLatin(from: u32, to: u32, hasLatinBrand: bool): bool {
  const bytes = v128.load(from);
  const inside = <u32>i8x16.bitmask(maskOf(to - from, 0));
  const beyond = (<u32>i8x16.bitmask(bytes)) & inside;
  const leads = (<u32>i8x16.bitmask(i8x16.eq(v128.and(bytes, i8x16.splat(<i8>0xfe)), i8x16.splat(<i8>0xd0)))) & inside;
  const spaces = (<u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>SPACE)))) & inside;
  if (spaces != 0 || leads == 0 || beyond != (leads | (leads << 1))) return false;
  const latinLetters = popcnt((<u32>i8x16.bitmask(latinIn(bytes))) & inside);
  if (!hasLatinBrand && latinLetters < popcnt(leads)) return false;
  numberEnd = settings.numberBuffer();
  lettersEnd = settings.lettersBuffer();
  let at = from;
  for (let rest = leads; rest != 0; rest &= rest - 1) {
    const lead = from + <u32>ctz(rest);
    const double = load<u8>(latinOf(load<u8>(lead), load<u8>(lead, 1)));
    if (double == 0) return false;
    noteLetter(load<u16>(lead));
    v128.store(numberEnd, v128.load(at));
    numberEnd += lead - at;
    store<u8>(numberEnd, double);
    numberEnd += 1;
    at = lead + 2;
  }
  v128.store(numberEnd, v128.load(at));
  numberEnd += to - at;
  return true;
}

// @inline
function latinIn(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(v128.or(bytes, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
}

/** UNCERTAIN: the word would become Cyrillic, which only the slow path does. `isCounted`: its letters are counted already. */
function judgeWord(from: u32, to: u32, isCounted: bool, hasLatinBrand: bool): u32 {
  if (!isCounted) countLetters(from, to);
  if (cyrillic == 0 || latin == 0) return UNCHANGED;
  if (foreignCyrillic == 0 && (foreignLatin != 0 || hasLatinBrand || latin >= cyrillic)) return BECOMES_LATIN;
  return foreignLatin == 0 ? UNCERTAIN : UNCHANGED;
}

/** Copies a word with Latin letters in place of Cyrillic ones, and lists those; whether there were any. */
function writeLatin(from: u32, to: u32): bool {
  const begin = numberEnd;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte < 0x80) {
      store<u8>(numberEnd, <u8>byte);
    } else {
      noteLetter(load<u16>(at));
      at += 1;
      store<u8>(numberEnd, load<u8>(latinOf(byte, load<u8>(at))));
    }
    numberEnd += 1;
  }
  return numberEnd - begin < to - from;
}

function noteLetter(letter: u16): void {
  for (let at = settings.lettersBuffer(); at < lettersEnd; at += 2) if (load<u16>(at) == letter) return;
  store<u16>(lettersEnd, letter);
  lettersEnd += 2;
}

/** Counts letters; false when a character is neither ASCII nor one of the Cyrillic letters of U+0400 to U+047F. */
function countLetters(from: u32, to: u32): bool {
  latin = cyrillic = foreignLatin = foreignCyrillic = 0;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte >= 0x80) {
      if (byte != 0xd0 && byte != 0xd1) return false;
      at += 1;
      cyrillic += 1;
      if (load<u8>(latinOf(byte, load<u8>(at))) == 0) foreignCyrillic += 1;
    } else if (isLatin(byte)) {
      latin += 1;
      if (load<u8>(settings.lookalikes + byte) == 0) foreignLatin += 1;
    }
  }
  return true;
}

// @inline
function isLatin(byte: u32): bool {
  return (byte | 32) - 97 < 26;
}

/** The place of the Latin double of a Cyrillic letter. */
// @inline
function latinOf(first: u32, second: u32): u32 {
  return settings.lookalikes + 128 + (((first & 1) << 6) | (second & 63));
}

/** BECOMES_LATIN: a brand in Latin letters; UNCHANGED: another; UNCERTAIN: only the slow path knows. */
function alphabetOf(from: u32, to: u32): u32 {
  let hasLatin = false;
  let isKnown = true;
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const inside = maskOf(to - at, 0);
    const cyrillicIn = i8x16.eq(v128.and(bytes, i8x16.splat(<i8>0xfc)), i8x16.splat(<i8>0xd0));
    if (v128.any_true(v128.and(cyrillicIn, inside))) return UNCHANGED;
    if (v128.any_true(v128.and(latinIn(bytes), inside))) hasLatin = true;
    if (i8x16.bitmask(v128.and(bytes, inside)) != 0) isKnown = false;
  }
  return hasLatin ? BECOMES_LATIN : isKnown ? UNCHANGED : UNCERTAIN;
}
