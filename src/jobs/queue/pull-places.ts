import type { Clock } from '../../clock.ts';
import { begunPull, planPulls, received, type PullUnderWay } from './plan-pulls.ts';

/** The pulls of a process: who waits, and who is under way. */
export type PullPlaces = {
  /** Waits until a pull of a server, or of a folder (null), may begin. The signal ends the wait. */
  begin: (server: string | null, signal: AbortSignal) => Promise<PullTurn>;
};

/** A pull that has begun. */
export type PullTurn = {
  /** Is to be called as bytes come: a pull that brings few gives its place away and goes on. */
  received: (bytes: number) => void;
  /** The pull has ended; may be called twice. */
  end: () => void;
};

type Waiting = { server: string | null; begin: () => void };

/** Places for so many pulls that move, as plan-pulls.ts gives them. */
export function pullPlaces(places: number, clock: Pick<Clock, 'monotonic' | 'wait'>): PullPlaces {
  const waiting: Waiting[] = [];
  const underWay = new Map<object, PullUnderWay>();
  let lastBegun: number | null = null;
  let looking = new AbortController();

  function look(): void {
    looking.abort();
    while (waiting.length > 0) {
      const now = clock.monotonic();
      const servers = waiting.map(({ server }) => server);
      const plan = planPulls({ places, underWay: [...underWay.values()], waiting: servers, lastBegun }, now);
      if ('lookAt' in plan) return lookIn(plan.lookAt - now);
      lastBegun = now;
      for (const { begin } of waiting.splice(plan.begin, 1)) begin();
    }
  }

  function lookIn(ms: number): void {
    const { signal } = (looking = new AbortController());
    // Nothing changes with time alone when all that are under way wait for their peers.
    if (ms === Infinity) return;
    void lookAfter(Math.ceil(ms), signal);
  }

  async function lookAfter(ms: number, signal: AbortSignal): Promise<void> {
    await clock.wait(ms, signal);
    if (!signal.aborted) look();
  }

  function handleOf(server: string | null): PullTurn {
    const key = {};
    underWay.set(key, begunPull(server, clock.monotonic()));
    return {
      received: (bytes) => {
        const before = underWay.get(key);
        if (before === undefined) return;
        underWay.set(key, received(before, bytes, clock.monotonic()));
        if (!before.answered) look();
      },
      end: () => {
        if (underWay.delete(key)) look();
      },
    };
  }

  return {
    begin: async (server, signal) => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<PullTurn>();
      const own: Waiting = { server, begin: () => resolve(handleOf(server)) };
      const stop = () => {
        const at = waiting.indexOf(own);
        if (at >= 0) waiting.splice(at, 1);
        reject(signal.reason);
      };
      waiting.push(own);
      signal.addEventListener('abort', stop, { once: true });
      look();
      return promise.finally(() => signal.removeEventListener('abort', stop));
    },
  };
}
