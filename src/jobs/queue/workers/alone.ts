import type { Clock } from '../../../clock.ts';
import { asksSource, type Standing } from '../../../ledger/runs/runs.ts';
import { carryOut } from '../handle.ts';
import { onLane, onPull, onRun, type Handled, type World } from '../on-job.ts';
import type { Wakes } from '../queues.ts';

/** Wakes nobody but this process: what a sweep finds is worked on here, by the rules of the queues. */
export type Alone = Wakes & {
  /** Begins nothing more: the queues do it again. What is under way ends by itself. */
  rest: () => void;
};

/** Pulls of a process, with those that wait in its line: these cost nothing but their place in it. */
const MOST_PULLS = 1024;

/** The longest wait; what waits for longer looks at its ledger in between. Milliseconds. */
const LONGEST_WAIT = 3_600_000;

/**
 * Works without a queue, while its Redis is away. Others may do the same, and so may jobs that the queue gave before: the leases of the
 * ledger decide who works on what, as they always do.
 */
export function workAlone(world: World, concurrency: number): Alone {
  const { clock } = world.ctx;
  const runs = openLine(concurrency, clock, (run) => carryOut({ run }, world, () => onRun({ data: { run } }, world)));
  const pulls = openLine(MOST_PULLS, clock, (run) => carryOut({ run }, world, () => onPull({ data: { run } }, world)));
  const lanes = openLine(concurrency, clock, (login) =>
    carryOut({ login }, world, () => onLane({ data: { login } }, world)),
  );
  const lineOf = (run: Standing) => (asksSource(run) ? pulls : runs);
  return {
    wakeRun: (run) => Promise.resolve(lineOf(run).wake(run.id)),
    remindRun: (run) => Promise.resolve(lineOf(run).remind(run.id, run.tries === 0)),
    wakeLane: (login) => Promise.resolve(lanes.wake(login)),
    // Each sweep looks at what is due.
    schedule: () => Promise.resolve(),
    rest: () => [runs, pulls, lanes].forEach((line) => line.rest()),
  };
}

/** Jobs of one kind: each is in line, at work or waiting for a time, and never twice at work. */
type Line = {
  /** A job at work is done again afterwards, one that waits is brought forward. */
  wake: (id: string) => void;
  /** A job at work is left alone; one that waits is brought forward only if it may be. */
  remind: (id: string, bringsForward: boolean) => void;
  rest: () => void;
};

/**
 * A line with so many places.
 * @internal exported for tests
 */
export function openLine(
  places: number,
  clock: Pick<Clock, 'now' | 'wait'>,
  work: (id: string) => Promise<Handled>,
): Line {
  const waiting = new Set<string>();
  const working = new Set<string>();
  const woken = new Set<string>();
  const delayed = new Map<string, AbortController>();
  let rests = 0;

  function enter(id: string): void {
    delayed.get(id)?.abort();
    delayed.delete(id);
    waiting.add(id);
    fillPlaces();
  }

  function fillPlaces(): void {
    for (const id of waiting) {
      if (working.size >= places) return;
      void begin(id);
    }
  }

  async function begin(id: string): Promise<void> {
    waiting.delete(id);
    working.add(id);
    const restsBefore = rests;
    const handled = await work(id);
    working.delete(id);
    if (woken.delete(id)) waiting.add(id);
    else if (handled !== 'done' && rests === restsBefore) void delay(id, handled.waitUntil);
    fillPlaces();
  }

  async function delay(id: string, until: number): Promise<void> {
    const over = new AbortController();
    delayed.set(id, over);
    await clock.wait(Math.min(Math.max(until - clock.now(), 10), LONGEST_WAIT), over.signal);
    if (!over.signal.aborted) enter(id);
  }

  return {
    wake: (id) => (working.has(id) ? void woken.add(id) : enter(id)),
    remind: (id, bringsForward) => {
      if (working.has(id) || (delayed.has(id) && !bringsForward)) return;
      enter(id);
    },
    rest: () => {
      rests++;
      for (const over of delayed.values()) over.abort();
      for (const jobs of [delayed, waiting, woken]) jobs.clear();
    },
  };
}
