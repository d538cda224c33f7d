import { drawing as choices } from '../web/draw.ts';

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

/** A source of choices and part numbers for a seed. */
export function drawing(seed: number): Draw {
  const { below, pick, chance } = choices(seed);
  const fill = (pattern: string) =>
    pattern.replaceAll(/[91X]/g, (sign) =>
      sign === 'X' ? pick(LETTERS) : String(sign === '1' ? 1 + below(9) : below(10)),
    );
  return { upTo: below, one: pick, chance, fill };
}
