import type { Context } from '../../context.ts';
import { isLeaseLost } from '../../errors.ts';
import type { Lease } from '../../ledger/lease.ts';
import { isLedgerAway } from '../../ledger/engines/postgres-reconnect.ts';
import { asksSource, getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { afterFailure } from '../feeds/failure.ts';
import { withLiveChange } from '../guards/live-change.ts';
import { waitingUntil } from './incomplete.ts';
import { pullDelivery } from './pull-stage.ts';
import { readDelivery } from './read-stage.ts';
import { inSpan } from '../../trace.ts';
import { surviving } from '../feeds/deaths.ts';
import { reportRun } from './report-stage.ts';
import { endRunTraces, inRunTrace } from './run-trace.ts';
import { withLease } from '../logins/with-lease.ts';
import { afterLook, waitForOther } from '../workers/who-reaches.ts';

/** How far a run came: done, handed to its login's lane or to another queue, or waiting until a time (epoch milliseconds). */
export type RunResult = 'done' | { lane: string } | { next: RunRow } | { waitUntil: number };

/**
 * The whole flow, in one direction:
 *
 *     pull (and unpack) → detect → validate → (candidate) → compose → upload → report (and reconcile) → notify
 *     └────────── a run carries one feed's file, here ───┘  └─ lane.ts: login ┘ └───────── the run again, here ┘
 *
 * Every stage reads the ledger and writes to it, so that any worker goes on from where another was killed. Only the owner
 * of the feed's lease works on its runs. `pulling`: only asks the source; else everything but that, so that a slow supplier
 * holds no place that others need; `received` is called as bytes come from it.
 */
export async function advanceRun(
  id: string,
  { pulling, received }: { pulling: boolean; received?: (bytes: number) => void },
  ctx: Context,
  signal: AbortSignal,
): Promise<RunResult> {
  const { feed } = await getRun(ctx.ledger.db, id);
  return withLease(`feed-${feed}`, ctx, async (lease): Promise<RunResult> => {
    for (;;) {
      signal.throwIfAborted();
      const run = await getRun(ctx.ledger.db, id);
      if (asksSource(run) !== pulling) return { next: run };
      try {
        const result = await inRunTrace(run, ctx, () => nextStage(run, lease, ctx, { signal, received }));
        if (result === 'done') await endRunTraces(ctx);
        if (result !== 'on') return result;
      } catch (error) {
        const result = await afterError(run, error, ctx, signal);
        if (result !== 'on') return result;
      }
    }
  });
}

/** What becomes of a run whose stage threw; throws again where that is not for the run to say. */
async function afterError(
  run: RunRow,
  error: unknown,
  ctx: Context,
  signal: AbortSignal,
): Promise<'on' | { waitUntil: number }> {
  signal.throwIfAborted();
  if (isLeaseLost(error) || isLedgerAway(error)) throw error;
  const looked = await afterLook(run, error, ctx);
  if (typeof looked === 'number') return { waitUntil: looked };
  const retryAt = await afterFailure(run, looked.error, ctx);
  return retryAt === null ? 'on' : { waitUntil: retryAt };
}

/** Takes a run through the stage it stands at; the stage itself writes where the run stands then. */
async function nextStage(
  run: RunRow,
  lease: Lease,
  ctx: Context,
  { signal, received }: { signal: AbortSignal; received: ((bytes: number) => void) | undefined },
): Promise<RunResult | 'on'> {
  switch (run.stage) {
    case 'pull': {
      const waitUntil = waitingUntil(run, ctx) ?? (await waitForOther(run, ctx));
      if (waitUntil !== null) return { waitUntil };
      if (run.tries === 0 && run.options.pulledAgain !== true)
        ctx.log.info({ run: run.id, feed: run.feed, login: run.login, cause: run.cause }, 'run began');
      // Until it is written that a pull has failed, nothing new may be left to it.
      return surviving(
        run,
        ctx,
        () => inSpan('pull', {}, () => pullDelivery(run, ctx, signal, received)),
        (error) => afterError(run, error, ctx, signal),
      );
    }
    case 'read':
      return inSpan('read', {}, () => surviving(run, ctx, () => readDelivery(run, lease, ctx, signal)));
    case 'compose':
    case 'upload':
      return { lane: run.login };
    case 'report':
      return inSpan('report', {}, () =>
        surviving(run, ctx, () =>
          ctx.gauges.during(run.id, { stage: 'report', unit: null, total: null }, async () =>
            reportRun(await withLiveChange(run, ctx, signal), ctx, signal),
          ),
        ),
      );
    case 'done':
      return 'done';
  }
}
