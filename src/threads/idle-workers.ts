import type { OwnWorker } from './start-worker.ts';

/** Threads that are kept at most, and for how many milliseconds. */
const MOST = 2;
const KEPT_MS = 10_000;

/** Threads that wait for a task, and what ends each of them. */
const idle = new Map<OwnWorker, NodeJS.Timeout>();

/** A thread that waits for a task, the last one first; undefined where none does. */
export function takeIdle(): OwnWorker | undefined {
  const worker = [...idle.keys()].at(-1);
  if (worker === undefined) return undefined;
  forget(worker);
  worker.hold(true);
  return worker;
}

/** Keeps a thread for another task; false when enough wait already. One that waits does not keep the process running. */
export function keepIdle(worker: OwnWorker): boolean {
  if (idle.size >= MOST) return false;
  worker.hold(false);
  const end = () => {
    forget(worker);
    void worker.end();
  };
  idle.set(worker, setTimeout(end, KEPT_MS).unref());
  worker.onEnd(() => forget(worker));
  return true;
}

function forget(worker: OwnWorker): void {
  clearTimeout(idle.get(worker));
  idle.delete(worker);
}
