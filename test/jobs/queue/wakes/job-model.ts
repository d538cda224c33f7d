/** What becomes of a job that was handed back: why it waits. */
export type Pause = 'soon' | 'retry' | 'poll';

/**
 * The jobs of one deduplication id in a queue of BullMQ, of which there is one at most. `by`: whose lock it has, null when the lock has
 * ended; `kept`: a wake-up that came while it was at work, for when it has ended.
 */
export type Job =
  | { at: 'none' }
  | { at: 'waiting'; kept: boolean }
  | { at: 'active'; kept: boolean; by: number | null }
  | { at: 'delayed'; kept: boolean; pause: Pause };

export const NO_JOB: Job = { at: 'none' };

/** Adds a job; `keep` is BullMQ's `keepLastIfActive`. */
export function add(job: Job, keep: boolean): Job {
  if (job.at === 'none') return { at: 'waiting', kept: false };
  return job.at === 'active' && keep ? { ...job, kept: true } : job;
}

/** Brings a job forward that waits for a time; also what its end of waiting does. */
export function promote(job: Job): Job {
  return job.at === 'delayed' ? { at: 'waiting', kept: job.kept } : job;
}

/** Gives the job to a worker. */
export function take(job: Job, by: number): Job {
  return job.at === 'waiting' ? { at: 'active', kept: job.kept, by } : job;
}

/** The lock ends: its worker has died, or could not reach Redis for too long. */
export function expire(job: Job): Job {
  return job.at === 'active' ? { ...job, by: null } : job;
}

/** What the queue's look for stalled jobs does. */
export function stall(job: Job): Job {
  return job.at === 'active' && job.by === null ? { at: 'waiting', kept: job.kept } : job;
}

/** True for the worker whose lock the job has; the queue refuses others. */
export function isOf(job: Job, by: number): boolean {
  return job.at === 'active' && job.by === by;
}

/** Ends the job: a wake-up that was kept becomes the next one. */
export function finish(job: Job, by: number): Job {
  if (job.at !== 'active' || job.by !== by) return job;
  return job.kept ? { at: 'waiting', kept: false } : NO_JOB;
}

/** Hands the job back until a time. */
export function delay(job: Job, by: number, pause: Pause): Job {
  return job.at === 'active' && job.by === by ? { at: 'delayed', kept: job.kept, pause } : job;
}

/** What `Queues.isWoken` answers. */
export function isKept(job: Job): boolean {
  return job.at !== 'none' && job.kept;
}
