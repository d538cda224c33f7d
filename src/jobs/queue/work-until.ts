import type { Context } from '../../context.ts';
import { isLeaseLost, OfferlineError } from '../../errors.ts';
import { eventsOf, getRun, runsAt } from '../../ledger/runs/runs.ts';
import type { Gauge } from '../../gauge.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import { getIntent, openIntent } from '../../ledger/uploads/intents.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { deniedText, standingDenial } from '../logins/denial.ts';
import { nextChanges } from './follow-changes.ts';
import { followUploads } from './follow-upload.ts';
import { logStages } from './log-stages.ts';
import type { LaneJob, RunJob, Wakes } from './queues.ts';
import { openRedis } from '../redis/open.ts';
import { startWorker } from './worker.ts';

/** Which step of which run is told of. */
type Step = { run: string; feed: string; stage: string };

/** How a caller follows a run while it waits. */
export type Follow = {
  run: string;
  say: (message: string, facts?: Step) => void;
  gauge: (gauge: Gauge | null, subject: string) => void;
};

/** A fault that could not be written to the ledger: waiting does not mend it. */
type Fault = { error: unknown; job: RunJob | LaneJob };

/** How often the ledger is asked for news, in milliseconds; it is the truth, whichever process works on the run. */
const ASK_EVERY = 100;

/** How a caller waits: where the queue is, when to give up, what to say meanwhile. */
type Waiting = {
  redisUrl: string | undefined;
  /** `in-process`: starts no server program, so that a kill leaves nothing behind. */
  embedded?: 'in-process';
  signal: AbortSignal;
  notice: (text: string) => void;
  say: (text: string, step?: Step) => void;
  /** Is told ten times a second how far what takes long is, and of which feed or login. */
  gauge?: (gauge: Gauge | null, subject: string) => void;
};

/**
 * Works in this process until every run of the list is done, and those that take the changes after them, also when no other worker runs; other
 * workers may do part of it. Ends with `interrupted` when the signal fires: the runs stay open and the next worker goes on with them.
 */
export async function workUntilDone(runs: string[], ctx: Context, options: Waiting): Promise<void> {
  await workUntil(ctx, options, async ({ wakes, faults, outdated }) => {
    const woken = Promise.all(runs.map(async (run) => wakes.wakeRun(await getRun(ctx.ledger.db, run))));
    // What fails is found by the sweep.
    woken.catch(() => undefined);
    const { say, gauge = () => undefined, signal } = options;
    const all = [...runs];
    for (const run of all) {
      await follow({ run, say, gauge }, ctx, signal, { faults, outdated });
      const next = await nextChanges(run, ctx);
      if (next === null || all.includes(next)) continue;
      all.push(next);
      await wakes.wakeRun(await getRun(ctx.ledger.db, next));
    }
    await reportsWritten(ctx, options.signal, outdated);
    if (outdated() === null) await liveAgain(runs, ctx, options);
  });
}

/**
 * Waits for the reports of runs that this work decided or amended beside its own: without a worker that stays, their
 * managers would hear of it only with the next run. A report is tried a few times only, so this ends.
 */
async function reportsWritten(ctx: Context, signal: AbortSignal, outdated: AtWork['outdated']): Promise<void> {
  while (!signal.aborted && outdated() === null && (await runsAt(ctx.ledger.db, ['report'])).length > 0) {
    await ctx.clock.wait(ASK_EVERY, signal);
  }
}

/**
 * After an upload that the service failed, waits a little for the proof of what was live before, and for the upload that brings
 * it back: without a worker that stays, nothing would be done before the next run.
 */
async function liveAgain(runs: string[], ctx: Context, { signal, gauge = () => undefined }: Waiting): Promise<void> {
  const db = ctx.ledger.db;
  const logins = new Set(await Promise.all(runs.map(async (run) => (await getRun(db, run)).login)));
  const giveUp = ctx.clock.monotonic() + ctx.config.service.poll.patience;
  const open = async (login: string) =>
    (await watchOf(db, login)).unverified !== null || (await openIntent(db, login))?.cause === 'restore';
  for (const login of logins) {
    while (!signal.aborted && ctx.clock.monotonic() < giveUp && (await open(login))) {
      gauge(ctx.gauges.of(login), login);
      await ctx.clock.wait(ASK_EVERY, signal);
    }
    gauge(null, login);
  }
}

/** The same for one intent of a login: works until it is closed. */
export async function workUntilClosed(intent: IntentRow, ctx: Context, options: Waiting): Promise<void> {
  await workUntil(ctx, options, async ({ wakes, faults, outdated }) => {
    wakes.wakeLane(intent.login).catch(() => undefined);
    const look = followUploads(intent.login, options.say, ctx);
    while ((await getIntent(ctx.ledger.db, intent.id)).result === null) {
      if (options.signal.aborted)
        throw new OfferlineError('interrupted', 'Interrupted; the upload continues when a worker runs.');
      const fault = faults.find(({ job }) => 'login' in job && job.login === intent.login);
      if (fault !== undefined) throw fault.error;
      assertCurrent(outdated);
      const denial = await standingDenial(intent.login, ctx);
      if (denial !== null) throw new OfferlineError('service-unauthorized', `${deniedText(denial)}.`);
      options.gauge?.(await look(), intent.login);
      await ctx.clock.wait(ASK_EVERY, options.signal);
    }
    options.gauge?.(null, intent.login);
  });
}

/** `outdated`: why the worker of this process takes no more work, if it does not. */
type AtWork = { wakes: Wakes; faults: Fault[]; outdated: () => OfferlineError | null };

async function workUntil(ctx: Context, options: Waiting, wait: (atWork: AtWork) => Promise<void>): Promise<void> {
  const { redisUrl, embedded } = options;
  const redis = await openRedis({
    redisUrl,
    prefix: ctx.redisPrefix,
    home: ctx.home,
    log: ctx.log,
    ...(embedded === undefined ? {} : { embedded }),
  });
  if (redis.notice !== null) options.notice(redis.notice);
  const faults: Fault[] = [];
  const endOfLog = logStages(ctx, 'info');
  try {
    const worker = await startWorker(redis, ctx, {
      schedules: false,
      // A server program is not started for a rehearsal: it shows what a file would do, not what a day brings.
      checks: embedded === undefined,
      stays: false,
      onFault: (error, job) => {
        if (!isLeaseLost(error)) faults.push({ error, job });
      },
    });
    try {
      await wait({ wakes: worker.wakes, faults, outdated: worker.outdated });
    } finally {
      await worker.close();
    }
  } finally {
    endOfLog();
    await redis.close();
  }
}

/** Fails with `ledger` once that is newer than this program. */
function assertCurrent(outdated: AtWork['outdated']): void {
  const newer = outdated();
  if (newer !== null) throw newer;
}

async function follow(
  what: Follow,
  ctx: Context,
  signal: AbortSignal,
  { faults, outdated }: Pick<AtWork, 'faults' | 'outdated'>,
): Promise<void> {
  const { id, feed, login } = await getRun(ctx.ledger.db, what.run);
  let shown = 0;
  const note = (text: string) => what.say(`${feed}: ${text}`, { run: id, feed, stage: 'upload' });
  const look = followUploads(login, note, ctx);
  for (;;) {
    if (signal.aborted) throw new OfferlineError('interrupted', `Interrupted; run ${id} continues when a worker runs.`);
    const run = await getRun(ctx.ledger.db, id);
    const events = await eventsOf(ctx.ledger.db, id);
    for (const { stage, message } of events.slice(shown)) {
      what.say(`${feed}: ${message}`, { run: id, feed, stage });
    }
    shown = events.length;
    if (run.stage === 'done') return what.gauge(null, feed);
    const fault = faults.find(({ job }) => ('run' in job ? job.run === id : 'login' in job && job.login === login));
    if (fault !== undefined) throw fault.error;
    assertCurrent(outdated);
    const isInLane = run.stage === 'compose' || run.stage === 'upload';
    what.gauge(isInLane ? await look() : ctx.gauges.of(id), feed);
    await ctx.clock.wait(ASK_EVERY, signal);
  }
}
