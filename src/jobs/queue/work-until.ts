import type { Context } from '../../context.ts';
import { isLeaseLost, OfferlineError } from '../../errors.ts';
import { eventsOf, getRun, runsAt } from '../../ledger/runs/runs.ts';
import type { Gauge } from '../../gauge.ts';
import type { IntentRow, UploadRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent, openIntent } from '../../ledger/uploads/intents.ts';
import { openUpload } from '../../ledger/uploads/uploads.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { deniedText, standingDenial } from '../logins/denial.ts';
import type { LaneJob, Queues, RunJob } from './queues.ts';
import { openRedis, type RedisServer } from '../redis/open.ts';
import { startWorker } from './worker.ts';

/** Which step of which run is told of. */
type Step = { run: string; feed: string; stage: string };

/** How a caller follows a run while it waits. */
export type Follow = {
  run: string;
  say: (message: string, facts?: Step) => void;
  gauge: (gauge: Gauge | null, subject: string) => void;
  assertQueue: () => Promise<void>;
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
 * Works in this process until every run of the list is done, also when no other worker runs; other workers may do part
 * of it. Ends with `interrupted` when the signal fires: the runs stay open and the next worker goes on with them.
 */
export async function workUntilDone(runs: string[], ctx: Context, options: Waiting): Promise<void> {
  await workUntil(ctx, options, async ({ queues, faults, assertQueue }) => {
    const wakes = Promise.all(runs.map(async (run) => queues.wakeRun(await getRun(ctx.ledger.db, run))));
    // A Redis that goes away right now fails the wake-up when the worker closes; the sweep wakes the run anyway.
    wakes.catch(() => undefined);
    const { say, gauge = () => undefined, signal } = options;
    for (const run of runs) await follow({ run, say, gauge, assertQueue }, ctx, signal, faults);
    await reportsWritten(ctx, options.signal, assertQueue);
    await liveAgain(runs, ctx, options.signal, assertQueue);
  });
}

/**
 * Waits for the reports of runs that this work decided or amended beside its own: without a worker that stays, their
 * managers would hear of it only with the next run. A report is tried a few times only, so this ends.
 */
async function reportsWritten(ctx: Context, signal: AbortSignal, assertQueue: () => Promise<void>): Promise<void> {
  while (!signal.aborted && (await runsAt(ctx.ledger.db, ['report'])).length > 0) {
    try {
      await assertQueue();
    } catch {
      // What was waited for is done; a queue that is away now takes nothing from its answer.
      return;
    }
    await ctx.clock.wait(ASK_EVERY, signal);
  }
}

/**
 * After an upload that the service failed, waits a little for the proof of what was live before, and for the upload that brings
 * it back: without a worker that stays, nothing would be done before the next run.
 */
async function liveAgain(
  runs: string[],
  ctx: Context,
  signal: AbortSignal,
  assertQueue: () => Promise<void>,
): Promise<void> {
  const db = ctx.ledger.db;
  const logins = new Set(await Promise.all(runs.map(async (run) => (await getRun(db, run)).login)));
  const giveUp = ctx.clock.monotonic() + ctx.config.service.poll.patience;
  const open = async (login: string) =>
    (await watchOf(db, login)).unverified !== null || (await openIntent(db, login))?.cause === 'restore';
  for (const login of logins) {
    while (!signal.aborted && ctx.clock.monotonic() < giveUp && (await open(login))) {
      try {
        await assertQueue();
      } catch {
        return;
      }
      await ctx.clock.wait(ASK_EVERY, signal);
    }
  }
}

/** The same for one intent of a login: works until it is closed. */
export async function workUntilClosed(intent: IntentRow, ctx: Context, options: Waiting): Promise<void> {
  await workUntil(ctx, options, async ({ queues, faults, assertQueue }) => {
    queues.wakeLane(intent.login).catch(() => undefined);
    let note: string | null = null;
    while ((await getIntent(ctx.ledger.db, intent.id)).result === null) {
      if (options.signal.aborted)
        throw new OfferlineError('interrupted', 'Interrupted; the upload continues when a worker runs.');
      const fault = faults.find(({ job }) => 'login' in job && job.login === intent.login);
      if (fault !== undefined) throw fault.error;
      const denial = await standingDenial(intent.login, ctx);
      if (denial !== null) throw new OfferlineError('service-unauthorized', `${deniedText(denial)}.`);
      await assertQueue();
      const upload = await openUpload(ctx.ledger.db, intent.login);
      if (upload !== undefined && upload.note !== null && upload.note !== note) options.say(upload.note);
      options.gauge?.(ctx.gauges.of(intent.login) ?? (await processed(upload, ctx)), intent.login);
      note = upload?.note ?? note;
      await ctx.clock.wait(ASK_EVERY, options.signal);
    }
  });
}

type AtWork = { queues: Queues; faults: Fault[]; assertQueue: () => Promise<void> };

async function workUntil(ctx: Context, options: Waiting, wait: (atWork: AtWork) => Promise<void>): Promise<void> {
  const { redisUrl, embedded } = options;
  const redis = await openRedis({
    redisUrl,
    home: ctx.home,
    log: ctx.log,
    ...(embedded === undefined ? {} : { embedded }),
  });
  if (redis.notice !== null) options.notice(redis.notice);
  const faults: Fault[] = [];
  try {
    const worker = await startWorker(redis, ctx, {
      schedules: false,
      // A server program is not started for a rehearsal: it shows what a file would do, not what a day brings.
      checks: embedded === undefined,
      onFault: (error, job) => {
        if (!isLeaseLost(error)) faults.push({ error, job });
      },
    });
    try {
      await wait({ queues: worker.queues, faults, assertQueue: watchQueue(redis, ctx) });
    } finally {
      await worker.close();
    }
  } finally {
    await redis.close();
  }
}

async function follow(what: Follow, ctx: Context, signal: AbortSignal, faults: Fault[]): Promise<void> {
  let shown = 0;
  let note: string | null = null;
  for (;;) {
    if (signal.aborted)
      throw new OfferlineError('interrupted', `Interrupted; run ${what.run} continues when a worker runs.`);
    const run = await getRun(ctx.ledger.db, what.run);
    const events = await eventsOf(ctx.ledger.db, what.run);
    for (const { stage, message } of events.slice(shown)) {
      what.say(`${run.feed}: ${message}`, { run: run.id, feed: run.feed, stage });
    }
    shown = events.length;
    if (run.stage === 'done') return what.gauge(null, run.feed);
    const fault = faults.find(({ job }) =>
      'run' in job ? job.run === run.id : 'login' in job && job.login === run.login,
    );
    if (fault !== undefined) throw fault.error;
    await what.assertQueue();
    if (run.stage !== 'upload') what.gauge(ctx.gauges.of(run.id), run.feed);
    else {
      const upload = await openUpload(ctx.ledger.db, run.login);
      what.gauge(ctx.gauges.of(run.login) ?? (await processed(upload, ctx)), run.feed);
      if (upload !== undefined && upload.note !== null && upload.note !== note)
        what.say(`${run.feed}: ${upload.note}`, { run: run.id, feed: run.feed, stage: 'upload' });
      note = upload?.note ?? note;
    }
    await ctx.clock.wait(ASK_EVERY, signal);
  }
}

/** How far the service is with an upload that it has taken, by its own count; whichever process watches it. */
async function processed(upload: UploadRow | undefined, ctx: Context): Promise<Gauge | null> {
  if (upload?.state !== 'submitted' || upload.lines_processed === null) return null;
  const { dataset } = await getIntent(ctx.ledger.db, upload.intent);
  const { rows } = await getDataset(ctx.ledger.db, dataset);
  return { stage: 'process', unit: 'rows', done: upload.lines_processed, total: rows };
}

/**
 * A check that fails with `redis` once the queue's Redis has been away for `worker.lock`: the jobs of a worker that is
 * silent for so long belong to others, and without a queue no work is done here.
 */
function watchQueue(redis: RedisServer, ctx: Context): () => Promise<void> {
  const patience = ctx.config.worker.lock;
  let awaySince: number | null = null;
  return async () => {
    const isThere = await redis.use((client) => Promise.resolve(client.status === 'ready'));
    awaySince = isThere ? null : (awaySince ?? ctx.clock.monotonic());
    if (awaySince === null || ctx.clock.monotonic() - awaySince < patience) return;
    const message = `${redis.describe} has not answered for ${patience / 1000} s (worker.lock). Check that it runs and can be reached.`;
    throw new OfferlineError('redis', message, { retryable: true });
  };
}
