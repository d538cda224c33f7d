/*
 * A table of slots of eight bytes: the lower 40 bits of a part's hash, then the line of its first occurrence in 24 bits, 0
 * when free. The upper half of the hash gives the slot where probing begins, so that about 60 bits of it count.
 * Entries are five words: both halves of the hash, the line, and two that are not used here.
 */
const SLOT: u32 = 8;
const ENTRY: u32 = 20;
const LINE_BITS: u64 = 24;
const LINE: u64 = 0xffffff;

/** Entries looked up at a time. */
const BLOCK: u32 = 64;

/** What the prefetched slots held. Nothing reads it, but without the export the compiler would drop the loads. */
export let touched: u64 = 0;

/**
 * Puts entries into a table in order. For each part that is there already, the number of the entry and the first line are
 * written at `target`, two words each; returns how many there are. The table must have free slots.
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

/** Prefetches the slots of a block, which lie far apart in memory, so that their cache misses overlap. */
function touch(entries: u32, from: u32, to: u32, table: u32, slots: u32): void {
  let sum: u64 = 0;
  for (let at = from; at < to; at += 1) sum += load<u64>(slotOf(load<u32>(entries + at * ENTRY, 4), table, slots));
  touched = sum;
}

function slotOf(high: u32, table: u32, slots: u32): u32 {
  return table + <u32>((<u64>high * <u64>slots) >> 32) * SLOT;
}

/** Returns the first line of a part that is there already; otherwise adds the part and returns 0. */
function putEntry(entry: u32, table: u32, slots: u32): u32 {
  const end = table + slots * SLOT;
  const hash = load<u64>(entry);
  const part = hash << LINE_BITS;
  let slot = slotOf(<u32>(hash >> 32), table, slots);
  let known = load<u64>(slot);
  while (known != 0 && (known ^ part) > LINE) {
    slot += SLOT;
    if (slot == end) slot = table;
    known = load<u64>(slot);
  }
  if (known != 0) return <u32>(known & LINE);
  store<u64>(slot, part | (<u64>load<u32>(entry, 8)));
  return 0;
}
