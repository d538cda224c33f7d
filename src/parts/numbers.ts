/** A list of unsigned 32-bit numbers that grows, in four bytes each. */
export type Numbers = {
  add: (number: number) => void;
  /** Undefined beyond the end. */
  at: (index: number) => number | undefined;
  readonly length: number;
};

const SMALLEST = 1024;

/** An empty list of numbers. */
export function createNumbers(): Numbers {
  let numbers = new Uint32Array(SMALLEST);
  let length = 0;
  return {
    add: (number) => {
      if (length === numbers.length) {
        const larger = new Uint32Array(length * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[length] = number;
      length += 1;
    },
    at: (index) => (index < length ? numbers[index] : undefined),
    get length() {
      return length;
    },
  };
}
