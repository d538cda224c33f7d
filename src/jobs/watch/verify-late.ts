import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { lastVerified, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { fetchErrors } from '../../upload/errors/fetch-errors.ts';
import { mayProveLate } from '../../upload/receipt/receipt.ts';
import { usable } from '../archive/usable.ts';
import { recordSuccess } from '../settle/commit-outcome.ts';
import { examine, proofOf } from '../settle/settle-stage.ts';
import type { Watched, Watching } from './watch.ts';

/** An index that has not caught up by then is asked again only before the next upload. */
const LATE = 86_400_000;

/**
 * Looks again at an upload that was accepted and not proved, when time alone may prove it: for a day with each look at what is
 * live, and before each upload, so that the same dataset is not sent twice. Once it is proved it counts as any success, and the
 * outcome of its runs is amended.
 */
export async function verifyLate(work: Watching, current: AcceptedUpload, ctx: Context): Promise<Watched> {
  const { intent, upload } = current;
  if (intent.result !== 'unproved' || !(await mayBeProved(current, ctx))) return 'on';
  const earlier = intent.receipt;
  const lagged = earlier !== null && mayProveLate(earlier);
  // After an upload that failed, what is live has to be proved anew anyway, whatever was found before.
  const { unverified } = await watchOf(ctx.ledger.db, work.login);
  const anew = !work.sending && unverified !== null;
  if (!lagged && !anew) return 'on';
  if (!work.sending && !anew && ctx.clock.now() - (upload.closed_at ?? 0) > LATE) return 'on';
  const errorsSha = await errorsByNow(work, current, ctx);
  const look = { ...current, lease: work.lease, signal: work.signal };
  const success = await examine(look, errorsSha, lagged ? earlier : undefined, ctx);
  if (!success.receipt.verified) return 'on';
  const { signal } = work;
  if (unverified !== null && !(await proofOf(current, { failed: unverified, signal }, ctx)).verified) return 'on';
  ctx.log.info({ login: work.login, offerId: upload.offer_id }, 'upload is proved late');
  await recordSuccess(success, ctx);
  return 'again';
}

/** False when something newer was proved since, or what it would be compared with is not in the archive any more. */
async function mayBeProved({ intent, upload, dataset }: AcceptedUpload, ctx: Context): Promise<boolean> {
  const proved = await lastVerified(ctx.ledger.db, upload.login);
  if (proved !== undefined && proved.intent.created_at > intent.created_at) return false;
  if (upload.errors_sha !== null && !(await usable(upload.errors_sha, ctx))) return false;
  return usable(dataset.index_sha, ctx);
}

/** The announced errors file, if the service gives it by now. */
async function errorsByNow({ signal }: Watching, { upload }: AcceptedUpload, ctx: Context): Promise<string | null> {
  try {
    return await fetchErrors(upload, ctx, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OfferlineError) || !error.code.startsWith('service-')) throw error;
    return null;
  }
}
