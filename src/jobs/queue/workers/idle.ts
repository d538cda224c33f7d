/** What a sweep sees of a queue: jobs that wait in it, how many jobs this worker has taken since it was built, and whether it has a place free. */
export type Sight = { waiting: number; taken: number; hasPlace: boolean };

/** Sweeps in a row in which jobs waited and the worker took none, and how many it had taken before. */
export type Idle = { sweeps: number; taken: number };

/** A worker that has taken nothing yet. */
export const FRESH: Idle = { sweeps: 0, taken: 0 };

/** So many sweeps in a row are no chance: the libraries know states in which a worker takes nothing for ever and says nothing. */
const STUCK_SWEEPS = 3;

/** Counts a sweep in which jobs waited, this worker had a place for them, and took none. */
export function afterSweep(before: Idle, { waiting, taken, hasPlace }: Sight): Idle {
  const isIdle = waiting > 0 && hasPlace && taken === before.taken;
  return { sweeps: isIdle ? before.sweeps + 1 : 0, taken };
}

/** Whether a worker is to be built anew. */
export function isStuck({ sweeps }: Idle): boolean {
  return sweeps >= STUCK_SWEEPS;
}
