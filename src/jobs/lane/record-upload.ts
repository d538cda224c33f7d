import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { keepDeparting } from '../../ledger/uploads/departures.ts';
import { updateFeed } from '../../ledger/runs/feeds.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { createIntent } from '../../ledger/uploads/intents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { addEvent, decideRun, updateRun } from '../../ledger/runs/runs.ts';
import { leaveHead } from '../feeds/base.ts';
import { stillCandidates } from '../feeds/candidate.ts';
import { datasetHeld, type DatasetHeld } from '../guards/dataset-guard.ts';
import { tablesOf } from '../../ledger/uploads/datasets.ts';
import { heldDiff, rowsOfDataset } from '../guards/held-diff.ts';
import type { Composition, Lane, UploadStep } from './lane-facts.ts';

/** Has the guards of a login check a composed dataset. */
export async function guardDataset(
  made: Composition,
  verified: AcceptedUpload | null,
  { signal }: Lane,
  ctx: Context,
): Promise<DatasetHeld | null> {
  return ctx.gauges.during(made.login, { stage: 'guard', unit: null, total: null }, () =>
    datasetHeld({ ...made, rows: rowsOf(made, ctx) }, verified ?? undefined, ctx, signal),
  );
}

function rowsOf({ index }: Composition, ctx: Context): RowFile {
  return { path: ctx.archive.file(index), columns: Object.keys(ctx.config.offer.columns), kind: 'index' };
}

/** Decides to upload a dataset, unless something newer came: the intent is recorded, and its runs go on to the upload. */
export async function intendUpload(made: Composition, { lease }: Lane, ctx: Context): Promise<void> {
  const { login, pending, composed } = made;
  const now = ctx.clock.now();
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    if (!(await stillCandidates(trx, pending))) return;
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
  });
}

/**
 * The whole dataset trips a guard. A candidate that did it waits aside, its feed's contribution stays live; a feed that
 * leaves stays in the dataset until it is released.
 */
export async function holdDataset(
  made: Composition,
  { held: { tripped, reason, culprits }, verified }: Extract<UploadStep, { do: 'hold' }>,
  { lease, signal }: Lane,
  ctx: Context,
): Promise<void> {
  const now = ctx.clock.now();
  const live = verified === null ? null : await rowsOfDataset(verified.dataset, ctx);
  const isDelivered = culprits.some(({ run }) => run !== null);
  const tables = await tablesOf(ctx.ledger.db, made.composed.parts);
  const diff = isDelivered
    ? await heldDiff('dataset', { older: live, newer: { ...rowsOf(made, ctx), tables } }, ctx, signal)
    : null;
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
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
      // What is held is not what changes are put upon.
      await leaveHead(trx, run);
      await updateRun(trx, run.id, { diff });
      await decideRun(trx, run.id, { outcome: 'held', cause: 'guard', reason: { code: 'guard', tripped }, now });
    }
  });
}
