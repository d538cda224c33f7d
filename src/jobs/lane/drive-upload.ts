import type { Context } from '../../context.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import type { IntentRow, UploadRow } from '../../ledger/schema/schema.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { abandonIntent } from '../../ledger/uploads/abandon-intent.ts';
import { getDataset } from '../../ledger/uploads/intents.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { drive } from '../../upload/send/drive.ts';
import { usable } from '../archive/usable.ts';
import { credentialsDenied, credentialsTaken, UPLOADING } from '../logins/denial.ts';
import { noteUnreachable } from '../logins/unreachable.ts';
import { settleUpload } from '../settle/settle-stage.ts';
import type { Lane } from './lane-facts.ts';
import { answerOverdue } from './overdue.ts';

/**
 * Drives the open intent through the upload protocol, as far as it goes now, and draws the account of an upload that is closed.
 * `again`: the intent is closed or something else was decided; else the time (epoch milliseconds) to wait for.
 */
export async function driveUpload(
  intent: IntentRow,
  { login, lease, signal }: Lane,
  ctx: Context,
): Promise<'again' | { waitUntil: number }> {
  const dataset = await getDataset(ctx.ledger.db, intent.dataset);
  const progress = await drive({ intent, dataset, lease, signal }, ctx);
  if ('denied' in progress) {
    await credentialsDenied(login, progress.denied, ctx);
    return 'again';
  }
  if ('unsendable' in progress) {
    if (await usable(progress.unsendable, ctx, signal)) return 'again';
    await giveUpDataset({ intent, upload: progress.upload, lease }, ctx);
    return { waitUntil: ctx.clock.now() + ctx.config.service.poll.initial };
  }
  await noteProgress('closed' in progress ? progress.closed : progress.upload, ctx);
  if ('waitUntil' in progress) {
    const nextAnswer = await answerOverdue(login, progress.upload, ctx);
    return { waitUntil: Math.min(progress.waitUntil, nextAnswer) };
  }
  const { closed } = progress;
  const settled = await ctx.calls.during(closed.id, () =>
    settleUpload({ intent, dataset, upload: closed, lease, signal }, ctx),
  );
  await ctx.calls.flush();
  if (settled === 'settled') return 'again';
  if ('waitUntil' in settled) return settled;
  await credentialsDenied(login, settled.denied, ctx);
  return 'again';
}

/** What an upload shows of its login besides its own state: that the credentials are good, that the service does not move. */
async function noteProgress(upload: UploadRow, ctx: Context): Promise<void> {
  if (upload.silent_since === null) {
    await credentialsTaken(upload.login, upload.offer_id === null ? 'offer/list' : UPLOADING, ctx);
  }
  await noteStalled(upload, ctx);
  await noteUnreachable(upload, ctx);
}

/** Raises one incident for an upload that the service does not move for `service.poll.stall`, and ends it when it moves. */
async function noteStalled(upload: UploadRow, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const since = standsSince(upload);
  const { login, note } = upload;
  if (since !== null && upload.watched_ms >= ctx.config.service.poll.stall) {
    const reason = { code: 'upload-stalled', upload: upload.offer_id, since, note } as const;
    const numbers = { upload: upload.id, offerId: upload.offer_id, since };
    await raise(ctx.ledger.db, { kind: 'stuck-upload', login, reason, cause: upload.id, numbers }, now);
    return;
  }
  await recover(ctx.ledger.db, { kind: 'stuck-upload', login, text: 'the upload is making progress again' }, now);
}

/** Since when the service answers and nothing moves; null when it moves, or does not answer, which is another matter. */
function standsSince(upload: UploadRow): number | null {
  if (upload.silent_since !== null) return null;
  if (upload.state === 'submitted') return upload.progress_at;
  return upload.state === 'intended' && upload.waits > 0 ? upload.created_at : null;
}

/**
 * The service does not answer and the login has no upload yet: its runs are answered in time. Gives the time (epoch
 * milliseconds) to wait for.
 */
export async function waitForService(login: string, waitUntil: number, ctx: Context): Promise<number> {
  const { silent_since, note } = await watchOf(ctx.ledger.db, login);
  const nothing = { state: 'intended', offer_id: null, token: '', silent_since, note } as const;
  await noteUnreachable({ ...nothing, login }, ctx);
  return Math.min(waitUntil, await answerOverdue(login, nothing, ctx));
}

/**
 * Ends an intent whose dataset the archive has lost before anything of it was sent. Its candidates go back and are composed again; a
 * rollback or a restore ends without effect, and the incident of the lost file says why.
 */
async function giveUpDataset(
  { intent, upload, lease }: { intent: IntentRow; upload: UploadRow; lease: Lease },
  ctx: Context,
): Promise<void> {
  const now = ctx.clock.now();
  const note = 'the composed dataset was damaged in the archive before it was sent, and could not be rebuilt';
  ctx.log.error({ login: intent.login, upload: upload.id }, 'dataset was lost before it was sent');
  await withFencedTransaction(ctx.ledger, lease, (trx) =>
    abandonIntent(trx, { intent: intent.id, uploads: [upload], note, now }),
  );
}
