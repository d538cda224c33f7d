const SLOT = 12;
const ENTRY = 20;

/** The table of parts, slot by slot. */
export function tableTwin(view: DataView) {
  const word = (at: number) => view.getUint32(at, true);
  const put = (at: number, low: number, high: number, line: number) => {
    view.setUint32(at, low, true);
    view.setUint32(at + 4, high, true);
    view.setUint32(at + 8, line, true);
  };
  const slotOf = (high: number, slots: number) => Number((BigInt(high) * BigInt(slots)) >> 32n);

  /** The slot of a part, or the free one where it belongs. */
  function find(table: number, slots: number, low: number, high: number): number {
    for (let slot = slotOf(high, slots); ; slot = (slot + 1) % slots) {
      const at = table + slot * SLOT;
      if (word(at + 8) === 0 || (word(at) === low && word(at + 4) === high)) return at;
    }
  }

  return {
    findDuplicates: (entries: number, count: number, table: number, slots: number, target: number): number => {
      let found = 0;
      for (let number = 0; number < count; number += 1) {
        const entry = entries + number * ENTRY;
        const slot = find(table, slots, word(entry), word(entry + 4));
        if (word(slot + 8) === 0) {
          put(slot, word(entry), word(entry + 4), word(entry + 8));
        } else {
          view.setUint32(target + found * 8, number, true);
          view.setUint32(target + found * 8 + 4, word(slot + 8), true);
          found += 1;
        }
      }
      return found;
    },
    rehash: (from: number, fromSlots: number, table: number, slots: number): void => {
      for (let old = from; old < from + fromSlots * SLOT; old += SLOT) {
        if (word(old + 8) === 0) continue;
        put(find(table, slots, word(old), word(old + 4)), word(old), word(old + 4), word(old + 8));
      }
    },
  };
}
