import { folded, letters, places, settings } from './areas';
import { NO_COLUMN } from './settings';

export const HASHED: u32 = 0;
/** The row has no number. */
export const NONE: u32 = 1;
/** The cells have to be looked at as texts. */
export const SLOW: u32 = 2;

const SPACE: u32 = 32;
const TAB: u32 = 9;
/** What `folded` says of a byte that a key does not have, and of one that may stand for something else. */
const DROPPED: u32 = 0;
const BEYOND: u32 = 0xffff;
/** Longer keys are left to the slow path. */
const LONGEST: u32 = 4096;

/** The hash of the row, whose part is HASHED. */
export let rowHash: u64 = 0;

/** The two lanes of the hash at hand, how many units they have read, and whether one of them was beyond. */
let a: u32 = 0;
let b: u32 = 0;
let length: u32 = 0;
let beyond: u32 = 0;

/** Hashes the part of the row that was cut, as src/parts/part-hash.ts does. */
export function hashRow(): u32 {
  const brandAt = settings.brand;
  const oem = afterSpaces(startOf(settings.oem), endOf(settings.oem));
  const oemEnd = beforeSpaces(oem, endOf(settings.oem));
  if (oem == oemEnd) return NONE;
  if (!isInLetters(oem, oemEnd)) return SLOW;
  let size = oemEnd - oem + 1;
  a = 0x9747b28c;
  b = 0x3c6ef372;
  length = 0;
  beyond = 0;
  if (brandAt != NO_COLUMN) {
    const brand = afterSpaces(startOf(brandAt), endOf(brandAt));
    const brandEnd = beforeSpaces(brand, endOf(brandAt));
    if (brand < brandEnd && !isInLetters(brand, brandEnd)) return SLOW;
    size += brandEnd - brand;
    addCell(brand, brandEnd);
  }
  addUnit(TAB);
  addCell(oem, oemEnd);
  if (beyond != 0 || size > LONGEST) return SLOW;
  rowHash = ((<u64>finish(a ^ length)) << 32) | finish(b + length);
  return HASHED;
}

// @inline
function startOf(column: u32): u32 {
  return load<u32>(places + (column << 3));
}

// @inline
function endOf(column: u32): u32 {
  return load<u32>(places + (column << 3), 4);
}

// @inline
function afterSpaces(from: u32, to: u32): u32 {
  let at = from;
  while (at < to && <u32>load<u8>(at) == SPACE) at += 1;
  return at;
}

// @inline
function beforeSpaces(from: u32, to: u32): u32 {
  let at = to;
  while (at > from && <u32>load<u8>(at - 1) == SPACE) at -= 1;
  return at;
}

// @inline
function isInLetters(from: u32, to: u32): bool {
  return (load<u8>(letters + load<u8>(from)) & load<u8>(letters + load<u8>(to - 1))) != 0;
}

/** Reads a cell into the lanes without a branch: whether a byte is dropped could not be predicted. */
// @inline
function addCell(from: u32, to: u32): void {
  const table = folded;
  let first = a;
  let second = b;
  let units: u32 = 0;
  let others: u32 = 0;
  for (let at = from; at < to; at += 1) {
    const unit = <u32>load<u16>(table + ((<u32>load<u8>(at)) << 1));
    const isKept = unit != DROPPED;
    others |= <u32>(unit == BEYOND);
    first = select<u32>(mixFirst(first, unit), first, isKept);
    second = select<u32>(mixSecond(second, unit), second, isKept);
    units += <u32>isKept;
  }
  a = first;
  b = second;
  length += units;
  beyond |= others;
}

// @inline
function addUnit(unit: u32): void {
  a = mixFirst(a, unit);
  b = mixSecond(b, unit);
  length += 1;
}

// @inline
function mixFirst(lane: u32, unit: u32): u32 {
  return rotl((lane ^ unit) * 0xcc9e2d51, 15);
}

// @inline
function mixSecond(lane: u32, unit: u32): u32 {
  return rotl((lane + unit) * 0x1b873593, 13) ^ unit;
}

// @inline
function finish(value: u32): u32 {
  let mixed = value ^ (value >> 16);
  mixed *= 0x85ebca6b;
  mixed ^= mixed >> 13;
  mixed *= 0xc2b2ae35;
  return mixed ^ (mixed >> 16);
}
