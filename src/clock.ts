import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './context.ts';

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
