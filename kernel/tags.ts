import { areEqual } from './bytes';
import * as settings from './settings';

const SPACE: u32 = 32;
const SPREAD: u64 = 0x9e3779b97f4a7c15;

/** How many tags of the list were seen, and a bit for each of them. */
let count: u32 = 0;
let seen: u64 = 0;

/** The buffer for tags holds this many. */
const MOST_TAGS: u32 = 512;

/** How many tags a list has that can be uploaded as it is, without empty, padded or repeated tags; else 0. */
export function countTags(from: u32, to: u32): u32 {
  if (settings.separator == settings.NONE) return 0;
  const separators = i8x16.splat(<u8>settings.separator);
  count = 0;
  seen = 0;
  let start = from;
  for (let base = from; base < to; base += 16) {
    let mask = <u32>i8x16.bitmask(i8x16.eq(v128.load(base), separators));
    for (; mask != 0; mask &= mask - 1) {
      const at = base + <u32>ctz(mask);
      if (at >= to) break;
      if (!isTag(start, at)) return 0;
      start = at + 1;
    }
  }
  return isTag(start, to) ? count : 0;
}

/** Whether a tag is plain and new; reads up to 7 bytes behind it. */
// @inline
function isTag(from: u32, to: u32): bool {
  if (from == to || load<u8>(from) == SPACE || load<u8>(to - 1) == SPACE || count == MOST_TAGS) return false;
  const length = to - from;
  const word = load<u64>(from) & (length < 8 ? ((<u64>1) << (length << 3)) - 1 : -1);
  const bit = (<u64>1) << (((word + length) * SPREAD) >> 58);
  const buffer = settings.tagBuffer();
  if ((seen & bit) != 0 && isRepeated(from, length, buffer)) return false;
  seen |= bit;
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
