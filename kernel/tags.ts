import { mayBePadded, trimEnd, trimStart } from './blanks';
import { areEqual, copyBytes, maskOf } from './bytes';
import { IN_TAGS, judgePlaceholder, mayBePlaceholder, NOTHING, SOMETHING } from './placeholders';
import * as settings from './settings';

const SPREAD: u64 = 0x9e3779b97f4a7c15;

/** How many tags of the list were seen; a bit for each of them is in `settings.tagBits`. */
let count: u32 = 0;

/** The list that was counted last in the row, which is read in several ways. */
let countedFrom: u32 = 0;
let countedTo: u32 = 0;
let lastCount: u32 = 0;

const QUOTE: u8 = 34;

/** A tag has one of so many bits: with fewer, tags of long lists would share them. */
const TAG_HASH: u32 = 9;
const TAG_BITS: u32 = 1 << TAG_HASH;

/** The buffer for tags holds this many. */
const MOST_TAGS: u32 = 512;

/** How many tags a list has that can be uploaded as it is but for the mark between them, without empty, padded or repeated tags; else 0. */
export function countTags(from: u32, to: u32): u32 {
  if (from == countedFrom && to == countedTo) return lastCount;
  countedFrom = from;
  countedTo = to;
  lastCount = countNew(from, to);
  return lastCount;
}

/** Begins a row. */
export function forgetTags(): void {
  countedFrom = countedTo = 0;
}

/** Forgets the tags that were seen. */
// @inline
function beginList(): void {
  count = 0;
  const bits = settings.tagBits();
  for (let word: u32 = 0; word < TAG_BITS >> 3; word += 16) v128.store(bits + word, i64x2.splat(0));
}

/**
 * The number of the list that was counted last: a known tag has that of the list in which it was seen last. Lists with a tag that is not known are
 * counted by the tags that were seen.
 */
let list: u32 = 0;

function countNew(from: u32, to: u32): u32 {
  if (settings.separator == settings.NONE) return 0;
  list += 1;
  const known = countKnown(from, to);
  return known == UNKNOWN ? countUnknown(from, to) : known;
}

/** There is no such number of tags. */
const UNKNOWN: u32 = 0xffffffff;

/** The same for a list of known tags alone; else UNKNOWN. */
function countKnown(from: u32, to: u32): u32 {
  let found: u32 = 0;
  let base = from;
  let mask = separatorsIn(base);
  for (let start = from; start <= to;) {
    while (mask == 0 && base + 16 < to) {
      base += 16;
      mask = separatorsIn(base);
    }
    const end = mask == 0 ? to : min(base + <u32>ctz(mask), to);
    mask &= mask - 1;
    const tag = knownTag(start, end);
    if (tag == 0) return UNKNOWN;
    if (load<u32>(tag, LIST) == list) return 0;
    store<u32>(tag, list, LIST);
    found += 1;
    start = end + 1;
  }
  return found;
}

// @inline
function separatorsIn(base: u32): u32 {
  return <u32>i8x16.bitmask(i8x16.eq(v128.load(base), i8x16.splat(<u8>settings.separator)));
}

function countUnknown(from: u32, to: u32): u32 {
  beginList();
  let start = from;
  for (let base = from; base < to; base += 16) {
    let mask = separatorsIn(base);
    for (; mask != 0; mask &= mask - 1) {
      const at = base + <u32>ctz(mask);
      if (at >= to) break;
      if (!isTag(start, at)) return 0;
      start = at + 1;
    }
  }
  return isTag(start, to) ? count : 0;
}

/** Whether the mark between the tags of the file is that of the uploaded file. */
// @inline
export function isUploadedMark(): bool {
  return settings.separator == settings.uploadedSeparator;
}

/** Where the list ends that `repairTags` or `translateTags` wrote. */
export let repairedEnd: u32 = 0;

/** Writes a list that `countTags` counted with the mark of the uploaded file; false when a tag has that mark, which only the slow path can say. */
export function translateTags(from: u32, to: u32, target: u32): bool {
  if (settings.uploadedSeparator == settings.NONE || to - from > settings.MAX_REPAIRED) return false;
  const separators = i8x16.splat(<u8>settings.separator);
  const uploaded = i8x16.splat(<u8>settings.uploadedSeparator);
  let out = target;
  for (let base = from; base < to; base += 16) {
    const bytes = v128.load(base);
    const mask = <u32>i8x16.bitmask(i8x16.eq(bytes, uploaded));
    if (mask != 0 && base + <u32>ctz(mask) < to) return false;
    v128.store(out, v128.bitselect(uploaded, bytes, i8x16.eq(bytes, separators)));
    out += 16;
  }
  repairedEnd = target + (to - from);
  return true;
}

/** Whether `repairTags` dropped an empty or repeated tag. */
export let hasDropped: bool = false;

/** The tag that `repairTags` dropped because it stands for nothing; both are 0 when there is none. */
export let noTag: u32 = 0;
export let noTagEnd: u32 = 0;

/**
 * Writes a list without empty, padded and repeated tags, and without one that stands for nothing; returns how many are left, or NONE when only
 * the slow path can count them.
 */
export function repairTags(from: u32, to: u32, target: u32): u32 {
  if (settings.separator == settings.NONE || to - from > settings.MAX_REPAIRED) return settings.NONE;
  // A tag that would become two is for the slow path, which says so.
  if (
    !isUploadedMark() &&
    (settings.uploadedSeparator == settings.NONE || hasByte(from, to, settings.uploadedSeparator))
  )
    return settings.NONE;
  beginList();
  hasDropped = false;
  noTag = noTagEnd = 0;
  let out = target;
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && load<u8>(at) != settings.separator) continue;
    const tag = trimStart(start, at);
    const end = trimEnd(tag, at);
    start = at + 1;
    if (tag == end) {
      hasDropped = true;
      continue;
    }
    // Quotes may stand around it, which only the slow path takes off.
    if (count == MOST_TAGS || load<u8>(tag) == QUOTE) return settings.NONE;
    if (mayBePlaceholder(tag, end)) {
      const found = judgePlaceholder(tag, end, IN_TAGS);
      if (found == NOTHING && noTag == 0) {
        noTag = tag;
        noTagEnd = end;
        continue;
      }
      if (found != SOMETHING) return settings.NONE;
    }
    if (!isNew(tag, end - tag)) {
      hasDropped = true;
      continue;
    }
    if (out > target) {
      store<u8>(out, <u8>settings.uploadedSeparator);
      out += 1;
    }
    out = copyBytes(tag, end, out);
  }
  repairedEnd = out;
  return count;
}

/** Whether a tag is plain and new. */
// @inline
function isTag(from: u32, to: u32): bool {
  return from < to && count < MOST_TAGS && judgeTag(from, to) && isNew(from, to - from);
}

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;

/* A known tag: 32 bytes of text padded with zeros, its length, 0 for a free entry, and the list in which it was seen last. */
const LONGEST: u32 = 32;
const LENGTH: u32 = 32;
const LIST: u32 = 36;

/** The entry of a tag of which nothing is to be taken, or 0. The same ones come again and again: they are remembered. */
// @inline
function knownTag(from: u32, to: u32): u32 {
  const length = to - from;
  // An empty tag is none.
  if (length - 1 >= LONGEST) return 0;
  const low = v128.and(v128.load(from), maskOf(length, 0));
  const high = length > 16 ? v128.and(v128.load(from, 16), maskOf(length, 16)) : i64x2.splat(0);
  const text = v128.xor(low, high);
  const spread = (<u64>i64x2.extract_lane(text, 0) * P1) ^ (<u64>i64x2.extract_lane(text, 1) * P2);
  const entry = settings.knownTags() + <u32>((spread * SPREAD) >> 54) * settings.KNOWN_TAG_BYTES;
  const difference = v128.or(v128.xor(v128.load(entry), low), v128.xor(v128.load(entry, 16), high));
  if (load<u32>(entry, LENGTH) == length && !v128.any_true(difference)) return entry;
  // One that was seen in this list must not be forgotten before its end.
  if (load<u32>(entry, LIST) == list || !judgeTag(from, to)) return 0;
  v128.store(entry, low);
  v128.store(entry, high, 16);
  store<u32>(entry, length, LENGTH);
  store<u32>(entry, 0, LIST);
  return entry;
}

function judgeTag(from: u32, to: u32): bool {
  return load<u8>(from) != QUOTE && !mayBePadded(from, to) && !isNoTag(from, to);
}

/** Forgets the tags that are known to be plain. */
export function forgetKnownTags(): void {
  memory.fill(settings.knownTags(), 0, settings.KNOWN_TAGS * settings.KNOWN_TAG_BYTES);
}

/** Whether a tag stands for nothing. */
// @inline
function isNoTag(from: u32, to: u32): bool {
  return mayBePlaceholder(from, to) && judgePlaceholder(from, to, IN_TAGS) != SOMETHING;
}

/** Notes a tag; false when it was seen before. Reads up to 7 bytes behind it. */
// @inline
function isNew(from: u32, length: u32): bool {
  const word = load<u64>(from) & (length < 8 ? ((<u64>1) << (length << 3)) - 1 : -1);
  const hash = <u32>(((word + length) * SPREAD) >> (64 - TAG_HASH));
  const bits = settings.tagBits() + (hash >> 3);
  const found = <u32>load<u8>(bits);
  const bit = (<u32>1) << (hash & 7);
  const buffer = settings.tagBuffer();
  if ((found & bit) != 0 && isRepeated(from, length, buffer)) return false;
  store<u8>(bits, <u8>(found | bit));
  store<u32>(buffer + count * 8, from);
  store<u32>(buffer + count * 8, length, 4);
  count += 1;
  return true;
}

function isRepeated(tag: u32, length: u32, buffer: u32): bool {
  for (let other: u32 = 0; other < count; other += 1) {
    if (load<u32>(buffer + other * 8, 4) == length && areEqual(tag, load<u32>(buffer + other * 8), length)) return true;
  }
  return false;
}

/** Whether a text has a byte. */
function hasByte(from: u32, to: u32, byte: u32): bool {
  const bytes = i8x16.splat(<u8>byte);
  for (let base = from; base < to; base += 16) {
    const mask = <u32>i8x16.bitmask(i8x16.eq(v128.load(base), bytes));
    if (mask != 0 && base + <u32>ctz(mask) < to) return true;
  }
  return false;
}
