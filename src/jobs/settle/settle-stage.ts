import type { Context } from '../../context.ts';
import { isServiceError, messageOf, OfferlineError, retryAfterMs, statusOf } from '../../errors.ts';
import { dueIn } from '../../clock.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { offerOf, type DatasetPart, type DatasetRow } from '../../ledger/schema/schema.ts';
import { successBefore, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findUpload, updateUpload } from '../../ledger/uploads/uploads.ts';
import type { Receipt } from '../../model.ts';
import { tagKey } from '../../compose/offer-file.ts';
import type { Refusal } from '../../upload/protocol/attempt.ts';
import { fetchErrors } from '../../upload/errors/fetch-errors.ts';
import { traceUpload, type TracedUpload } from '../../upload/errors/trace-upload.ts';
import { examineUpload, verifyUpload } from '../../upload/receipt/examine-upload.ts';
import { usable } from '../archive/usable.ts';
import { recordFailure, recordSuccess, type ClosedUpload, type Success } from './commit-outcome.ts';

/** Where the account of an upload stands; `denied`: the service refuses the credentials. */
type Settled = 'settled' | { waitUntil: number } | { denied: Refusal };

/** Tries at fetching what the service says of a finished upload before the account is closed without it. */
const MAX_FETCHES = 6;

/**
 * Draws the account of a closed upload: fetches `.errors`, traces every rejection, takes the receipt, and gives each run
 * of the intent its outcome. Safe to repeat: nothing counts before the one transaction that records it all.
 */
export async function settleUpload(work: ClosedUpload, ctx: Context): Promise<Settled> {
  if (work.upload.state !== 'success') {
    await recordFailure(work, ctx);
    return 'settled';
  }
  const errors = await errorsOf(work, ctx);
  if (!('sha' in errors)) return errors;
  await recordSuccess(await examine(work, errors.sha, undefined, ctx), ctx);
  return 'settled';
}

/**
 * Everything that is to be known of a successful upload: its rejections traced, its receipt taken. `earlier`: the receipt that
 * was taken before; what cannot have changed since is not asked again.
 */
export async function examine(
  work: ClosedUpload,
  errorsSha: string | null,
  earlier: Receipt | undefined,
  ctx: Context,
): Promise<Success> {
  const parts = partsOf(work);
  const facts = await traceFacts(work, errorsSha, ctx);
  const replaced = await successBefore(ctx.ledger.db, work.upload);
  const before = replaced === undefined ? null : { dataset: replaced.dataset, errorsSha: replaced.upload.errors_sha };
  const found = await examineUpload({ ...facts, feeds: parts.map(({ feed }) => feed), before, earlier }, ctx);
  logUnreadable(work, found, ctx);
  return { ...work, ...found, parts, errorsSha };
}

/** The rejections of a dataset, traced and archived by feed. */
export async function traceParts(
  work: Examined,
  errorsSha: string | null,
  ctx: Context,
): Promise<TracedUpload & { parts: DatasetPart[] }> {
  const parts = partsOf(work);
  const facts = await traceFacts(work, errorsSha, ctx);
  const found = await traceUpload({ ...facts, feeds: parts.map(({ feed }) => feed) }, ctx);
  logUnreadable(work, found, ctx);
  return { ...found, parts };
}

/**
 * Takes the receipt of an earlier accepted upload again, as the service shows it now. Rows of the upload that failed since then
 * must not be found.
 */
export async function proofOf(
  accepted: AcceptedUpload,
  { failed, signal }: { failed: string; signal: AbortSignal },
  ctx: Context,
): Promise<Receipt> {
  const facts = await traceFacts({ ...accepted, signal }, accepted.upload.errors_sha, ctx);
  const { intent } = await findUpload(ctx.ledger.db, failed);
  const dataset = await getDataset(ctx.ledger.db, (await getIntent(ctx.ledger.db, intent)).dataset);
  return verifyUpload({ ...facts, before: { dataset, errorsSha: null } }, ctx);
}

/** An upload to examine; nothing is written to the ledger. */
type Examined = Omit<ClosedUpload, 'lease'>;

async function traceFacts({ upload, dataset, signal }: Examined, errorsSha: string | null, ctx: Context) {
  const unusable = await unusableFile(dataset, errorsSha, signal, ctx);
  return { upload, dataset, errorsSha, tagColumn: tagKey(offerOf(dataset)), unusable, signal };
}

async function unusableFile(
  { index_sha }: DatasetRow,
  errorsSha: string | null,
  signal: AbortSignal,
  ctx: Context,
): Promise<string | null> {
  for (const [what, sha256] of [['index of its dataset', index_sha] as const, ['.errors file', errorsSha] as const]) {
    if (sha256 !== null && !(await usable(sha256, ctx, signal))) return `the archived ${what} is damaged`;
  }
  return null;
}

function logUnreadable({ upload }: Examined, { traced }: TracedUpload, ctx: Context): void {
  if (traced.unreadable === null) return;
  ctx.log.error({ upload: upload.id, why: traced.unreadable }, 'errors file cannot be read');
}

function partsOf({ dataset }: Examined): DatasetPart[] {
  return dataset.parts;
}

async function errorsOf(
  work: ClosedUpload,
  ctx: Context,
): Promise<{ sha: string | null } | Exclude<Settled, 'settled'>> {
  try {
    return { sha: await fetchErrors(work.upload, ctx, work.signal) };
  } catch (error) {
    work.signal.throwIfAborted();
    if (!isServiceError(error)) throw error;
    const denied = await deniedEverything(error, work, ctx);
    if (denied !== null) return { denied };
    const waits = work.upload.waits + 1;
    if (waits > MAX_FETCHES) {
      ctx.log.error({ upload: work.upload.id, err: error }, 'errors file could not be fetched');
      return { sha: null };
    }
    const { initial, max } = ctx.config.service.poll;
    const asked = retryAfterMs(error) ?? 0;
    const pause = Math.max(asked, initial / 2, Math.random() * Math.min(max, initial * 2 ** waits));
    const due = dueIn(pause, ctx.clock.now());
    const note = `the .errors file cannot be fetched: ${messageOf(error)}`;
    await withFencedTransaction(ctx.ledger, work.lease, (trx) =>
      updateUpload(trx, work.upload.id, { waits, ...due, note }),
    );
    return { waitUntil: due.next_at };
  }
}

/** A refusal of `.errors` alone is about that operation; when the list is refused as well, it is about the credentials. */
async function deniedEverything(error: OfferlineError, work: ClosedUpload, ctx: Context): Promise<Refusal | null> {
  if (error.code !== 'service-unauthorized') return null;
  try {
    await ctx.offers(work.intent.login).list(0, 1, work.signal);
  } catch (other) {
    if (!(other instanceof OfferlineError) || other.code !== 'service-unauthorized') return null;
    return { status: statusOf(other) ?? 401, text: other.message, operation: 'offer/list' };
  }
  return null;
}
