/** Draws numbers, texts and choices that are the same for the same seed. */
export type Draw = {
  /** A number in [0, 1). */
  number: () => number;
  /** A whole number from 0 up to and without `below`. */
  below: (below: number) => number;
  /** True so often in the long run. */
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
  /** One of the values, each as often as its share says; shares need not sum up to 1. */
  weighted: <T>(from: readonly (readonly [value: T, share: number])[]) => T;
  hex: (length: number) => string;
  /** A moment as an id of the ledger, which sorts by time. */
  id: (at: number) => string;
};

/** A source of choices for a seed (mulberry32). */
export function drawing(seed: number): Draw {
  let state = seed;
  let ids = 0;
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(number() * limit);
  const weighted = <T>(from: readonly (readonly [T, number])[]): T => {
    let left = number() * from.reduce((sum, [, share]) => sum + share, 0);
    for (const [value, share] of from) if ((left -= share) < 0) return value;
    return from[0]![0];
  };
  return {
    number,
    below,
    chance: (share) => number() < share,
    pick: (from) => from[below(from.length)]!,
    weighted,
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(''),
    id: (at) => {
      const time = new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14);
      return `${time.slice(0, 8)}-${time.slice(8)}-${(ids += 1).toString(36).padStart(5, '0')}`;
    },
  };
}
