import { hashKey, type HashPair } from './part-hash.ts';

/** A set of part keys that remembers where each was first met. */
export type PartSet = {
  /** Answers the line given for an equal key before, or undefined when the key is new; then it is added with `line`. */
  firstLine: (key: string, line: number) => number | undefined;
  readonly size: number;
};

/** A set of part keys that also takes keys that are hashed already, and can be asked without adding to it. */
export type PartTable = PartSet & {
  firstLineOf: (hash: HashPair, line: number) => number | undefined;
  /** The line given for an equal key before; adds nothing. */
  lineOf: (hash: HashPair) => number | undefined;
  has: (key: string) => boolean;
  hasHash: (hash: HashPair) => boolean;
};

const SMALLEST = 1024;
/** Beyond this share of used slots the table grows; linear probing is still short here. */
const MAX_LOAD = 0.75;

type Table = { mask: number; high: Uint32Array; low: Uint32Array; lines: Uint32Array };

/**
 * A set of part keys in 12 bytes a slot (about 16 to 32 bytes a key): a 64-bit hash and the line, from 1 to 2³² - 1.
 * Two different keys are taken for one with a chance of n² / 2⁶⁵: for 10 million keys once in 370,000 files.
 * `expected` avoids growing, during which the old and the new table exist side by side.
 */
export function createPartSet(expected = 0): PartTable {
  let table = createTable(2 ** Math.ceil(Math.log2(Math.max(SMALLEST, expected / MAX_LOAD))));
  let size = 0;
  const pair = { high: 0, low: 0 };
  const firstLineOf: PartTable['firstLineOf'] = ({ high, low }, line) => {
    const slot = findSlot(table, high, low);
    if (table.lines[slot] !== 0) return table.lines[slot];
    fill(table, slot, high, low, line);
    size += 1;
    if (size > (table.mask + 1) * MAX_LOAD) table = grow(table);
    return undefined;
  };
  return {
    firstLine: (key, line) => {
      hashKey(key, pair);
      return firstLineOf(pair, line);
    },
    firstLineOf,
    lineOf: ({ high, low }) => table.lines[findSlot(table, high, low)] || undefined,
    hasHash: ({ high, low }) => table.lines[findSlot(table, high, low)] !== 0,
    has: (key) => {
      hashKey(key, pair);
      return table.lines[findSlot(table, pair.high, pair.low)] !== 0;
    },
    get size() {
      return size;
    },
  };
}

function createTable(slots: number): Table {
  return {
    mask: slots - 1,
    high: new Uint32Array(slots),
    low: new Uint32Array(slots),
    lines: new Uint32Array(slots),
  };
}

/** The slot that holds this hash, or the free one where it belongs; line 0 marks a free slot. */
function findSlot({ mask, high: highs, low: lows, lines }: Table, high: number, low: number): number {
  let slot = low & mask;
  while (lines[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = (slot + 1) & mask;
  return slot;
}

function fill(table: Table, slot: number, high: number, low: number, line: number): void {
  table.high[slot] = high;
  table.low[slot] = low;
  table.lines[slot] = line;
}

function grow(table: Table): Table {
  const larger = createTable((table.mask + 1) * 2);
  for (const [slot, line] of table.lines.entries()) {
    if (line === 0) continue;
    const high = table.high[slot]!;
    const low = table.low[slot]!;
    fill(larger, findSlot(larger, high, low), high, low, line);
  }
  return larger;
}
