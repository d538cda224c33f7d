/** Draws pseudo-random numbers, the same ones for the same seed. */
export type Draw = {
  /** A whole number from 0 to `below` - 1. */
  upTo: (below: number) => number;
  /** One of these. */
  one: <T>(of: readonly T[]) => T;
  /** True with this probability. */
  chance: (share: number) => boolean;
  /** A text in which each `9` is drawn as a digit, each `1` as a digit that is not zero, and each `X` as a capital letter. */
  fill: (pattern: string) => string;
};

const LETTERS = Array.from('ABCDEFGHJKLMNPQRSTUVWXYZ');

/** A generator with the state of mulberry32. */
export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (below: number) => Math.floor(next() * below);
  const one = <T>(of: readonly T[]): T => of[upTo(of.length)]!;
  const fill = (pattern: string) =>
    pattern.replaceAll(/[91X]/g, (sign) =>
      sign === 'X' ? one(LETTERS) : String(sign === '1' ? 1 + upTo(9) : upTo(10)),
    );
  return { upTo, one, chance: (share) => next() < share, fill };
}
