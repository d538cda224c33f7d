import type { Context } from '../../context.ts';
import { dueIn } from '../../clock.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { updateWatch } from '../../ledger/uploads/watches.ts';
import { proofOf } from '../settle/settle-stage.ts';
import { restore } from './restore.ts';
import type { Findings, StepOf, WatchEffect, Watching } from './watch-facts.ts';

/** Takes the proof of the current upload again, after a later one failed. */
export async function reverify(
  { current, failed }: StepOf<'reverify'>,
  { signal }: Watching,
  ctx: Context,
): Promise<Findings> {
  return { proof: await proofOf(current, { failed, signal }, ctx) };
}

/** What is live is known again: the current upload. */
export async function noteVerified(
  { current, failed }: StepOf<'note-verified'>,
  { login, lease }: Watching,
  ctx: Context,
): Promise<Findings> {
  const text = `upload ${current.upload.offer_id} verified as live after upload ${failed} had failed`;
  // A worker that lost its lease meanwhile must not hide that a newer upload failed.
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    await updateWatch(trx, login, { unverified: null, unverified_at: null });
    await recover(trx, { kind: 'receipt', login, text }, ctx.clock.now());
  });
  return { judged: true };
}

/** No check of the proof could be made: the look is repeated soon. */
export async function lookLater(
  { receipt }: StepOf<'look-later'>,
  { login }: Watching,
  ctx: Context,
): Promise<Findings> {
  const due = dueIn(ctx.config.service.poll.max, ctx.clock.now());
  const note = `what is live cannot be checked: ${receipt.checks.map(({ detail }) => detail).join('; ')}`;
  await updateWatch(ctx.ledger.db, login, { ...due, note });
  return { judged: true };
}

/** Raises one incident for a dataset that does not prove to be live any more, and decides to send the last good one again. */
export async function noteUnproved(
  { failed, reason, restore: good }: StepOf<'note-unproved'>,
  { login, lease }: Watching,
  ctx: Context,
): Promise<WatchEffect> {
  await withFencedTransaction(ctx.ledger, lease, async (trx) => {
    await raise(trx, { kind: 'receipt', login, reason, cause: failed }, ctx.clock.now());
    if (good !== null) await restore(trx, good, ctx);
  });
  return good === null ? { judged: true } : 'again';
}
