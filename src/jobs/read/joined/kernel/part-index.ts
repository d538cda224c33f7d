import type { HashPair } from '../../../../parts/part-hash.ts';
import { given, type JoinKernel } from './join-kernel.ts';

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
  /** Where the kernel has it. */
  readonly address: number;
};

/* The words of an index, and what `addPart` answers, as kernel/join/part-index.ts has them. */
const [SIZE, MARKED] = [2, 4];
const [ADDED, NO_MEMORY] = [0, 2];

/**
 * An index of parts in 64 bytes for each five slots (about 15 bytes a part), in the memory of a kernel: 63 bits of a hash and a number. Two different parts are
 * taken for one hardly more often than by a part set. `expected` avoids growing, during which the old and the new table exist side by side.
 */
export function createPartIndex({ calls, words }: JoinKernel, expected = 0): PartIndex {
  const address = given(calls.createIndex(Math.ceil(expected)));
  const at = address / 4;
  return {
    address,
    add: ({ high, low }, value) => {
      const answer = calls.addPart(address, high, low, value);
      if (answer === NO_MEMORY) given(0);
      return answer === ADDED;
    },
    find: ({ high, low }) => {
      const slot = calls.findPart(address, high, low);
      return slot === 0 ? -1 : slot >>> 0;
    },
    valueAt: (slot) => calls.valueAt(slot) >>> 0,
    mark: (slot) => calls.mark(address, slot),
    isMarked: (slot) => calls.isMarked(slot) !== 0,
    get size() {
      return words()[at + SIZE]!;
    },
    get marked() {
      return words()[at + MARKED]!;
    },
  };
}
