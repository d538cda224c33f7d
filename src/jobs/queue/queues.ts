import { Queue, type ConnectionOptions, type Job, type RepeatOptions } from 'bullmq';
import { asksSource, type Standing } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { connectCluster, FOLLOWING } from '../redis/connect.ts';
import type { RedisServer } from '../redis/open.ts';
import { nextDue, type Schedule } from '../../calendar/next-due.ts';

/** Queue names. */
export const RUNS = 'runs';
export const PULLS = 'pulls';
export const LANES = 'lanes';

/** A wake-up: payloads carry ids only, the ledger says what is to be done. */
export type PullJob = { run: string };
export type RunJob = PullJob | { feed: string };
export type LaneJob = { login: string };

/**
 * The prefix of a queue's keys. It keeps an installation's keys apart from others' in a shared Redis, and the braces keep all keys of a
 * queue on one node of a cluster: BullMQ's scripts change several of them at once.
 */
export function prefixOf({ prefix }: RedisServer, queue: string): string {
  return `{${prefix}:${queue}}`;
}

/** What wakes workers: the queues, or this process alone while their Redis is away. */
export type Wakes = Pick<Queues, 'wakeRun' | 'remindRun' | 'wakeLane' | 'schedule'>;

/** The queues as producers see them. */
export type Queues = {
  /**
   * Wakes a worker for a run, where it stands, because something has changed. One that is at work there is run again afterwards,
   * one that waits is brought forward, and a run that is already queued is not queued twice.
   */
  wakeRun: (run: Standing) => Promise<void>;
  /** Wakes a worker for a run that may have been forgotten. One that is at work, or waits because it has failed, is left alone. */
  remindRun: (run: Standing & Pick<RunRow, 'tries'>) => Promise<void>;
  /** Wakes the login's lane because something has changed, by the same rules as `wakeRun`. */
  wakeLane: (login: string) => Promise<void>;
  /** Makes the job schedulers those of these feeds, and no others. */
  schedule: (feeds: Map<string, Schedule>) => Promise<void>;
  /** True when a job was woken since a worker has taken it: the queue runs it again once it has ended. */
  isWoken: (job: Job<RunJob | LaneJob>) => Promise<boolean>;
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
export function lastingConnection(redis: RedisServer, stop: AbortSignal): LastingConnection {
  const { cluster, ...options } = redis.connection;
  const retryStrategy = (times: number) => (stop.aborted ? null : Math.min(50 * 2 ** Math.min(times, 10), 1000));
  if (cluster === undefined) {
    return { connection: { ...FOLLOWING, ...options, retryStrategy }, close: () => undefined };
  }
  // BullMQ takes a cluster only when it is open, and leaves it open.
  const client = connectCluster({ ...options, cluster }, { retryStrategy });
  client.on('error', () => undefined);
  return { connection: client, close: () => client.disconnect() };
}

/** A connection for queues and workers; is to be closed after them. */
type LastingConnection = { connection: ConnectionOptions; close: () => void };

/** Job schedulers wake a worker at the times that the ledger has; BullMQ's own differ where clocks change. */
export const SCHEDULING = {
  repeatStrategy: (from: number, { pattern = '', tz = 'UTC' }: RepeatOptions) =>
    nextDue({ cron: pattern, timezone: tz }, from),
};

/** Opens the queues. Write to the ledger BEFORE waking anyone: a wake-up that is lost is found by the sweep, a fact is not. */
export function openQueues(redis: RedisServer, stop: AbortSignal): Queues {
  const lasting = lastingConnection(redis, stop);
  const optionsOf = (queue: string) => ({
    connection: lasting.connection,
    prefix: prefixOf(redis, queue),
    settings: SCHEDULING,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  const runs = new Queue<RunJob>(RUNS, optionsOf(RUNS));
  const pulls = new Queue<PullJob>(PULLS, optionsOf(PULLS));
  const lanes = new Queue<LaneJob>(LANES, optionsOf(LANES));
  // A Redis that goes away is reported by the worker; an unheard 'error' event would end the process.
  for (const queue of [runs, pulls, lanes]) queue.on('error', () => undefined);
  const addRun = async (run: Standing, keepLastIfActive: boolean): Promise<Job> => {
    const [data, options] = [{ run: run.id }, { deduplication: { id: `run-${run.id}`, keepLastIfActive } }];
    return asksSource(run) ? pulls.add('run', data, options) : runs.add('run', data, options);
  };
  return {
    runs,
    pulls,
    lanes,
    wakeRun: async (run) => bringForward(await addRun(run, true)),
    remindRun: async (run) => {
      const job = await addRun(run, false);
      if (run.tries === 0) await bringForward(job);
    },
    wakeLane: async (login) => {
      await bringForward(await lanes.add('lane', { login }, { deduplication: { id: login, keepLastIfActive: true } }));
    },
    schedule: (feeds) => scheduleFeeds(runs, feeds),
    isWoken: async ({ queueName, deduplicationId }) => {
      const queue = [runs, pulls, lanes].find(({ name }) => name === queueName);
      if (queue === undefined || deduplicationId === undefined) return false;
      // BullMQ tells nobody that it keeps a wake-up for a job at work: this is where it does.
      return (await (await queue.getBackend().client).hexists(queue.toKey(`dn:${deduplicationId}`), 'name')) === 1;
    },
    hurryRuns: async () => {
      for (const job of [...(await runs.getDelayed()), ...(await pulls.getDelayed())]) {
        // A feed's next time belongs to its job scheduler.
        if ('run' in job.data) await job.promote().catch(() => undefined);
      }
    },
    close: async () => {
      await Promise.all([runs.close(), pulls.close(), lanes.close()]).finally(lasting.close);
    },
  };
}

/** A job that waits for a time swallows a wake-up: it is brought forward, and the ledger says when it may go on. */
async function bringForward(job: Job): Promise<void> {
  if (await job.isDelayed()) await job.promote().catch(() => undefined);
}

/** The job scheduler of a feed. */
const SCHEDULER = 'feed-';

async function scheduleFeeds(runs: Queue<RunJob>, feeds: Map<string, Schedule>): Promise<void> {
  for (const [feed, { cron, timezone }] of feeds) {
    await runs.upsertJobScheduler(
      `${SCHEDULER}${feed}`,
      { pattern: cron, tz: timezone },
      { name: 'due', data: { feed }, opts: { removeOnComplete: true, removeOnFail: 100 } },
    );
  }
  for (const { key } of await runs.getJobSchedulers()) {
    if (!feeds.has(key.slice(SCHEDULER.length))) await runs.removeJobScheduler(key);
  }
}
