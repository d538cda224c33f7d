/** The sandbox's time: another clock plus what it was advanced by. States, waits and retention follow it. */
export type SandboxClock = {
  /** Epoch milliseconds. */
  now: () => number;
  /** How far it was advanced, in milliseconds. */
  ahead: () => number;
  /** Moves time forward at once; waits whose moment has come end. */
  advance: (ms: number) => void;
  /** Resolves at `due` by this clock, or as soon as the signal fires. */
  until: (due: number, signal: AbortSignal) => Promise<void>;
};

/** How often a wait looks at the clock below, in milliseconds: it may run otherwise than the timers do. */
const LOOK_EVERY = 1000;

/** A clock that runs as `base` does. */
export function createClock(base: () => number): SandboxClock {
  let offset = 0;
  const sleepers = new Set<() => void>();
  const now = () => base() + offset;
  return {
    now,
    ahead: () => offset,
    advance: (ms) => {
      offset += ms;
      for (const wake of sleepers) wake();
    },
    until: async (due, signal) => {
      while (!signal.aborted && now() < due) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, Math.min(due - now(), LOOK_EVERY));
        sleepers.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        await promise;
        sleepers.delete(resolve);
        clearTimeout(timer);
      }
    },
  };
}
