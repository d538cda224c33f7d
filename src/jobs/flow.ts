import type { Context } from '../context.ts';
import { getRun } from '../ledger/runs.ts';
import { acquireLease } from '../ledger/lease.ts';
import { pullDelivery } from './pull-stage.ts';
import { readDelivery } from './read-stage.ts';
import { reportRun } from './report-stage.ts';
import { afterFailure } from './failure.ts';

/**
 * The whole line, in one direction:
 *
 *     pull (and unpack) → detect → validate → (candidate) → compose → upload → report (and reconcile) → notify
 *
 * A run carries one feed's file from pull to candidate (here); its login's lane composes and uploads for all feeds of
 * the login (lane.ts); then each run is reported (here again). Every stage reads the ledger and writes to it, so that
 * any worker goes on from where another was killed.
 */
export async function advanceRun(id: string, ctx: Context, signal: AbortSignal): Promise<RunResult> {
  const first = await getRun(ctx.ledger.db, id);
  const taken = await acquireLease(ctx.ledger, `feed-${first.feed}`, ctx.owner, ctx.config.worker.lease);
  if ('heldUntil' in taken) return { waitUntil: Math.max(taken.heldUntil, ctx.clock.now() + 50) };
  const renewal = setInterval(() => {
    taken.lease.renew().catch((error: unknown) => ctx.log.warn({ err: error }, 'lease could not be renewed'));
  }, ctx.config.worker.lease / 3);
  try {
    for (;;) {
      signal.throwIfAborted();
      const run = await getRun(ctx.ledger.db, id);
      try {
        switch (run.stage) {
          case 'pull':
            await pullDelivery(run, ctx, signal);
            break;
          case 'read':
            await readDelivery(run, ctx, signal);
            break;
          case 'compose':
          case 'upload':
            return { lane: run.login };
          case 'report':
            await reportRun(run, ctx);
            break;
          case 'done':
            return 'done';
        }
      } catch (error) {
        signal.throwIfAborted();
        const retry = await afterFailure(run, error, ctx);
        if (retry !== null) return { waitUntil: retry };
      }
    }
  } finally {
    clearInterval(renewal);
    await taken.lease.release();
  }
}

/** How far a run came: done, handed to its login's lane, or waiting until a time (epoch milliseconds). */
export type RunResult = 'done' | { lane: string } | { waitUntil: number };
