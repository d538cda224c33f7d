import type { Context } from '../context.ts';
import { isLeaseLost, OfferlineError } from '../errors.ts';
import { eventsOf, getRun } from '../ledger/runs.ts';
import { openUpload } from '../ledger/uploads.ts';
import type { LaneJob, RunJob } from './queues.ts';
import { openRedis } from './redis/open.ts';
import { startWorker } from './worker.ts';

/** How a caller follows a run while it waits. */
export type Follow = { run: string; say: (message: string) => void };

/** A fault that could not be written to the ledger: waiting does not mend it. */
type Fault = { error: unknown; job: RunJob | LaneJob };

/** How often the ledger is asked for news, in milliseconds; it is the truth, whoever works on the run. */
const ASK_EVERY = 100;

/**
 * Works in this process until every run of the list is done, also when no other worker runs; other workers may do part
 * of it. Ends with `interrupted` when the signal fires: the runs stay open and the next worker goes on with them.
 */
export async function workUntilDone(
  runs: string[],
  ctx: Context,
  options: {
    redisUrl: string | undefined;
    signal: AbortSignal;
    notice: (text: string) => void;
    say: (text: string) => void;
  },
): Promise<void> {
  const redis = await openRedis({ redisUrl: options.redisUrl, home: ctx.home, log: ctx.log });
  if (redis.notice !== null) options.notice(redis.notice);
  const faults: Fault[] = [];
  try {
    const worker = await startWorker(redis, ctx, {
      schedules: false,
      onFault: (error, job) => {
        if (!isLeaseLost(error)) faults.push({ error, job });
      },
    });
    try {
      for (const run of runs) await worker.queues.wakeRun(run);
      for (const run of runs) await follow({ run, say: options.say }, ctx, options.signal, faults);
    } finally {
      await worker.close();
    }
  } finally {
    await redis.close();
  }
}

async function follow(what: Follow, ctx: Context, signal: AbortSignal, faults: Fault[]): Promise<void> {
  let told = 0;
  let note: string | null = null;
  for (;;) {
    if (signal.aborted)
      throw new OfferlineError('interrupted', `Interrupted; run ${what.run} goes on when a worker runs.`);
    const run = await getRun(ctx.ledger.db, what.run);
    const events = await eventsOf(ctx.ledger.db, what.run);
    for (const event of events.slice(told)) what.say(`${run.feed}: ${event.message}`);
    told = events.length;
    if (run.stage === 'done') return;
    const fault = faults.find(({ job }) =>
      'run' in job ? job.run === run.id : 'login' in job && job.login === run.login,
    );
    if (fault !== undefined) throw fault.error;
    if (run.stage === 'upload') {
      const upload = await openUpload(ctx.ledger.db, run.login);
      if (upload !== undefined && upload.note !== null && upload.note !== note) what.say(`${run.feed}: ${upload.note}`);
      note = upload?.note ?? note;
    }
    await ctx.clock.wait(ASK_EVERY, signal);
  }
}
