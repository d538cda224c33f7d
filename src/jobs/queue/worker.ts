import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { assertMayWork } from '../../ledger/maintenance/restored.ts';
import type { World } from './on-job.ts';
import type { LaneJob, RunJob, Wakes } from './queues.ts';
import { bindLedger } from './bind-ledger.ts';
import { findOut } from '../findability/find-out.ts';
import { openTelling, type HookTelling } from '../hooks/tell-hooks.ts';
import { upkeep } from '../maintenance/upkeep.ts';
import type { RedisServer } from '../redis/open.ts';
import { tellReplaced } from '../restored/tell-replaced.ts';
import { pullPlaces } from './pull-places.ts';
import { endRunTraces, leaveRunTraces } from '../run/run-trace.ts';
import { sweep } from './sweep.ts';
import { failureLog } from './job-failure.ts';
import { workAlone } from './workers/alone.ts';
import { openLink, type Link } from './workers/link.ts';
import { forgetOldKeys } from './workers/old-keys.ts';
import { openQueueWorkers } from './workers/queue-workers.ts';
import { showLife } from '../workers/show-life.ts';

/** A worker at work. */
export type RunningWorker = {
  wakes: Wakes;
  /** Why it takes no work any more although it was not stopped: the ledger is newer than this program; null while it does. */
  outdated: () => OfferlineError | null;
  /** Hands jobs back and ends; work under way stops at its next safe point and is found again by the ledger. */
  close: () => Promise<void>;
};

/** `schedules`: it also starts runs that are due. `checks`: it also looks at what time alone brings, such as a missing delivery. */
type WorkerOptions = {
  schedules: boolean;
  checks: boolean;
  /** It works until it is stopped, not only until something is done. */
  stays: boolean;
  /** Hears of errors that could not be written to the ledger: a run that waits would otherwise wait for ever. */
  onFault?: (error: unknown, job: RunJob | LaneJob) => void;
  /** Called after each sweep that reached the ledger: the sign of life for health checks. */
  onSwept?: () => Promise<void>;
};

/** Starts working on runs and lanes, and sweeps. While its Redis is away it works on what the sweep finds. */
export async function startWorker(redis: RedisServer, ctx: Context, options: WorkerOptions): Promise<RunningWorker> {
  await assertGoesOn(ctx, options);
  await bindLedger(redis, ctx.ledger);
  await forgetOldKeys(redis, ctx);
  const stop = new AbortController();
  const { concurrency, pulls: places } = ctx.config.worker;
  let outdated: OfferlineError | null = null;
  let told = Promise.resolve();
  const life = await showLife(ctx, {
    stays: options.stays,
    onOutdated: (error) => {
      outdated = error;
      const { message: reason } = error;
      if (error.code === 'conflict') {
        ctx.log.error({ reason }, 'a restored installation has taken the place of this one');
        told = tellReplaced(ctx);
      } else if (error.code === 'archive') ctx.log.error({ reason }, 'ledger has moved to another archive');
      else ctx.log.error({ reason }, 'ledger is newer than this program, which takes no more work');
      void leave();
    },
  });
  // The two know each other: work wakes work, and what wakes it may do it.
  const world: World = {
    wakes: {
      wakeRun: (run) => link.wakeRun(run),
      remindRun: (run) => link.remindRun(run),
      wakeLane: (login) => link.wakeLane(login),
      schedule: (feeds) => link.schedule(feeds),
    },
    ctx,
    stop: stop.signal,
    failures: failureLog(ctx.log),
    active: new Set(),
    onFault: options.onFault ?? (() => undefined),
    pulls: pullPlaces(places, ctx.clock),
    look: life.look,
  };
  const workers = openQueueWorkers(redis, world);
  const link: Link = openLink({ redis, workers, alone: workAlone(world, concurrency) }, ctx);
  const telling = openTelling(ctx, stop.signal);
  const sweeper = startSweeping({ link, telling }, world, options);
  let left: Promise<void> | undefined;
  const leave = () => {
    stop.abort(new Error('the worker is stopping'));
    link.rest();
    const closeAll = async () => {
      await Promise.all([workers.close(), sweeper]);
      await telling.settled();
    };
    return (left ??= leaveInTime(closeAll(), world));
  };
  await workers.ready();
  return {
    wakes: world.wakes,
    outdated: () => outdated,
    close: async () => {
      if (!options.stays && outdated === null) await tellAtLast(telling, world);
      await leave();
      await told;
      await life.end();
      await leaveRunTraces(ctx);
    },
  };
}

/** Refuses to work on a ledger that another one goes on in place of, and on one about which nobody has chosen after a restore. */
async function assertGoesOn(ctx: Context, { stays }: Pick<WorkerOptions, 'stays'>): Promise<void> {
  try {
    await assertMayWork(ctx.ledger);
    const replaced = await ctx.replaced({ remote: true });
    if (replaced !== null) throw replaced;
  } catch (error) {
    // Whoever calls a command reads it; what a process says that starts by itself may be read by nobody.
    if (stays) await tellReplaced(ctx);
    throw error;
  }
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

/** How long a process that ends waits for hooks, in milliseconds; what they have not taken by then is left to the next worker. */
const HOOKS_TIME = 10_000;

async function tellAtLast(telling: HookTelling, { ctx, failures }: World): Promise<void> {
  const done = new AbortController();
  try {
    await telling.tell();
    await Promise.race([telling.settled(), ctx.clock.wait(HOOKS_TIME, done.signal)]);
  } catch (error) {
    failures.say(messageOf(error), 'hooks could not be told');
  } finally {
    done.abort();
  }
}

type Sweeping = { link: Link; telling: HookTelling };

async function startSweeping({ link, telling }: Sweeping, world: World, options: WorkerOptions): Promise<void> {
  const { ctx, stop, failures } = world;
  // A large archive takes longer than a sweep may wait.
  let keeping: Promise<void> | null = null;
  const keepUp = upkeep(ctx, stop, options);
  let looking: Promise<void> | null = null;
  const lookUp = findOut(ctx, stop);
  // What keeps hooks from being told keeps nothing else from being done.
  const tell = () =>
    telling.tell().catch((error: unknown) => {
      if (!stop.aborted) failures.say(messageOf(error), 'hooks could not be told');
    });
  let ahead: number | null = null;
  while (!stop.aborted) {
    try {
      await link.look();
      const now = ctx.clock.now() - ctx.clock.monotonic();
      // Jobs are delayed by the wall clock; after it was set, or while no worker ran, each run checks again when it is due.
      if (ahead === null || Math.abs(now - ahead) > CLOCK_WAS_SET) await link.hurryRuns();
      ahead = now;
      ctx.log.debug(await sweep(link, ctx, options), 'swept');
      if (link.isThere()) failures.over();
      await tell();
      await endRunTraces(ctx);
      await options.onSwept?.();
      keeping ??= keepUp().finally(() => (keeping = null));
      if (options.schedules && options.stays) looking ??= lookUp().finally(() => (looking = null));
    } catch (error) {
      if (stop.aborted) break;
      if (error instanceof OfferlineError) failures.say(messageOf(error), 'sweep failed');
      else ctx.log.warn({ err: error }, 'sweep failed');
    }
    await ctx.clock.wait(ctx.config.worker.sweep, stop);
  }
  await Promise.all([keeping, looking]);
}
