import type { Context } from '../../context.ts';
import { isDiskFull, OfferlineError } from '../../errors.ts';
import { clearCandidate } from '../../ledger/runs/feeds.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { addEvent, decideRun, updateRun } from '../../ledger/runs/runs.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { runSentence, type RunReason } from '../../wording/reasons/run-reasons.ts';
import { MAX_TRIES, reasonOf } from '../feeds/failure.ts';

/**
 * What becomes of candidates whose dataset could not be composed. What passes by itself, such as a full disk, is the lane's
 * matter. Else each candidate is composed alone, and the one that fails alone is given up, so that the others go on (`again`).
 */
export async function composeFailed(pending: RunRow[], error: unknown, lease: Lease, ctx: Context): Promise<'again'> {
  const passes =
    isDiskFull(error) || (error instanceof OfferlineError && (error.retryable || error.code === 'disk-full'));
  if (passes) throw error;
  const alone = pending.length === 1;
  if (alone && pending.every(({ tries }) => tries + 1 >= MAX_TRIES)) {
    ctx.log.error(
      { runs: pending.map(({ id }) => id), err: error },
      'candidate given up, because it cannot be composed',
    );
    await giveUpCandidates(pending, () => reasonOf(error, MAX_TRIES), lease, ctx);
    return 'again';
  }
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    for (const { id, tries } of pending) await updateRun(trx, id, { tries: tries + 1 });
  });
  if (!alone)
    await takeApart(pending, `the dataset could not be composed (${runSentence(reasonOf(error, 1))})`, lease, ctx);
  throw error;
}

/** Ends runs as `failed` with a reason: their rows are candidates no longer, what their feeds had live stays live. */
export async function giveUpCandidates(
  runs: RunRow[],
  reason: (run: RunRow) => RunReason,
  lease: Lease,
  ctx: Context,
): Promise<void> {
  const now = ctx.clock.now();
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    for (const run of runs) {
      await clearCandidate(trx, run);
      await decideRun(trx, run.id, { outcome: 'failed', cause: 'compose-failed', reason: reason(run), now });
    }
  });
}

/** Has candidates composed one at a time from now on: it is unknown whose rows it was. */
export async function takeApart(pending: RunRow[], why: string, lease: Lease, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    for (const { id, feed, options } of pending) {
      const asked: RunOptions = { ...options, alone: true };
      await updateRun(trx, id, { options: asked });
      await addEvent(trx, id, { at: now, stage: 'compose', message: `${why}, so ${feed} is composed alone` });
    }
  });
}
