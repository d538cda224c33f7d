import { copyBytes, maskOf } from './bytes';
import * as settings from './settings';

/*
 * Letters of another alphabet in brands and article numbers, judged as src/validate/checks/homoglyphs.ts does, where all of them
 * come from one alphabet or none is changed.
 */
export const UNCHANGED: u32 = 0;
export const BECOMES_LATIN: u32 = 1;
export const BECOMES_CYRILLIC: u32 = 2;
export const UNCERTAIN: u32 = 3;

/** Where the text ends in `settings.unmixedBuffer()` that it becomes, and the replaced letters in `settings.lettersBuffer()`. */
export let unmixedEnd: u32 = 0;
export let lettersEnd: u32 = 0;

const SPACE: u32 = 32;

/* Latin letters without an equal in the other alphabet, Cyrillic ones without one, letters of each. */
let latin: u32 = 0;
let cyrillic: u32 = 0;
let foreignLatin: u32 = 0;
let foreignCyrillic: u32 = 0;

/** Whether a text has letters of U+0400 to U+04FF. */
export function hasCyrillic(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 16) {
    const cyrillic = i8x16.eq(v128.and(v128.load(at), i8x16.splat(<i8>0xfc)), i8x16.splat(<i8>0xd0));
    if (v128.any_true(v128.and(cyrillic, maskOf(to - at, 0)))) return true;
  }
  return false;
}

/** Whether a text has letters of U+0400 to U+04FF and perhaps Latin ones up to U+024F. */
export function mixesAlphabets(from: u32, to: u32): bool {
  if (!hasCyrillic(from, to)) return false;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (isLatin(byte) || isFirstOfLatin(byte)) return true;
  }
  return false;
}

/**
 * Judges a brand, beside none, or a number beside its brand, which has a digit. Neither shows a slow-path pattern. UNCERTAIN: only
 * the slow path knows, or letters of both alphabets are replaced.
 */
export function judgeLetters(from: u32, to: u32, brand: u32, brandEnd: u32): u32 {
  const alphabet = alphabetOf(brand, brandEnd);
  if (alphabet == UNCERTAIN) return UNCERTAIN;
  const hasLatinBrand = alphabet == BECOMES_LATIN;
  if (to - from <= 16 && becomesLatin(from, to, hasLatinBrand)) return BECOMES_LATIN;
  if (to - from > settings.MAX_KEY || !countLetters(from, to)) return UNCERTAIN;
  if (cyrillic == 0) return UNCHANGED;
  const isWhole = latin == 0 && foreignCyrillic == 0 && hasLatinBrand;
  if (latin == 0 && !isWhole) return UNCHANGED;
  unmixedEnd = settings.unmixedBuffer();
  lettersEnd = settings.lettersBuffer();
  let result = UNCHANGED;
  for (let at = from; at < to;) {
    let end = at;
    while (end < to && load<u8>(end) != SPACE) end += 1;
    if (end < to) end += 1;
    const isOnly = at == from && end == to;
    const change = isWhole ? BECOMES_LATIN : judgeWord(at, end, isOnly, hasLatinBrand);
    if (change == UNCHANGED) {
      unmixedEnd = copyBytes(at, end, unmixedEnd);
    } else if (change == BECOMES_LATIN ? writeLatin(at, end) : writeCyrillic(at, end)) {
      if (result != UNCHANGED && result != change) return UNCERTAIN;
      result = change;
    }
    at = end;
  }
  return result;
}

/** Whether a text of one short word plainly becomes Latin, which is written then: nearly all with such letters do. */
function becomesLatin(from: u32, to: u32, hasLatinBrand: bool): bool {
  const bytes = v128.load(from);
  const inside = <u32>i8x16.bitmask(maskOf(to - from, 0));
  const beyond = (<u32>i8x16.bitmask(bytes)) & inside;
  const leads = (<u32>i8x16.bitmask(i8x16.eq(v128.and(bytes, i8x16.splat(<i8>0xfe)), i8x16.splat(<i8>0xd0)))) & inside;
  const spaces = (<u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>SPACE)))) & inside;
  if (spaces != 0 || leads == 0 || beyond != (leads | (leads << 1))) return false;
  const latinLetters = popcnt((<u32>i8x16.bitmask(latinIn(bytes))) & inside);
  if (!hasLatinBrand && latinLetters < popcnt(leads)) return false;
  unmixedEnd = settings.unmixedBuffer();
  lettersEnd = settings.lettersBuffer();
  let at = from;
  for (let rest = leads; rest != 0; rest &= rest - 1) {
    const lead = from + <u32>ctz(rest);
    const double = load<u8>(latinOf(load<u8>(lead), load<u8>(lead, 1)));
    if (double == 0) return false;
    noteLetter(load<u16>(lead));
    v128.store(unmixedEnd, v128.load(at));
    unmixedEnd += lead - at;
    store<u8>(unmixedEnd, double);
    unmixedEnd += 1;
    at = lead + 2;
  }
  v128.store(unmixedEnd, v128.load(at));
  unmixedEnd += to - at;
  return true;
}

// @inline
function latinIn(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(v128.or(bytes, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
}

/** `isCounted`: the letters of the word are counted already. */
function judgeWord(from: u32, to: u32, isCounted: bool, hasLatinBrand: bool): u32 {
  if (!isCounted) countLetters(from, to);
  if (cyrillic == 0 || latin == 0) return UNCHANGED;
  if (foreignCyrillic == 0 && (foreignLatin != 0 || hasLatinBrand || latin >= cyrillic)) return BECOMES_LATIN;
  return foreignLatin == 0 ? BECOMES_CYRILLIC : UNCHANGED;
}

/** Copies a word with Latin letters in place of Cyrillic ones, and lists those; whether there were any. */
function writeLatin(from: u32, to: u32): bool {
  const begin = unmixedEnd;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (byte < 0x80) {
      store<u8>(unmixedEnd, <u8>byte);
    } else if (isFirstOfLatin(byte)) {
      store<u16>(unmixedEnd, load<u16>(at));
      at += 1;
      unmixedEnd += 1;
    } else {
      noteLetter(load<u16>(at));
      at += 1;
      store<u8>(unmixedEnd, load<u8>(latinOf(byte, load<u8>(at))));
    }
    unmixedEnd += 1;
  }
  return unmixedEnd - begin < to - from;
}

/** The same with Cyrillic letters in place of Latin ones. */
function writeCyrillic(from: u32, to: u32): bool {
  const begin = unmixedEnd;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    const double = byte < 0x80 ? <u32>load<u8>(settings.lookalikes + byte) : 0;
    if (double == 0) {
      store<u8>(unmixedEnd, <u8>byte);
      unmixedEnd += 1;
    } else {
      noteLetter(<u16>byte);
      store<u16>(unmixedEnd, <u16>(0xd0 | (double >> 6) | ((0x80 | (double & 63)) << 8)));
      unmixedEnd += 2;
    }
  }
  return unmixedEnd - begin > to - from;
}

/** Lists a letter once: its two bytes, of which the second is 0 where it has only one. */
function noteLetter(letter: u16): void {
  for (let at = settings.lettersBuffer(); at < lettersEnd; at += 2) if (load<u16>(at) == letter) return;
  store<u16>(lettersEnd, letter);
  lettersEnd += 2;
}

/** Counts letters; false when a character is neither ASCII nor one of the letters of U+00C0 to U+024F and U+0400 to U+047F. */
function countLetters(from: u32, to: u32): bool {
  latin = cyrillic = foreignLatin = foreignCyrillic = 0;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(at);
    if (isFirstOfLatin(byte)) {
      if (!isTwoByteLatin(byte, load<u8>(at, 1))) return false;
      at += 1;
      latin += 1;
      foreignLatin += 1;
    } else if (byte >= 0x80) {
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

/** Whether a byte may be the first of a Latin letter of two, from U+00C0 on. */
// @inline
function isFirstOfLatin(byte: u32): bool {
  return byte - 0xc3 < 7;
}

/** Whether two bytes are a Latin letter: all of U+00C0 to U+024F are, but for two signs. */
function isTwoByteLatin(first: u32, second: u32): bool {
  if (first == 0xc3) return second != 0x97 && second != 0xb7;
  return first < 0xc9 || second < 0x90;
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
