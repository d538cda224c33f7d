import { blankAt } from './blanks';
import { copyBytes, maskOf } from './bytes';
import { endOf, keepColumn, startOf } from './columns';
import { hasCyrillic, judgeLetters, mixesAlphabets, UNCERTAIN, UNCHANGED, unmixedEnd } from './lookalikes';
import { needsSlowPath } from './patterns';
import { IN_BRAND, IN_NUMBER, judgePlaceholder, mayBePlaceholder, SOMETHING } from './placeholders';
import * as settings from './settings';
import { findSpelled, keepSpelled, spelled, spelledEnd } from './spellings';

/** The two halves of the hash that `hashKey` made. */
export let hashLow: u32 = 0;
export let hashHigh: u32 = 0;

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const SEED: u64 = 0x27d4eb2f165667c5;

/** Stands for the end of a text that only the slow path can fold. */
export const NOT_FOLDED: u32 = 0xffffffff;
/* What `settings.folding` says of a byte that is no character of a key. */
const DROPPED: u8 = 0;
const NOT_ASCII: u8 = 1;
const TAB: u8 = 9;
/** Digits that a spreadsheet keeps. */
const KEPT_DIGITS: u32 = 15;
/** Longer brands are not cached. */
const LONGEST_BRAND: u32 = 32;
/* Brands are cached in pairs, of which the older one is forgotten for a new one. A cached brand: 32 bytes of text padded with zeros, the hash, the length plus 1, or 0 for a free entry, and what it stands for. */
const HASH: u32 = 32;
const LENGTH: u32 = 40;
const SPELLED: u32 = 44;
const SPELLED_END: u32 = 48;

/** The hash of the brand of the row, and that of its number before it is finished. */
export let brandHash: u64 = 0;
let numberHash: u64 = 0;
/** Where the folded number of the row ends in `settings.numberBuffer()`; 0 when it is not there. */
export let foldedNumberEnd: u32 = 0;

/** Empties the cache of brands. */
export function forgetBrands(): void {
  memory.fill(settings.brandCache(), 0, settings.BRANDS * settings.BRAND_BYTES);
}

/** What becomes of the brand and the number of the row, if letters of another alphabet are in them. */
export let brandChange: u32 = 0;
export let numberChange: u32 = 0;
/** The brand as it was before. */
export let mixedBrand: u32 = 0;
export let mixedBrandEnd: u32 = 0;

/**
 * Hashes the brand of a row, in which letters of another alphabet are replaced if they are to be; false when the row is for the slow
 * path. `isFirst`: no text stands before it.
 */
export function parseBrand(automaton: u32, from: u32, to: u32, isFirst: bool): bool {
  brandChange = UNCHANGED;
  const length = to - from;
  if (length > LONGEST_BRAND) return readBrand(automaton, from, to, isFirst);
  const low = v128.and(v128.load(from), maskOf(length, 0));
  const high = v128.and(v128.load(from, 16), maskOf(length, 16));
  const mixed = v128.xor(low, high);
  const spread = (<u64>i64x2.extract_lane(mixed, 0) * P1) ^ (<u64>i64x2.extract_lane(mixed, 1) * P2);
  const entry = settings.brandCache() + <u32>((spread * P3) >> 54) * (2 * settings.BRAND_BYTES);
  const other = entry + settings.BRAND_BYTES;
  const known = isBrandAt(entry, low, high, length) ? entry : isBrandAt(other, low, high, length) ? other : 0;
  if (known != 0) {
    brandHash = load<u64>(known, HASH);
    keepSpelled(load<u32>(known, SPELLED), load<u32>(known, SPELLED_END));
    return true;
  }
  if (!readBrand(automaton, from, to, isFirst)) return false;
  if (brandChange != UNCHANGED) return true;
  memory.copy(other, entry, settings.BRAND_BYTES);
  v128.store(entry, low);
  v128.store(entry, high, 16);
  store<u64>(entry, brandHash, HASH);
  store<u32>(entry, length + 1, LENGTH);
  store<u32>(entry, spelled, SPELLED);
  store<u32>(entry, spelledEnd, SPELLED_END);
  return true;
}

/** Whether an entry of the cache has a brand of such bytes. */
// @inline
function isBrandAt(entry: u32, low: v128, high: v128, length: u32): bool {
  const difference = v128.or(v128.xor(v128.load(entry), low), v128.xor(v128.load(entry, 16), high));
  return load<u32>(entry, LENGTH) == length + 1 && !v128.any_true(difference);
}

function readBrand(automaton: u32, from: u32, to: u32, isFirst: bool): bool {
  if (to - from > settings.MAX_KEY || needsSlowPath(automaton, from, to)) return false;
  if (isFirst && needsSlowPath(settings.firstAutomaton, from, to)) return false;
  if (settings.brandPlace() != settings.NONE && from < to && isPlaceholder(from, to, IN_BRAND)) return false;
  if (mixesAlphabets(from, to) && !unmixBrand(from, to)) return false;
  const buffer = settings.keyBuffer();
  const isReplaced = brandChange != UNCHANGED && settings.replacesLookalikes != 0;
  const start = isReplaced ? startOf(settings.brandAt) : from;
  const stop = isReplaced ? endOf(settings.brandAt) : to;
  const end = fold(start, stop, buffer);
  if (end == NOT_FOLDED) return false;
  brandHash = findSpelled(hashFolded(buffer, end), start, stop);
  return true;
}

/** Judges a brand with letters of two alphabets, and replaces the column if they are to be replaced; false for UNCERTAIN. */
function unmixBrand(from: u32, to: u32): bool {
  brandChange = judgeLetters(from, to, 0, 0);
  if (brandChange == UNCERTAIN) return false;
  mixedBrand = from;
  mixedBrandEnd = to;
  if (brandChange != UNCHANGED && settings.replacesLookalikes != 0) {
    const buffer = settings.brandBuffer();
    keepColumn(settings.brandAt, buffer, copyBytes(settings.unmixedBuffer(), unmixedEnd, buffer));
  }
  return true;
}

/**
 * Hashes the number of a row, which shows no slow-path pattern; false when the row is for the slow path: its number has no
 * digit, so that it may be no offer, only zeros, lost its last digits, or letters that only the slow path can fold or judge.
 */
export function parseNumber(from: u32, to: u32): bool {
  numberChange = UNCHANGED;
  if (to - from >= KEPT_DIGITS + 1) return readNumber(from, to);
  const bytes = v128.load(from);
  const inside = maskOf(to - from, 0);
  if (i8x16.bitmask(v128.and(bytes, inside)) != 0) return readNumber(from, to);
  if (from < to && !v128.any_true(v128.and(countingDigitsIn(bytes), inside)) && isNoNumber(from, to)) return false;
  packNumber(bytes, inside);
  return true;
}

/** Hashes a number of ASCII characters without a digit, of which is known that it is one; false when it is too long. */
export function parseWordNumber(from: u32, to: u32): bool {
  numberChange = UNCHANGED;
  if (to - from > KEPT_DIGITS) return to - from <= settings.MAX_KEY && hashNumber(from, to);
  packNumber(v128.load(from), maskOf(to - from, 0));
  return true;
}

/** Folds up to 16 bytes of ASCII as `folding` does: small letters become capitals, blanks, dashes and dots go. */
// @inline
function packNumber(bytes: v128, inside: v128): void {
  const isSmall = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(97)), i8x16.splat(26));
  const capitals = v128.xor(bytes, v128.and(isSmall, i8x16.splat(32)));
  const isBlank = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(9)), i8x16.splat(5));
  const isDash = v128.or(i8x16.eq(bytes, i8x16.splat(45)), i8x16.eq(bytes, i8x16.splat(46)));
  const goes = v128.or(v128.or(isBlank, isDash), i8x16.eq(bytes, i8x16.splat(32)));
  const stays = <u32>i8x16.bitmask(v128.andnot(inside, goes));
  const low = stays & 255;
  const high = stays >> 8;
  const fromLow = v128.load64_zero(settings.packing + (low << 3));
  const fromHigh = i8x16.add_sat_u(v128.load64_zero(settings.packing + (high << 3)), i8x16.splat(8));
  const first = <u64>i64x2.extract_lane(i8x16.swizzle(capitals, fromLow), 0);
  const second = <u64>i64x2.extract_lane(i8x16.swizzle(capitals, fromHigh), 0);
  const kept = <u64>popcnt(low);
  // Shifted twice by half of it each: a word shifted by 64 bits would stay.
  const left = kept << 2;
  const right = 32 - left;
  const begin = first | ((second << left) << left);
  const rest = (second >> right) >> right;
  const length = kept + popcnt(high);
  numberHash = hashWords(SEED, begin, rest) + length;
  const buffer = settings.numberBuffer();
  store<u64>(buffer, begin);
  store<u64>(buffer, rest, 8);
  foldedNumberEnd = buffer + <u32>length;
}

function readNumber(from: u32, to: u32): bool {
  if (to - from > settings.MAX_KEY || isNoNumber(from, to) || lacksDigits(from, to)) return false;
  if (hasCyrillic(from, to)) {
    const brand = settings.columnAt(settings.brandAt);
    const isGiven = settings.brandAt != settings.NONE;
    numberChange = judgeLetters(from, to, isGiven ? load<u32>(brand) : 0, isGiven ? load<u32>(brand, 4) : 0);
    if (numberChange == UNCERTAIN) return false;
  }
  return hashNumber(from, to);
}

/** Hashes a number as it is; false when only the slow path can fold it. */
export function hashNumber(from: u32, to: u32): bool {
  const buffer = settings.keyBuffer();
  const end = fold(from, to, buffer);
  if (end == NOT_FOLDED) return false;
  foldedNumberEnd = 0;
  numberHash = hashText(buffer, end) + (end - buffer);
  return true;
}

// @inline
function digitsIn(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
}

/** The digits that are no zeros. */
// @inline
function countingDigitsIn(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(49)), i8x16.splat(9));
}

/** Whether a text has no digit, or may have nothing but zeros. */
function isNoNumber(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 16) {
    if (v128.any_true(v128.and(countingDigitsIn(v128.load(at)), maskOf(to - at, 0)))) return false;
  }
  return !hasDigit(from, to) || isPlaceholder(from, to, IN_NUMBER);
}

function isPlaceholder(from: u32, to: u32, place: u32): bool {
  return mayBePlaceholder(from, to) && judgePlaceholder(from, to, place) != SOMETHING;
}

/** Whether a number has a digit, and nothing shows that it was damaged. */
export function isSoundNumber(automaton: u32, from: u32, to: u32): bool {
  return (
    hasDigit(from, to) && !mayBeSentence(from, to) && !lacksDigits(from, to) && !needsSlowPath(automaton, from, to)
  );
}

/** Longer texts may be sentences, also where they have digits, see src/values/no-numbers.ts. */
const LONGEST_NUMBER: u32 = 40;

/** Whether a text with a digit may be a sentence: it is longer than numbers are. */
// @inline
export function mayBeSentence(from: u32, to: u32): bool {
  return to - from > LONGEST_NUMBER;
}

/** A spreadsheet keeps two digits more where a program wrote them, but then the zeros behind them are several. */
const MOST_KEPT: u32 = 17;
const LEAST_LOST: u32 = 2;

/** Whether a text is digits of which a spreadsheet has turned the last ones into zeros, unless the numbers of this file are as long. */
function lacksDigits(from: u32, to: u32): bool {
  const length = to - from;
  if (length <= KEPT_DIGITS || load<u8>(to - 1) != 48 || load<u8>(from) == 48) return false;
  const longer = length - KEPT_DIGITS - 1;
  if (longer < 32 && ((settings.longNumbers >> longer) & 1) != 0) return false;
  for (let at = from; at < to; at += 1) if (<u32>load<u8>(at) - 48 >= 10) return false;
  return (
    hasOnlyZeros(from + KEPT_DIGITS, to) || (length >= MOST_KEPT + LEAST_LOST && hasOnlyZeros(from + MOST_KEPT, to))
  );
}

function hasOnlyZeros(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 1) if (load<u8>(at) != 48) return false;
  return true;
}

export function hasDigit(from: u32, to: u32): bool {
  for (let at = from; at < to; at += 16) {
    if (v128.any_true(v128.and(digitsIn(v128.load(at)), maskOf(to - at, 0)))) return true;
  }
  return false;
}

/** The hash of the part whose brand and number were parsed last. */
export function partHash(): u64 {
  return finish(brandHash ^ numberHash);
}

/** Gives the row another brand, whose folded text has this hash. */
export function keepBrandHash(hash: u64): void {
  brandHash = hash;
}

/** The hash of the number of the row, as `hashFolded` makes it. */
export function hashOfNumber(): u64 {
  return finish(numberHash);
}

/** Hashes a folded text; writes up to 16 bytes behind it. */
export function hashFolded(from: u32, to: u32): u64 {
  return finish(hashText(from, to) + (to - from));
}

/** Hashes a folded text as tables of spellings and of rules know it; writes up to 16 bytes behind it. */
export function hashSpelling(from: u32, to: u32): void {
  const hash = hashFolded(from, to);
  hashLow = <u32>hash;
  hashHigh = <u32>(hash >> 32);
}

/** Hashes the key of a part: the folded brand, a tab, the folded number. Writes up to 16 bytes behind it. */
export function hashKey(from: u32, to: u32): void {
  let tab = from;
  while (tab < to && load<u8>(tab) != TAB) tab += 1;
  const behind = v128.load(tab);
  brandHash = hashFolded(from, tab);
  v128.store(tab, behind);
  numberHash = hashText(tab + 1, to) + (to - tab - 1);
  const hash = partHash();
  hashLow = <u32>hash;
  hashHigh = <u32>(hash >> 32);
}

/** Folds a brand or a number, and returns its end. */
export function fold(from: u32, to: u32, target: u32): u32 {
  let out = target;
  let at = from;
  while (at < to) {
    const byte = <u32>load<u8>(at);
    const folded = load<u8>(settings.folding + byte);
    if (folded != NOT_ASCII) {
      at += 1;
      if (folded == DROPPED) continue;
      store<u8>(out, folded);
      out += 1;
    } else if (byte < 0xe0 && to - at >= 2) {
      const letter = <u32>load<u16>(settings.letterFolding + ((((byte & 31) << 6) | (load<u8>(at, 1) & 63)) << 1));
      if (letter == 0) return NOT_FOLDED;
      at += 2;
      if (letter == 1) continue;
      store<u16>(out, <u16>letter);
      out += letter > 0xff ? 2 : 1;
    } else {
      if (blankAt(at, to) != 3 && !isDash(at, to)) return NOT_FOLDED;
      at += 3;
    }
  }
  return out;
}

/** An en dash or an em dash. */
function isDash(at: u32, to: u32): bool {
  return to - at >= 3 && load<u16>(at) == 0x80e2 && (load<u8>(at, 2) == 0x93 || load<u8>(at, 2) == 0x94);
}

/** Two words of eight bytes at a time, at least once, the last ones filled with zeros; writes up to 16 bytes behind `to`. */
function hashText(from: u32, to: u32): u64 {
  store<u64>(to, 0);
  store<u64>(to, 0, 8);
  let mixed = hashWords(SEED, load<u64>(from), load<u64>(from, 8));
  for (let at = from + 16; at < to; at += 16) mixed = hashWords(mixed, load<u64>(at), load<u64>(at, 8));
  return mixed;
}

/** A step of XXH64 for each word. */
// @inline
function hashWords(mixed: u64, first: u64, second: u64): u64 {
  const half = rotl<u64>(mixed ^ (rotl<u64>(first * P2, 31) * P1), 27) * P1 + P4;
  return rotl<u64>(half ^ (rotl<u64>(second * P2, 31) * P1), 27) * P1 + P4;
}

// @inline
function finish(value: u64): u64 {
  let mixed = value;
  mixed ^= mixed >> 33;
  mixed *= P2;
  mixed ^= mixed >> 29;
  mixed *= P3;
  return mixed ^ (mixed >> 32);
}
