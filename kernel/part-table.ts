/*
 * A table of slots of three words: both halves of a part's hash, then the line where it was first met, 0 when free.
 * Entries are five words: both halves, the line, and two that do not matter here.
 */
const SLOT: u32 = 12;
const ENTRY: u32 = 20;

/**
 * Puts entries into a table, each after the ones before it. Of those whose part is there already, the number of the entry
 * and the first line are written at `target`, two words each; answers how many they are. The table must have free slots.
 */
export function findDuplicates(entries: u32, count: u32, table: u32, slots: u32, target: u32): u32 {
  const end = table + slots * SLOT;
  let found: u32 = 0;
  for (let number: u32 = 0; number < count; number += 1) {
    const entry = entries + number * ENTRY;
    const low = load<u32>(entry);
    const high = load<u32>(entry, 4);
    let slot = table + <u32>((<u64>high * <u64>slots) >> 32) * SLOT;
    let first = load<u32>(slot, 8);
    while (first != 0 && (load<u32>(slot) != low || load<u32>(slot, 4) != high)) {
      slot += SLOT;
      if (slot == end) slot = table;
      first = load<u32>(slot, 8);
    }
    if (first == 0) {
      store<u32>(slot, low);
      store<u32>(slot, high, 4);
      store<u32>(slot, load<u32>(entry, 8), 8);
    } else {
      store<u32>(target + found * 8, number);
      store<u32>(target + found * 8, first, 4);
      found += 1;
    }
  }
  return found;
}

/** Puts what is in one table into another one that is empty and larger. */
export function rehash(from: u32, fromSlots: u32, table: u32, slots: u32): void {
  const end = table + slots * SLOT;
  for (let number: u32 = 0; number < fromSlots; number += 1) {
    const old = from + number * SLOT;
    if (load<u32>(old, 8) == 0) continue;
    let slot = table + <u32>((<u64>load<u32>(old, 4) * <u64>slots) >> 32) * SLOT;
    while (load<u32>(slot, 8) != 0) {
      slot += SLOT;
      if (slot == end) slot = table;
    }
    store<u64>(slot, load<u64>(old));
    store<u32>(slot, load<u32>(old, 8), 8);
  }
}
