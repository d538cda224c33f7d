import { Queue } from 'bullmq';
import { asksSource, type Standing } from '../../ledger/runs/runs.ts';
import type { RedisServer } from '../redis/open.ts';

/** Queue names; the prefix keeps offerline's keys apart from others' in a shared Redis. */
export const PREFIX = 'offerline';
export const RUNS = 'runs';
export const PULLS = 'pulls';
export const LANES = 'lanes';

/** A wake-up: payloads carry ids only, the ledger says what is to be done. */
export type PullJob = { run: string };
export type RunJob = PullJob | { feed: string };
export type LaneJob = { login: string };

/** The queues as producers see them. */
export type Queues = {
  /** Wakes a worker for a run, where it stands. A run that is already queued there is not queued twice. */
  wakeRun: (run: Standing) => Promise<void>;
  /** Wakes the login's lane. One that is at work, or waits between two polls, is run again afterwards. */
  wakeLane: (login: string) => Promise<void>;
  /** Brings every run forward that waits for a time: it checks again whether that has come. */
  hurryRuns: () => Promise<void>;
  runs: Queue<RunJob>;
  pulls: Queue<PullJob>;
  lanes: Queue<LaneJob>;
  close: () => Promise<void>;
};

/**
 * A connection that comes back by itself until `stop` fires. From then on, what still waits for a Redis that is away is
 * given up, so that a process can end without it.
 */
export function lastingConnection(redis: RedisServer, stop: AbortSignal) {
  return {
    ...redis.connection,
    retryStrategy: (times: number) => (stop.aborted ? null : Math.min(50 * 2 ** Math.min(times, 10), 1000)),
  };
}

/** Opens the queues. Write to the ledger BEFORE waking anyone: a wake-up that is lost is found by the sweep, a fact is not. */
export function openQueues(redis: RedisServer, stop: AbortSignal): Queues {
  const options = {
    connection: lastingConnection(redis, stop),
    prefix: PREFIX,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  };
  const runs = new Queue<RunJob>(RUNS, options);
  const pulls = new Queue<PullJob>(PULLS, options);
  const lanes = new Queue<LaneJob>(LANES, options);
  // A Redis that goes away is reported by the worker; an unheard 'error' event would end the process.
  for (const queue of [runs, pulls, lanes]) queue.on('error', () => undefined);
  return {
    runs,
    pulls,
    lanes,
    wakeRun: async (run) => {
      const [data, options] = [{ run: run.id }, { jobId: `run-${run.id}` }];
      await (asksSource(run) ? pulls.add('run', data, options) : runs.add('run', data, options));
    },
    wakeLane: async (login) => {
      const job = await lanes.add('lane', { login }, { deduplication: { id: login, keepLastIfActive: true } });
      // A lane that waits between two polls swallows the wake-up: bring it forward, the ledger says when it may go on.
      if (await job.isDelayed()) await job.promote().catch(() => undefined);
    },
    hurryRuns: async () => {
      for (const job of [...(await runs.getDelayed()), ...(await pulls.getDelayed())]) {
        // A feed's next time belongs to its job scheduler.
        if ('run' in job.data) await job.promote().catch(() => undefined);
      }
    },
    close: async () => {
      await Promise.all([runs.close(), pulls.close(), lanes.close()]);
    },
  };
}
