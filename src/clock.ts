import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the program sees it; tests give their own. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  /** Waits; ends early, without an error, when the signal fires. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch {
      // The signal ended the wait; whoever fired it goes on.
    }
  },
};
