import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { Db } from '../../ledger/ledger.ts';
import { clearCandidate, lockFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { abandonIntent } from '../../ledger/uploads/abandon-intent.ts';
import { attemptsOf } from '../../ledger/uploads/uploads.ts';
import { leaveHead } from '../feeds/base.ts';
import { withLeaseSoon } from '../logins/with-lease.ts';

/**
 * Ends a run that is open or whose rows still wait to be uploaded, and of which nothing was sent; `end` records how. What was
 * composed with others is composed again without it. Fails with `conflict` when something was sent, when the run has ended, and
 * while a worker is busy with its feed or login.
 */
export async function endUnsentRun(
  { id, feed, login, stage }: RunRow,
  end: (trx: Db, run: RunRow) => Promise<void>,
  ctx: Context,
): Promise<void> {
  // Files are read under the feed's lease, and sent under the login's: nobody goes on with the run while it ends.
  const name = stage === 'pull' || stage === 'read' ? `feed-${feed}` : `login-${login}`;
  await withLeaseSoon(name, ctx, (lease) =>
    withFencedTransaction(ctx.ledger, lease, async (trx) => {
      const { candidate } = await lockFeed(trx, feed, login);
      const run = await getRun(trx, id);
      if (run.stage !== stage)
        throw new OfferlineError('conflict', `Run ${id} has just gone on to the stage ${run.stage}; try again.`);
      if (run.outcome !== null && candidate !== id)
        throw new OfferlineError(
          'conflict',
          `Run ${id} is not held: it is ${run.outcome}, and nothing of it waits to be sent.`,
        );
      await abandonUpload(trx, run, ctx.clock.now());
      await clearCandidate(trx, run);
      await leaveHead(trx, run);
      await end(trx, run);
      return run;
    }),
  );
}

/** Ends the upload that the run is part of, unless something of it was sent. */
async function abandonUpload(trx: Db, { id, login, intent }: RunRow, now: number): Promise<void> {
  if (intent === null) return;
  const uploads = await attemptsOf(trx, intent);
  if (uploads.some(({ sent_at, state }) => sent_at !== null || state !== 'intended')) {
    throw new OfferlineError(
      'conflict',
      `Run ${id} cannot be rejected: it was sent. Wait for its outcome; \`offerline rollback ${login}\` then brings the dataset before it back.`,
    );
  }
  await abandonIntent(trx, { intent, uploads, note: `run ${id} was rejected before anything was sent`, now });
}
