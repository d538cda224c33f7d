import { Worker, type Job } from 'bullmq';
import { handle } from '../handle.ts';
import { onLane, onPull, onRun, type Handled, type World } from '../on-job.ts';
import {
  lastingConnection,
  LANES,
  openQueues,
  prefixOf,
  PULLS,
  RUNS,
  SCHEDULING,
  type LaneJob,
  type PullJob,
  type Queues,
  type RunJob,
} from '../queues.ts';
import type { RedisServer } from '../../redis/open.ts';
import { inTime } from './in-time.ts';

/** The queues, and the workers that take their jobs. */
export type QueueWorkers = {
  queues: () => Queues;
  /** Is to be called with each sweep: builds a worker anew that takes nothing although jobs wait. */
  look: () => Promise<void>;
  /** Waits until the workers take jobs, but not without limit: then the next looks find out. */
  ready: () => Promise<void>;
  close: () => Promise<void>;
};

/** Pulls of a process, with those that wait in its line: these cost nothing but their job. */
const MOST_PULLS = 1024;

/** Opens queues and workers on a Redis that is there. */
export function openQueueWorkers(redis: RedisServer, world: World): QueueWorkers {
  const { ctx, stop } = world;
  const queues = openQueues(redis, stop);
  const { concurrency } = ctx.config.worker;
  const places = { redis, world, queues };
  const workers = [
    keepWorker<RunJob>(RUNS, concurrency, (job) => onRun(job, world), places),
    keepWorker<PullJob>(PULLS, MOST_PULLS, (job) => onPull(job, world), places),
    keepWorker<LaneJob>(LANES, concurrency, (job) => onLane(job, world), places),
  ];
  return {
    queues: () => queues,
    look: async () => {
      await Promise.all(workers.map((worker) => worker.look()));
    },
    ready: async () => {
      const all = Promise.all(workers.map((worker) => worker.ready()));
      await inTime(all, ctx.clock).catch(() => ctx.log.warn('queue workers are not ready yet'));
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await queues.close();
    },
  };
}

type Places = { redis: RedisServer; world: World; queues: Queues };
type Kept = Pick<QueueWorkers, 'look' | 'ready' | 'close'>;

/** A worker of one queue, and the next one in its place when it takes nothing. */
function keepWorker<T extends RunJob | LaneJob>(
  queue: string,
  concurrency: number,
  work: (job: Job<T>) => Promise<Handled>,
  { redis, world, queues }: Places,
): Kept {
  const source = [queues.runs, queues.pulls, queues.lanes].find(({ name }) => name === queue);
  let idle = FRESH;
  let built = build();

  function build() {
    const at = { taken: 0, working: 0 };
    const lasting = lastingConnection(redis, world.stop);
    const process = async (job: Job<T>, token: string | undefined) => {
      at.taken++;
      at.working++;
      await handle(job, token, { queues, world }, () => work(job)).finally(() => at.working--);
    };
    const { lock, stalled } = world.ctx.config.worker;
    const worker = new Worker<T>(queue, process, {
      connection: lasting.connection,
      prefix: prefixOf(redis, queue),
      settings: SCHEDULING,
      concurrency,
      lockDuration: lock,
      stalledInterval: stalled,
      maxStalledCount: 1000,
    });
    worker.on('error', (error) => world.failures.say(error.message, 'queue connection failed'));
    const end = (force: boolean) => worker.close(force).finally(lasting.close);
    return { at, worker, end };
  }

  async function look(): Promise<void> {
    const { waiting = 0, prioritized = 0 } = (await source?.getJobCounts('waiting', 'prioritized')) ?? {};
    const { taken, working } = built.at;
    idle = afterSweep(idle, { waiting: waiting + prioritized, taken, hasPlace: working < concurrency });
    if (!isStuck(idle)) return;
    world.ctx.log.warn(
      { queue, waiting: waiting + prioritized, sweeps: idle.sweeps },
      'queue worker takes no jobs, it is built anew',
    );
    const before = built;
    built = build();
    idle = FRESH;
    // What it has under way goes on under its lease. It may never close: its connections are what is wrong with it.
    before.end(true).catch(() => undefined);
  }

  return {
    look,
    ready: () => built.worker.waitUntilReady(),
    close: () => built.end(false),
  };
}

/** What a sweep sees of a queue: jobs that wait in it, how many jobs this worker has taken since it was built, and whether it has a place free. */
export type Sight = { waiting: number; taken: number; hasPlace: boolean };

/** Sweeps in a row in which jobs waited and the worker took none, and how many it had taken before. */
type Idle = { sweeps: number; taken: number };

/**
 * A worker that has taken nothing yet.
 * @internal exported for tests
 */
export const FRESH: Idle = { sweeps: 0, taken: 0 };

/** So many sweeps in a row are no chance: the libraries know states in which a worker takes nothing for ever and says nothing. */
const STUCK_SWEEPS = 3;

/**
 * Counts a sweep in which jobs waited, this worker had a place for them, and took none.
 * @internal exported for tests
 */
export function afterSweep(before: Idle, { waiting, taken, hasPlace }: Sight): Idle {
  const isIdle = waiting > 0 && hasPlace && taken === before.taken;
  return { sweeps: isIdle ? before.sweeps + 1 : 0, taken };
}

/**
 * Whether a worker is to be built anew.
 * @internal exported for tests
 */
export function isStuck({ sweeps }: Idle): boolean {
  return sweeps >= STUCK_SWEEPS;
}
