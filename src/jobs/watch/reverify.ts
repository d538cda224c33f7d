import type { Context } from '../../context.ts';
import { dueIn } from '../../clock.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { updateWatch, watchOf } from '../../ledger/uploads/watches.ts';
import { lastVerified, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { Receipt } from '../../model.ts';
import { restore, whyNotRestore } from './restore.ts';
import { proofOf } from '../settle/settle-stage.ts';
import type { Watched, Watching } from './watch.ts';

/**
 * After the service failed or aborted an upload nobody knows what is live: the proof of the previous dataset is taken again.
 * When it does not answer rightly, that dataset is sent again. Deliveries that wait go first: they replace it anyway.
 */
export async function reverify(work: Watching, current: AcceptedUpload, ctx: Context): Promise<Watched> {
  const { login, lease, signal, sending } = work;
  const { unverified } = await watchOf(ctx.ledger.db, login);
  if (unverified === null || sending) return 'on';
  const receipt = await proofOf(current, { failed: unverified, signal }, ctx);
  const now = ctx.clock.now();
  if (receipt.verified) {
    await updateWatch(ctx.ledger.db, login, { unverified: null, unverified_at: null });
    const text = `upload ${current.upload.offer_id} proved to be live after upload ${unverified} had failed`;
    await recover(ctx.ledger.db, { kind: 'receipt', login, text }, now);
    return 'on';
  }
  const failed = receipt.checks.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return lookLater(login, receipt, ctx);
  // One that was never proved itself is not what anybody should go back to.
  const good = (await lastVerified(ctx.ledger.db, login)) ?? current;
  const name = good.upload.id === current.upload.id ? 'it' : `upload ${good.upload.offer_id}, the last one proved,`;
  const why = await whyNotRestore(login, good, ctx);
  const then = why === null ? `${name} is sent again` : `${name} is not sent again: ${why}`;
  const reason = {
    code: 'live-unverified',
    failedUpload: unverified,
    upload: current.upload.offer_id,
    failed: failed.map(({ detail }) => detail),
    next: then,
  } as const;
  return withFencedTransaction(ctx.ledger, lease, async (trx) => {
    await raise(trx, { kind: 'receipt', login, reason, cause: unverified }, now);
    if (why !== null) return 'on';
    await restore(trx, good, ctx);
    return 'again';
  });
}

async function lookLater(login: string, receipt: Receipt, ctx: Context): Promise<Watched> {
  const due = dueIn(ctx.config.service.poll.max, ctx.clock.now());
  const note = `what is live cannot be checked: ${receipt.checks.map(({ detail }) => detail).join('; ')}`;
  await updateWatch(ctx.ledger.db, login, { ...due, note });
  return 'on';
}
