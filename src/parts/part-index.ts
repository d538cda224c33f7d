import type { HashPair } from './part-hash.ts';

/** Finds a number by a part, and remembers which parts were asked for. */
export type PartIndex = {
  /** Adds a part with its number, below 2³² - 1; false when the part is there already. */
  add: (hash: HashPair, value: number) => boolean;
  /** Where a part is, to be used before the next `add`; -1 when it is not there. */
  find: (hash: HashPair) => number;
  valueAt: (slot: number) => number;
  /** Remembers that a part was met. */
  mark: (slot: number) => void;
  isMarked: (slot: number) => boolean;
  readonly size: number;
  /** How many parts were met. */
  readonly marked: number;
};

const SMALLEST = 1024;
/** Beyond this share of used slots the table grows; linear probing is still short here. */
const MAX_LOAD = 0.75;
const GROWTH = 1.5;
const HASHES = 2 ** 32;
const [LOW, VALUE, WORDS] = [1, 2, 3];

/** The words of each slot stand together, so that a look at it is one at the memory: the hash in two, then the number. */
type Table = { slots: number; words: Uint32Array };

/**
 * An index of parts in 12 bytes a slot (16 to 24 bytes a part): a 64-bit hash and a number. Two different parts are taken for one as rarely as
 * by a part set. `expected` avoids growing, during which the old and the new table exist side by side.
 */
export function createPartIndex(expected = 0): PartIndex {
  let table = createTable(Math.ceil(Math.max(SMALLEST, expected / MAX_LOAD)));
  let [size, marked] = [0, 0];
  let marks: Uint8Array | null = null;
  return {
    add: ({ high, low }, value) => {
      const slot = findSlot(table, high, low);
      if (table.words[slot * WORDS + VALUE] !== 0) return false;
      fill(table, slot, high, low, value + 1);
      size += 1;
      if (size > table.slots * MAX_LOAD) table = grow(table);
      return true;
    },
    find: ({ high, low }) => {
      const slot = findSlot(table, high, low);
      return table.words[slot * WORDS + VALUE] === 0 ? -1 : slot;
    },
    valueAt: (slot) => table.words[slot * WORDS + VALUE]! - 1,
    mark: (slot) => {
      marks ??= new Uint8Array(Math.ceil(table.slots / 8));
      const bit = 1 << (slot & 7);
      if ((marks[slot >>> 3]! & bit) !== 0) return;
      marks[slot >>> 3]! |= bit;
      marked += 1;
    },
    isMarked: (slot) => marks !== null && (marks[slot >>> 3]! & (1 << (slot & 7))) !== 0,
    get size() {
      return size;
    },
    get marked() {
      return marked;
    },
  };
}

function createTable(slots: number): Table {
  return { slots, words: new Uint32Array(slots * WORDS) };
}

/** The slot that holds this hash, or the free one where it belongs; value 0 marks a free slot. */
function findSlot({ slots, words }: Table, high: number, low: number): number {
  let slot = Math.floor((low / HASHES) * slots);
  for (;;) {
    const at = slot * WORDS;
    if (words[at + VALUE] === 0 || (words[at + LOW] === low && words[at] === high)) return slot;
    slot = slot + 1 === slots ? 0 : slot + 1;
  }
}

function fill(table: Table, slot: number, high: number, low: number, value: number): void {
  const at = slot * WORDS;
  table.words[at] = high;
  table.words[at + LOW] = low;
  table.words[at + VALUE] = value;
}

function grow(table: Table): Table {
  const larger = createTable(Math.ceil(table.slots * GROWTH));
  const { words } = table;
  for (let at = 0; at < words.length; at += WORDS) {
    const [high, low, value] = [words[at]!, words[at + LOW]!, words[at + VALUE]!];
    if (value === 0) continue;
    fill(larger, findSlot(larger, high, low), high, low, value);
  }
  return larger;
}
