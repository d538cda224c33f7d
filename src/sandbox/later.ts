import type { Log } from '../log.ts';
import type { SandboxClock } from './clock.ts';

/** Work for a later moment of the sandbox's clock. It is lost when the sandbox ends. */
export type Later = {
  /** Does the work at `due`; a time that it answers with is when it wants to be done again. */
  add: (due: number, work: () => Promise<number | undefined>) => void;
  /** Resolves when everything that is due has been done. */
  quiet: () => Promise<void>;
  /** Resolves when nothing runs any more; call it when `stopping` has fired. */
  ended: () => Promise<void>;
};

type Task = { due: number; step: PromiseWithResolvers<void> };

/** Nothing planned yet. */
export function createLater(clock: SandboxClock, stopping: AbortSignal, log: Log): Later {
  const tasks = new Set<Task>();
  const running = new Set<Promise<void>>();

  async function run(task: Task, work: () => Promise<number | undefined>): Promise<void> {
    while (tasks.has(task)) {
      await clock.until(task.due, stopping);
      const next = stopping.aborted ? undefined : await work().catch((error: unknown) => failed(error));
      const { step } = task;
      if (next === undefined) tasks.delete(task);
      else Object.assign(task, { due: next, step: Promise.withResolvers<void>() });
      step.resolve();
    }
  }

  function failed(error: unknown): undefined {
    log.error({ err: error }, 'sandbox failed at planned work');
  }

  return {
    add: (due, work) => {
      const task = { due, step: Promise.withResolvers<void>() };
      tasks.add(task);
      const done = run(task, work).finally(() => running.delete(done));
      running.add(done);
    },
    quiet: async () => {
      const due = () => [...tasks].filter((task) => task.due <= clock.now());
      for (let waiting = due(); waiting.length > 0; waiting = due()) {
        await Promise.all(waiting.map((task) => task.step.promise));
      }
    },
    ended: async () => {
      await Promise.all(running);
    },
  };
}
