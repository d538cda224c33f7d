const SLOT = 8;
const ENTRY = 20;

/** The table of parts, slot by slot. */
export function tableTwin(view: DataView) {
  const word = (at: number) => view.getUint32(at, true);

  /** The slot of a part, or the free one where it belongs. */
  function find(table: number, slots: number, hash: bigint): number {
    const first = Number(((hash >> 32n) * BigInt(slots)) >> 32n);
    for (let slot = first; ; slot = (slot + 1) % slots) {
      const known = view.getBigUint64(table + slot * SLOT, true);
      if (known === 0n || known >> 24n === (hash & 0xff_ffff_ffffn)) return table + slot * SLOT;
    }
  }

  return {
    findDuplicates: (entries: number, count: number, table: number, slots: number, target: number): number => {
      let found = 0;
      for (let number = 0; number < count; number += 1) {
        const entry = entries + number * ENTRY;
        const hash = view.getBigUint64(entry, true);
        const slot = find(table, slots, hash);
        const known = view.getBigUint64(slot, true);
        if (known === 0n) {
          view.setBigUint64(slot, ((hash & 0xff_ffff_ffffn) << 24n) | BigInt(word(entry + 8)), true);
        } else {
          view.setUint32(target + found * 8, number, true);
          view.setUint32(target + found * 8 + 4, Number(known & 0xff_ffffn), true);
          found += 1;
        }
      }
      return found;
    },
  };
}
