import { allocate, giveBack } from './memory';

/** A slot: the two halves of a part's hash, then its value plus 1, or 0 when the slot is free. They are looked at together, in one line of the cache. */
const SLOT: u32 = 12;
const VALUE: u32 = 8;
/** Smaller tables would be full at once. */
const FEWEST: u32 = 1024;

/** A hash table of parts with a value each. JavaScript reads its fields as words in this order. */
@unmanaged
export class PartIndex {
  table: u32;
  slots: u32;
  size: u32;
  /** With more parts the table grows: linear probing is still short here. */
  most: u32;
  /** A bit for each slot whose part was met; 0 before the first one is. */
  marks: u32;
  marked: u32;
}

/** Creates an index for so many parts, which may be more; 0 when there is no memory. */
export function createIndex(expected: u32): PartIndex {
  const index = changetype<PartIndex>(allocate(offsetof<PartIndex>()));
  if (changetype<u32>(index) != 0 && setTable(index, max(FEWEST, expected + expected / 5))) return index;
  return changetype<PartIndex>(0);
}

function setTable(index: PartIndex, slots: u32): bool {
  const table = allocate(<u64>slots * SLOT);
  if (table == 0) return false;
  index.table = table;
  index.slots = slots;
  index.most = slots - slots / 8;
  return true;
}

/** Where a hash belongs if no other part is there. */
// @inline
export function homeOf(index: PartIndex, hash: u64): u32 {
  return index.table + <u32>(((hash & 0xffffffff) * <u64>index.slots) >> 32) * SLOT;
}

/** The slot that holds a hash, or the free one where it belongs. */
// @inline
export function slotOf(index: PartIndex, hash: u64): u32 {
  const end = index.table + index.slots * SLOT;
  let slot = homeOf(index, hash);
  while (load<u32>(slot, VALUE) != 0 && load<u64>(slot) != hash) {
    slot += SLOT;
    if (slot == end) slot = index.table;
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
  store<u64>(slot, hash);
  store<u32>(slot, value + 1, VALUE);
  index.size += 1;
}

function grow(index: PartIndex): bool {
  const from = index.table;
  const to = from + index.slots * SLOT;
  if (!setTable(index, index.slots + index.slots / 2)) return false;
  for (let old = from; old < to; old += SLOT) {
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

/** Remembers that the part in a slot was met; false when there is no memory for that. */
export function mark(index: PartIndex, slot: u32): bool {
  if (index.marks == 0) index.marks = allocate((index.slots >> 3) + 1);
  if (index.marks == 0) return false;
  const number = (slot - index.table) / SLOT;
  const byte = index.marks + (number >> 3);
  const bit = 1 << (number & 7);
  const marks = <u32>load<u8>(byte);
  index.marked += (marks & bit) == 0 ? 1 : 0;
  store<u8>(byte, marks | bit);
  return true;
}

/** Whether the part in a slot was met. */
export function isMarked(index: PartIndex, slot: u32): bool {
  if (index.marks == 0) return false;
  const number = (slot - index.table) / SLOT;
  return (load<u8>(index.marks + (number >> 3)) & (1 << (number & 7))) != 0;
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
