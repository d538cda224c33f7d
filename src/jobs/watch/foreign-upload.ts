import type { Context } from '../../context.ts';
import { raise } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { DatasetRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { recordForeignUpload } from '../../ledger/uploads/watches.ts';
import { compareSource } from '../../upload/receipt/compare-source.ts';
import { usable } from '../archive/usable.ts';
import { restore } from './restore.ts';
import type { Findings, StepOf, WatchEffect, Watching } from './watch-facts.ts';

/** Finds the given-up attempt whose rows a record has that does not carry our file name. */
export async function recogniseLate(
  { record, attempts }: StepOf<'recognise'>,
  work: Watching,
  ctx: Context,
): Promise<Findings> {
  for (const attempt of attempts) {
    const { dataset: id } = await getIntent(ctx.ledger.db, attempt.intent);
    const dataset = await getDataset(ctx.ledger.db, id);
    if (await hasRowsOf(dataset, record.id, work, ctx)) return { recognised: attempt };
  }
  return { recognised: null };
}

/** Compares a foreign upload with datasets of ours. */
export async function compareRows(
  { record, uploads }: StepOf<'compare-rows'>,
  work: Watching,
  ctx: Context,
): Promise<Findings> {
  for (const { dataset } of uploads) {
    if (await hasRowsOf(dataset, record.id, work, ctx)) return { sameRows: true };
  }
  return { sameRows: false };
}

async function hasRowsOf(
  dataset: DatasetRow,
  offerId: string,
  { login, signal }: Watching,
  ctx: Context,
): Promise<boolean> {
  if (!(await usable(dataset.index_sha, ctx))) return false;
  return (await compareSource({ offerId, dataset, login, signal }, ctx)) ?? false;
}

/** Raises one incident for a live upload that is not the current one, and decides to send the last good dataset again. */
export async function noteForeignUpload(
  { foreign, restore: good }: StepOf<'note-foreign'>,
  { login, lease }: Watching,
  ctx: Context,
): Promise<WatchEffect> {
  const { offerId, current, text, sameRows, consequence, restoredBy } = foreign;
  const now = ctx.clock.now();
  const reason = { code: 'foreign-upload', found: text, sameRows, next: consequence } as const;
  const numbers = { offerId: offerId === '' ? null : offerId, ours: current.upload.offer_id };
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    await raise(trx, { kind: 'foreign-upload', login, reason, cause: offerId, numbers }, now);
    const intent = good === null ? null : await restore(trx, good, ctx);
    const restored_by = intent?.id ?? restoredBy;
    await recordForeignUpload(trx, {
      login,
      offer_id: offerId,
      seen_at: now,
      text,
      same_rows: sameRows ? 1 : 0,
      restored_by,
    });
  });
  return good === null ? { judged: true } : 'again';
}
