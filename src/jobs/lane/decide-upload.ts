import type { Composed } from '../../compose/compose.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { keepDeparting } from '../../ledger/uploads/departures.ts';
import { updateFeed } from '../../ledger/runs/feeds.ts';
import { lastVerified, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { createIntent } from '../../ledger/uploads/intents.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { addEvent, decideRun, updateRun } from '../../ledger/runs/runs.ts';
import type { IntentRow, RunRow } from '../../ledger/schema/schema.ts';
import { stillCandidates } from '../feeds/candidate.ts';
import { datasetHeld, type DatasetHeld } from '../guards/dataset-guard.ts';
import { heldDiff, rowsOfDataset } from '../guards/held-diff.ts';
import type { LeavingFeed } from '../feeds/leaving.ts';
import { doubtAbout } from '../logins/live-facts.ts';
import { settleUnchanged } from './settle-unchanged.ts';

/** A dataset that was composed, and what it was composed of. */
export type Composition = {
  login: string;
  lease: Lease;
  pending: RunRow[];
  live: AcceptedUpload | null;
  leaving: LeavingFeed[];
  composed: Composed;
  sha256: string;
  index: string;
};

/**
 * Decides what becomes of a composed dataset. `again`: it is live already, a guard holds it, or something newer came; else the
 * intent to make it live is recorded.
 */
export async function decideUpload(
  made: Composition,
  ctx: Context,
  signal: AbortSignal,
): Promise<{ intent: IntentRow } | 'again'> {
  const { login, pending, live } = made;
  const asked = pending.map((run) => run.options);
  const forced = asked.some(({ force }) => force === true);
  const isLive = live?.intent.result === 'met' && (await doubtAbout(login, ctx.ledger.db)) === null;
  if (!forced && isLive && live.dataset.sha256 === made.sha256) {
    await settleUnchanged(made, live, ctx, signal);
    return 'again';
  }
  const columns = Object.keys(ctx.config.offer.columns);
  const rows: RowFile = { path: ctx.archive.file(made.index), columns, kind: 'index' };
  // The last good one: what was accepted and not proved is no measure.
  const good = await lastVerified(ctx.ledger.db, login);
  const held = await datasetHeld({ ...made, rows }, good, ctx, signal);
  if (held !== null) {
    await hold(made, held, rows, ctx, signal);
    return 'again';
  }
  const intent = await intend(made, ctx);
  return intent === null ? 'again' : { intent };
}

/** Records the intent, and of its runs that they go on to the upload; null when something newer came. */
async function intend(made: Composition, ctx: Context): Promise<IntentRow | null> {
  const { login, pending, composed } = made;
  const now = ctx.clock.now();
  return withFencedTransaction(ctx.ledger, made.lease, async (trx) => {
    if (!(await stillCandidates(trx, pending))) return null;
    const created = await createIntent(
      trx,
      {
        login,
        sha256: made.sha256,
        bytes: composed.bytes,
        rows: composed.rows,
        index_sha: made.index,
        parts: composed.parts,
        offer: ctx.config.offer,
        merged_tags: composed.merged,
      },
      now,
    );
    for (const run of pending) {
      await updateRun(trx, run.id, {
        intent: created.id,
        ...(run.outcome === null ? { stage: 'upload' as const } : {}),
      });
      const feeds = composed.parts.map((part) => `${part.feed} ${part.rows}`).join(', ');
      await addEvent(trx, run.id, { at: now, stage: 'compose', message: `composed ${composed.rows} rows: ${feeds}` });
    }
    return created;
  });
}

/**
 * The whole dataset trips a guard. A candidate that did it waits aside, its feed's contribution stays live; a feed that
 * leaves stays in the dataset until it is released.
 */
async function hold(
  made: Composition,
  { reason, culprits }: DatasetHeld,
  rows: RowFile,
  ctx: Context,
  signal: AbortSignal,
): Promise<void> {
  const now = ctx.clock.now();
  const good = await lastVerified(ctx.ledger.db, made.login);
  const live = good === undefined ? null : await rowsOfDataset(good.dataset, ctx);
  const diff = culprits.some(({ run }) => run !== null) ? await heldDiff('dataset', live, rows, ctx, signal) : null;
  await withFencedTransaction(ctx.ledger, made.lease, async (trx) => {
    if (!(await stillCandidates(trx, made.pending))) return;
    for (const { feed, run } of culprits) {
      if (run === null) {
        await keepDeparting(trx, { login: made.login, feed, at: now, reason });
        const gone = ctx.config.feeds[feed]?.login === made.login ? 'has expired' : 'is no longer configured';
        const message = `${feed} ${gone} and stays in the dataset: without it ${reason}. \`offerline release ${feed} --reason TEXT\` lets it leave.`;
        for (const { id } of made.pending) await addEvent(trx, id, { at: now, stage: 'compose', message });
        continue;
      }
      await updateFeed(trx, feed, { candidate: null, candidate_at: null });
      await updateRun(trx, run.id, { diff });
      await decideRun(trx, run.id, { outcome: 'held', cause: 'guard', reason, now });
    }
  });
}
