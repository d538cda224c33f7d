import type { Context } from '../../context.ts';
import { dictionary } from '../../io/dictionary.ts';
import { updateFeed } from '../../ledger/runs/feeds.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { updateDataset, updateIntent } from '../../ledger/uploads/intents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { decideRun, updateRun } from '../../ledger/runs/runs.ts';
import type { DatasetRow } from '../../ledger/schema/schema.ts';
import { accountsOf, rejectedRowsOf } from '../settle/accounts.ts';
import { stillCandidates } from '../feeds/candidate.ts';
import type { Composition, Lane } from './lane-facts.ts';
import { changesOf, recordChanges } from '../settle/settle-feeds.ts';
import { traceParts } from '../settle/settle-stage.ts';
import { missingRows } from '../run/unchanged.ts';

/**
 * What is composed is live already: nothing is sent, the candidates are contributions. Equal rows may come from other feeds, lines
 * and runs than before, so the account of what is live is drawn again from the rejections that are known.
 */
export async function settleUnchanged(
  made: Composition,
  { upload, intent, dataset }: AcceptedUpload,
  { login, lease, signal }: Lane,
  ctx: Context,
): Promise<void> {
  const { composed } = made;
  const columns: Partial<DatasetRow> = {
    index_sha: made.index,
    parts: composed.parts,
    offer: ctx.config.offer,
    merged_tags: composed.merged,
  };
  const same = { intent, upload, dataset: { ...dataset, ...columns }, signal };
  const sha = upload.errors_sha;
  const traced = await traceParts(same, sha !== null && (await ctx.archive.has(sha)) ? sha : null, ctx);
  const drawn = { ...same, ...traced };
  const accounts = await accountsOf(ctx.ledger.db, drawn, true);
  const delivered = new Set(made.pending.map(({ feed }) => feed));
  const changes = await changesOf({ ...drawn, accounts, delivered }, ctx);
  const now = ctx.clock.now();
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    if (!(await stillCandidates(trx, made.pending))) return;
    await updateDataset(trx, dataset.id, columns);
    await recordChanges(trx, changes, { login, offerId: upload.offer_id, now });
    const accounted = { accounts: dictionary(accounts), rejected_rows: rejectedRowsOf(drawn) };
    await updateIntent(trx, intent.id, accounted);
    for (const run of made.pending) {
      const { rejections, ...account } = accounts.get(run.feed)!;
      await updateRun(trx, run.id, {
        account,
        rejections_sha: rejections?.sha256 ?? null,
        rejections_total: rejections?.total ?? 0,
      });
      await updateFeed(trx, run.feed, {
        candidate: null,
        contribution: run.id,
        live_sha: run.delivery_sha,
        live_settings: run.settings_hash,
        checkpoint: run.checkpoint,
      });
      const missing = await missingRows(run, account, upload.offer_id, trx);
      const reason = { code: 'same-dataset', missing } as const;
      await decideRun(trx, run.id, { outcome: 'unchanged', cause: 'same-dataset', reason, now });
    }
  });
}
