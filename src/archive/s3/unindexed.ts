import type { ObjectIndex } from './object-index.ts';

/** The index of a bucket of which no ledger knows: each file is one object, which nobody removes while it may be brought in. */
export function unindexed(): ObjectIndex {
  return {
    want: () => Promise.resolve(0),
    giveUp: () => Promise.resolve(null),
    known: () => Promise.resolve(new Map()),
    givenUp: () => Promise.resolve(new Map()),
    found: () => Promise.resolve(),
    forget: () => Promise.resolve(),
  };
}
