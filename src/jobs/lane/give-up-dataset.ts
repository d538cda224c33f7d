import type { Context } from '../../context.ts';
import type { Db } from '../../ledger/ledger.ts';
import { updateIntent } from '../../ledger/uploads/intents.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { addEvent, runsOfIntent, updateRun } from '../../ledger/runs/runs.ts';
import type { IntentRow, UploadRow } from '../../ledger/schema/schema.ts';
import { updateUpload } from '../../ledger/uploads/uploads.ts';

/**
 * Ends an intent whose dataset the archive has lost before anything of it was sent. Its candidates go back and are composed again; a
 * rollback or a restore ends without effect, and the incident of the lost file says why.
 */
export async function giveUpDataset(
  { intent, upload, lease }: { intent: IntentRow; upload: UploadRow; lease: Lease },
  ctx: Context,
): Promise<void> {
  const now = ctx.clock.now();
  const note = 'the composed dataset was damaged in the archive before it was sent, and could not be rebuilt';
  ctx.log.error({ login: intent.login, upload: upload.id }, 'dataset was lost before it was sent');
  await withFencedTransaction(ctx.ledger, lease, (trx) =>
    abandonUnsent(trx, { intent: intent.id, uploads: [upload], note, now }),
  );
}

/** An intent of which nothing was sent, its attempts, and why it ends. */
type Unsent = { intent: string; uploads: Pick<UploadRow, 'id'>[]; note: string; now: number };

/** Ends an intent of which nothing was sent; its candidates are composed again. */
export async function abandonUnsent(trx: Db, { intent, uploads, note, now }: Unsent): Promise<void> {
  for (const { id } of uploads) await updateUpload(trx, id, { state: 'lost', note, closed_at: now });
  await updateIntent(trx, intent, { result: 'failed', closed_at: now });
  for (const run of await runsOfIntent(trx, intent)) {
    await updateRun(trx, run.id, { intent: null, ...(run.outcome === null ? { stage: 'compose' as const } : {}) });
    await addEvent(trx, run.id, { at: now, stage: 'compose', message: `${note}; it is composed again` });
  }
}
