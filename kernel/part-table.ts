/*
 * A table of slots of three words: both halves of a part's hash, then the line where it was first met, 0 when free.
 * Entries are five words: both halves, the line, and two that do not matter here.
 */
const SLOT: u32 = 12;
const ENTRY: u32 = 20;

/** So many entries are looked up at a time. */
const BLOCK: u32 = 64;

/** What was in the slots that were touched; nobody reads it, but what is exported is not left out by the compiler. */
export let touched: u32 = 0;

/**
 * Puts entries into a table, each after the ones before it. Of those whose part is there already, the number of the entry
 * and the first line are written at `target`, two words each; answers how many they are. The table must have free slots.
 */
export function findDuplicates(entries: u32, count: u32, table: u32, slots: u32, target: u32): u32 {
  let found: u32 = 0;
  for (let number: u32 = 0; number < count; number += BLOCK) {
    const end = min(number + BLOCK, count);
    touch(entries, number, end, table, slots);
    for (let at = number; at < end; at += 1) {
      const first = putEntry(entries + at * ENTRY, table, slots);
      if (first == 0) continue;
      store<u32>(target + found * 8, at);
      store<u32>(target + found * 8, first, 4);
      found += 1;
    }
  }
  return found;
}

/** The slots of a block lie far apart in memory: they are fetched side by side, not one after the other. */
function touch(entries: u32, from: u32, to: u32, table: u32, slots: u32): void {
  let sum: u32 = 0;
  for (let at = from; at < to; at += 1) sum += load<u32>(slotOf(load<u32>(entries + at * ENTRY, 4), table, slots), 8);
  touched = sum;
}

function slotOf(high: u32, table: u32, slots: u32): u32 {
  return table + <u32>((<u64>high * <u64>slots) >> 32) * SLOT;
}

/** Answers the first line of a part that is there already; else it is there now, and the answer is 0. */
function putEntry(entry: u32, table: u32, slots: u32): u32 {
  const end = table + slots * SLOT;
  const low = load<u32>(entry);
  const high = load<u32>(entry, 4);
  let slot = slotOf(high, table, slots);
  let first = load<u32>(slot, 8);
  while (first != 0 && (load<u32>(slot) != low || load<u32>(slot, 4) != high)) {
    slot += SLOT;
    if (slot == end) slot = table;
    first = load<u32>(slot, 8);
  }
  if (first != 0) return first;
  store<u32>(slot, low);
  store<u32>(slot, high, 4);
  store<u32>(slot, load<u32>(entry, 8), 8);
  return 0;
}

/** Puts what is in one table into another one that is empty and larger. */
export function rehash(from: u32, fromSlots: u32, table: u32, slots: u32): void {
  const end = table + slots * SLOT;
  for (let number: u32 = 0; number < fromSlots; number += 1) {
    const old = from + number * SLOT;
    if (load<u32>(old, 8) == 0) continue;
    let slot = slotOf(load<u32>(old, 4), table, slots);
    while (load<u32>(slot, 8) != 0) {
      slot += SLOT;
      if (slot == end) slot = table;
    }
    store<u64>(slot, load<u64>(old));
    store<u32>(slot, load<u32>(old, 8), 8);
  }
}
