import type { Context } from '../../context.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';

/** Raises one incident for an upload that the service does not move for `service.poll.stall`, and ends it when it moves. */
export async function noteStalled(upload: UploadRow, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const since = standsSince(upload);
  const { login, note } = upload;
  if (since !== null && upload.watched_ms >= ctx.config.service.poll.stall) {
    const reason = { code: 'upload-stalled', upload: upload.offer_id, since, note } as const;
    const numbers = { upload: upload.id, offerId: upload.offer_id, since };
    await raise(ctx.ledger.db, { kind: 'stuck-upload', login, reason, cause: upload.id, numbers }, now);
    return;
  }
  await recover(ctx.ledger.db, { kind: 'stuck-upload', login, text: 'the service moves again' }, now);
}

/** Since when the service answers and nothing moves; null when it moves, or does not answer, which is another matter. */
function standsSince(upload: UploadRow): number | null {
  if (upload.silent_since !== null) return null;
  if (upload.state === 'submitted') return upload.progress_at;
  return upload.state === 'intended' && upload.waits > 0 ? upload.created_at : null;
}
