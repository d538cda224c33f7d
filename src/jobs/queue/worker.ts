import { Worker } from 'bullmq';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { handle } from './handle.ts';
import { onLane, onPull, onRun, type World } from './on-job.ts';
import {
  lastingConnection,
  LANES,
  openQueues,
  PREFIX,
  SCHEDULING,
  PULLS,
  RUNS,
  type LaneJob,
  type PullJob,
  type Queues,
  type RunJob,
} from './queues.ts';
import { bindLedger } from './bind-ledger.ts';
import { pruneDaily } from '../maintenance/prune.ts';
import type { RedisServer } from '../redis/open.ts';
import { pullPlaces } from './pull-places.ts';
import { endRunTraces, leaveRunTraces } from '../run/run-trace.ts';
import { sweep } from './sweep.ts';
import { failureLog } from './job-failure.ts';

/** A worker at work. */
export type RunningWorker = {
  queues: Queues;
  /** Hands jobs back and ends; work under way stops at its next safe point and is found again by the ledger. */
  close: () => Promise<void>;
};

/** `schedules`: it also starts runs that are due. `checks`: it also looks at what time alone brings, such as a missing delivery. */
type WorkerOptions = {
  schedules: boolean;
  checks: boolean;
  /** Hears of errors that could not be written to the ledger: a run that waits would otherwise wait for ever. */
  onFault?: (error: unknown, job: RunJob | LaneJob) => void;
  /** Called after each sweep that reached ledger and queue: the sign of life for health checks. */
  onSwept?: () => Promise<void>;
};

/** Pulls of a process, with those that wait in its line: these cost nothing but their job. */
const MOST_PULLS = 1024;

/** Starts working on runs and lanes, and sweeps. */
export async function startWorker(redis: RedisServer, ctx: Context, options: WorkerOptions): Promise<RunningWorker> {
  await bindLedger(redis, ctx.ledger);
  const stop = new AbortController();
  const queues = openQueues(redis, stop.signal);
  const { lock, stalled, concurrency, pulls: places } = ctx.config.worker;
  const settings = {
    connection: lastingConnection(redis, stop.signal),
    prefix: PREFIX,
    settings: SCHEDULING,
    concurrency,
    lockDuration: lock,
    stalledInterval: stalled,
    maxStalledCount: 1000,
  };
  const failures = failureLog(ctx.log);
  const onFault = options.onFault ?? (() => undefined);
  const world: World = {
    queues,
    ctx,
    stop: stop.signal,
    failures,
    active: new Set(),
    onFault,
    pulls: pullPlaces(places, ctx.clock),
  };
  const runs = new Worker<RunJob>(RUNS, (job, token) => handle(job, token, world, () => onRun(job, world)), settings);
  const pulls = new Worker<PullJob>(PULLS, (job, token) => handle(job, token, world, () => onPull(job, world)), {
    ...settings,
    concurrency: MOST_PULLS,
  });
  const lanes = new Worker<LaneJob>(
    LANES,
    (job, token) => handle(job, token, world, () => onLane(job, world)),
    settings,
  );
  for (const worker of [runs, pulls, lanes]) {
    worker.on('error', (error) => failures.say(error.message, 'queue connection failed'));
  }
  const sweeper = startSweeping(redis, world, options);
  await Promise.all([runs.waitUntilReady(), pulls.waitUntilReady(), lanes.waitUntilReady()]);
  return {
    queues,
    close: () => {
      stop.abort(new Error('the worker is stopping'));
      const closeAll = async () => {
        await Promise.all([runs.close(), pulls.close(), lanes.close(), sweeper]);
        await queues.close();
      };
      return leaveInTime(closeAll(), world).finally(() => leaveRunTraces(ctx));
    },
  };
}

/** How long the queue may take to close once no work is left, in milliseconds. */
const CLOSING_TIME = 2000;

/**
 * Waits for the end of work under way, and a little for the queue to close. While Redis is away that would never end; the
 * sweep finds in the ledger what the queue missed.
 */
async function leaveInTime(left: Promise<void>, { active, ctx, failures }: World): Promise<void> {
  const done = new AbortController();
  const closed = left.then(
    () => true,
    (error: unknown) => {
      failures.say(messageOf(error), 'queue could not be closed');
      return true;
    },
  );
  const late = Promise.allSettled(active).then(async () => {
    await ctx.clock.wait(CLOSING_TIME, done.signal);
    return false;
  });
  const inTime = await Promise.race([closed, late]);
  done.abort();
  if (!inTime) ctx.log.warn('queue was not closed in time, because its redis is away');
}

/** Milliseconds by which a clock is not off by chance from one sweep to the next. */
const CLOCK_WAS_SET = 1000;

async function startSweeping(redis: RedisServer, world: World, options: WorkerOptions): Promise<void> {
  const { queues, ctx, stop, failures } = world;
  // A large archive takes longer than a sweep may wait.
  let pruning: Promise<void> | null = null;
  let ahead: number | null = null;
  while (!stop.aborted) {
    try {
      await bindLedger(redis, ctx.ledger);
      const now = ctx.clock.now() - ctx.clock.monotonic();
      // Jobs are delayed by the wall clock; after it was set, or while no worker ran, each run checks again when it is due.
      if (ahead === null || Math.abs(now - ahead) > CLOCK_WAS_SET) await queues.hurryRuns();
      ahead = now;
      ctx.log.debug(await sweep(queues, ctx, options), 'swept');
      await endRunTraces(ctx);
      failures.over();
      await options.onSwept?.();
      if (options.schedules) pruning ??= pruneBeside(world).finally(() => (pruning = null));
    } catch (error) {
      if (stop.aborted) break;
      if (error instanceof OfferlineError) failures.say(messageOf(error), 'sweep failed');
      else ctx.log.warn({ err: error }, 'sweep failed');
    }
    await ctx.clock.wait(ctx.config.worker.sweep, stop);
  }
  await pruning;
}

async function pruneBeside({ ctx, stop }: World): Promise<void> {
  try {
    await pruneDaily(ctx, stop);
  } catch (error) {
    if (!stop.aborted) ctx.log.warn({ err: error }, 'prune failed');
  }
}
