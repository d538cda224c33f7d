import type { Context } from '../../context.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';

/**
 * Raises one incident for a service that gives no usable answer: for `service.poll.patience` while something waits to be sent,
 * for `service.poll.stall` while an upload is only watched. It ends with the next answer.
 */
export async function noteUnreachable(
  upload: Pick<UploadRow, 'login' | 'state' | 'silent_since' | 'note'>,
  ctx: Context,
): Promise<void> {
  const { login, silent_since: since, state, note } = upload;
  const now = ctx.clock.now();
  if (since === null) {
    await recover(ctx.ledger.db, { kind: 'unreachable', login, text: 'the service answers again' }, now);
    return;
  }
  const { patience, stall } = ctx.config.service.poll;
  if (ctx.clock.since(since) < (state === 'intended' ? patience : stall)) return;
  await raise(
    ctx.ledger.db,
    { kind: 'unreachable', login, reason: { code: 'no-usable-answer', since, note }, numbers: { since } },
    now,
  );
}
