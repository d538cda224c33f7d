/** A number of places, given to the caller that has waited longest. */
export type Places = {
  /** Waits for a place; gives the function that gives it back, which may be called twice. The signal ends the wait. */
  take: (signal: AbortSignal) => Promise<() => void>;
};

/** Opens so many places. */
export function places(count: number): Places {
  const waiting: (() => void)[] = [];
  let free = count;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const place = () => {
    let taken = true;
    return () => {
      if (taken) leave();
      taken = false;
    };
  };
  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return place();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = () => {
        waiting.splice(waiting.indexOf(resolve), 1);
        reject(signal.reason);
      };
      waiting.push(resolve);
      signal.addEventListener('abort', stop, { once: true });
      await promise;
      signal.removeEventListener('abort', stop);
      return place();
    },
  };
}
