import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { addUploadStep, NOTHING_SHOWN } from '../../ledger/calls/upload-steps.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { addEvent, runsOfIntent } from '../../ledger/runs/runs.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { findUpload, updateUpload } from '../../ledger/uploads/uploads.ts';
import type { ServiceState } from '../../upload/protocol/attempt.ts';
import type { Decision } from './review.ts';
import { withLeaseSoon } from '../logins/with-lease.ts';

/** How a person settles an upload whose outcome no look-up could. */
export type Resolution = 'live' | 'lost';

/**
 * Settles an upload that is unknown or stalled. `live`: it counts as a success and is settled as one, receipt included. `lost`: it
 * counts as never accepted, and the dataset is sent again by the next attempt. Fails with `conflict` when the upload is
 * closed or was never sent, or when a worker does not let go of its login.
 */
export async function resolveUpload(
  name: string,
  as: Resolution,
  decision: Decision,
  ctx: Context,
): Promise<UploadRow> {
  const { id, login } = await findUpload(ctx.ledger.db, name);
  return withLeaseSoon(`login-${login}`, ctx, async (lease) => {
    const upload = await findUpload(ctx.ledger.db, id);
    assertOpen(upload);
    const now = ctx.clock.now();
    await withFencedTransaction(ctx.ledger, lease, async (trx) => {
      const set = settled(upload, as);
      await updateUpload(trx, id, { ...set, note: null, next_at: 0, waits: 0, closed_at: now });
      // The dossier is for people elsewhere: who decided, and why, is in the audit.
      const step = { state: set.state, note: `a person declared it ${as}`, ...NOTHING_SHOWN };
      await addUploadStep(trx, { upload: id, login, at: now, ...step });
      await recordDecision(trx, { at: now, action: 'resolve', subject: id, ...decision });
      const message = `upload ${upload.offer_id ?? upload.token} was declared ${as} by ${decision.who}: ${decision.reason}`;
      for (const run of await runsOfIntent(trx, upload.intent)) {
        await addEvent(trx, run.id, { at: now, stage: 'upload', message });
      }
    });
    return findUpload(ctx.ledger.db, id);
  });
}

function assertOpen(upload: UploadRow): void {
  if (upload.state === 'intended') {
    throw new OfferlineError('conflict', `Upload ${upload.id} was never sent; there is nothing to resolve.`);
  }
  if (!['sending', 'unknown', 'submitted'].includes(upload.state)) {
    throw new OfferlineError('conflict', `Upload ${upload.id} is closed: its outcome is ${upload.state}.`);
  }
}

function settled(upload: UploadRow, as: Resolution): Pick<UploadRow, 'state'> & Partial<UploadRow> {
  // A person knows more than probes do: no pause grows from it.
  if (as === 'lost') return { state: 'lost', looks: 0 };
  const said = upload.record;
  const record: ServiceState = {
    linesProcessed: said?.linesProcessed ?? 0,
    lastModified: said?.lastModified ?? 0,
    error: null,
    errorFileExists: said?.errorFileExists ?? false,
    state: 'success',
  };
  return { state: 'success', service_state: 'success', lines_processed: null, record };
}
