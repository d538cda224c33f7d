/** Lets one holder at a time through, in the order of asking. */
export type FifoLock = {
  /** Waits for its turn; resolves to false when the turn has not come within `limit` milliseconds. */
  acquire: (limit: number) => Promise<boolean>;
  /** Hands the lock to the one who has waited longest. Call it once for each `acquire` that gave true. */
  release: () => void;
};

/** Creates a lock that is free. */
export function fifoLock(): FifoLock {
  const waiting: (() => void)[] = [];
  let held = false;
  return {
    acquire: (limit) => {
      if (!held) {
        held = true;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const turn = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(turn), 1);
          resolve(false);
        }, limit);
        waiting.push(turn);
      });
    },
    release: () => {
      const next = waiting.shift();
      if (next === undefined) held = false;
      else next();
    },
  };
}
