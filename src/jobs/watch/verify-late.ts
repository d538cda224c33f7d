import type { Context } from '../../context.ts';
import { isServiceError } from '../../errors.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { fetchErrors } from '../../upload/errors/fetch-errors.ts';
import { usable } from '../archive/usable.ts';
import { recordSuccess } from '../settle/commit-outcome.ts';
import { examine, proofOf } from '../settle/settle-stage.ts';
import type { StepOf, WatchEffect, Watching } from './watch-facts.ts';

const NOT_VERIFIED = { verifiedLate: false } as const;

/**
 * Looks again at an upload that was accepted and not proved. Once it is proved it counts as any success, and the outcome of
 * its runs is amended.
 */
export async function verifyLate(
  { current, earlier, failed }: StepOf<'verify-late'>,
  { login, lease, signal }: Watching,
  ctx: Context,
): Promise<WatchEffect> {
  if (!(await canBeCompared(current, ctx))) return NOT_VERIFIED;
  const errorsSha = await errorsByNow(current, signal, ctx);
  const success = await examine({ ...current, lease, signal }, errorsSha, earlier, ctx);
  if (!success.receipt.verified) return NOT_VERIFIED;
  if (failed !== null && !(await proofOf(current, { failed, signal }, ctx)).verified) return NOT_VERIFIED;
  ctx.log.info({ login, offerId: current.upload.offer_id }, 'upload is proved late');
  await recordSuccess(success, ctx);
  return 'again';
}

/** False when what it would be compared with is not in the archive any more. */
async function canBeCompared({ upload, dataset }: AcceptedUpload, ctx: Context): Promise<boolean> {
  if (upload.errors_sha !== null && !(await usable(upload.errors_sha, ctx))) return false;
  return usable(dataset.index_sha, ctx);
}

/** The announced errors file, if the service gives it by now. */
async function errorsByNow({ upload }: AcceptedUpload, signal: AbortSignal, ctx: Context): Promise<string | null> {
  try {
    return await fetchErrors(upload, ctx, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isServiceError(error)) throw error;
    return null;
  }
}
