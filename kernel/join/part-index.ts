import { allocate, giveBack } from './memory';

/**
 * A slot: the two halves of a part's hash, then its value plus 1, or 0 when the slot is free. The highest bit of the hash says instead whether the
 * part was met. Slots are in lines of the cache, so that looking for a part mostly reads one of them.
 */
const SLOT: u32 = 12;
const VALUE: u32 = 8;
const HIGHEST: u32 = 7;
const MET: u32 = 0x80;
const LINE: u32 = 64;
const SLOTS_A_LINE: u32 = 5;
const PAGE: u32 = 4096;
const USED: u32 = SLOT * SLOTS_A_LINE;
/** Smaller tables would be full at once. */
const FEWEST: u32 = 1024;

/** A hash table of parts with a value each. JavaScript reads its fields as words in this order. */
@unmanaged
export class PartIndex {
  table: u32;
  lines: u32;
  size: u32;
  /** With more parts the table grows: nearly all are still in the line where they belong. */
  most: u32;
  /** How many parts were met. */
  marked: u32;
}

/** Creates an index for so many parts, which may be more; 0 when there is no memory. */
export function createIndex(expected: u32): PartIndex {
  const index = changetype<PartIndex>(allocate(offsetof<PartIndex>()));
  const slots = max(FEWEST, expected + expected / 10);
  if (changetype<u32>(index) != 0 && setTable(index, slots / SLOTS_A_LINE + 1)) return index;
  return changetype<PartIndex>(0);
}

function setTable(index: PartIndex, lines: u32): bool {
  const table = allocate(<u64>(lines + 1) * LINE);
  if (table == 0) return false;
  writePages(table, (lines + 1) * LINE);
  const slots = lines * SLOTS_A_LINE;
  index.table = (table + LINE - 1) & ~(LINE - 1);
  index.lines = lines;
  index.most = slots - slots / 16;
  return true;
}

/** Writes to each page of zeros: the system gives a page twice that is read before it is written, which costs more than finding its slots. */
function writePages(from: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += PAGE) store<u8>(from + at, 0);
}

/** The line where a hash belongs. */
// @inline
export function homeOf(index: PartIndex, hash: u64): u32 {
  return index.table + <u32>(((hash & 0xffffffff) * <u64>index.lines) >> 32) * LINE;
}

/** The slot that holds a hash, or the free one where it belongs. */
// @inline
export function slotOf(index: PartIndex, hash: u64): u32 {
  let slot = homeOf(index, hash);
  let end = slot + USED;
  while (load<u32>(slot, VALUE) != 0 && (load<u64>(slot) ^ hash) << 1 != 0) {
    slot += SLOT;
    if (slot != end) continue;
    slot += LINE - USED;
    if (slot == index.table + index.lines * LINE) slot = index.table;
    end = slot + USED;
  }
  return slot;
}

/** Loads the value in a slot, plus 1; 0 when the slot is free. */
// @inline
export function loadValue(slot: u32): u32 {
  return load<u32>(slot, VALUE);
}

/** Makes sure that another part can be added; false when there is no memory for it. Slots from before are not valid any more. */
// @inline
export function hasRoom(index: PartIndex): bool {
  return index.size < index.most || grow(index);
}

/** Puts a part into the free slot where it belongs. */
// @inline
export function fill(index: PartIndex, slot: u32, hash: u64, value: u32): void {
  store<u64>(slot, (hash << 1) >> 1);
  store<u32>(slot, value + 1, VALUE);
  index.size += 1;
}

function grow(index: PartIndex): bool {
  const from = index.table;
  const to = from + index.lines * LINE;
  if (!setTable(index, index.lines + index.lines / 2)) return false;
  for (let line = from; line < to; line += LINE)
    for (let old = line; old < line + USED; old += SLOT) {
      const value = load<u32>(old, VALUE);
      if (value == 0) continue;
      const hash = load<u64>(old);
      const slot = slotOf(index, hash);
      store<u64>(slot, hash);
      store<u32>(slot, value, VALUE);
    }
  giveBack(from, to);
  return true;
}

/** Remembers that the part in a slot was met. */
export function mark(index: PartIndex, slot: u32): void {
  const bits = <u32>load<u8>(slot, HIGHEST);
  index.marked += (bits & MET) == 0 ? 1 : 0;
  store<u8>(slot, bits | MET, HIGHEST);
}

/** Whether the part in a slot was met. */
export function isMarked(slot: u32): bool {
  return ((<u32>load<u8>(slot, HIGHEST)) & MET) != 0;
}

/** The slot of a part; 0 when it is not there. */
export function findPart(index: PartIndex, high: u32, low: u32): u32 {
  const slot = slotOf(index, ((<u64>high) << 32) | low);
  return load<u32>(slot, VALUE) == 0 ? 0 : slot;
}

export const ADDED: u32 = 0;
export const KNOWN: u32 = 1;
export const NO_MEMORY: u32 = 2;

/** Adds a part with its value unless it is there. */
export function addPart(index: PartIndex, high: u32, low: u32, value: u32): u32 {
  if (!hasRoom(index)) return NO_MEMORY;
  const hash = ((<u64>high) << 32) | low;
  const slot = slotOf(index, hash);
  if (load<u32>(slot, VALUE) != 0) return KNOWN;
  fill(index, slot, hash, value);
  return ADDED;
}

/** The value of the part in a slot. */
export function valueAt(slot: u32): u32 {
  return load<u32>(slot, VALUE) - 1;
}
