import { dictionary } from '../../io/dictionary.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { dueIn } from '../../clock.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { offerOf, type DatasetRow, type IntentRow, type UploadRow } from '../../ledger/schema/schema.ts';
import { successBefore, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findUpload, updateUpload } from '../../ledger/uploads/uploads.ts';
import type { Receipt } from '../../model.ts';
import { tagKey } from '../../compose/offer-file.ts';
import { runInThread } from '../../threads/thread.ts';
import type { Refusal } from '../../upload/protocol/attempt.ts';
import type { SearchedDataset } from '../../upload/receipt/check-search.ts';
import { errorsAnnounced, fetchErrors } from '../../upload/errors/fetch-errors.ts';
import { takeReceipt } from '../../upload/receipt/receipt.ts';
import type { Traced } from '../../upload/errors/trace.ts';
import { usable } from '../archive/usable.ts';
import { TRACING, traceInput } from '../archive/trace-input.ts';
import { recordFailure, recordSuccess, type Success } from './commit-outcome.ts';

/** A closed upload and what it was made from. */
export type Settle = {
  intent: IntentRow;
  dataset: DatasetRow;
  upload: UploadRow;
  lease: Lease;
  signal: AbortSignal;
};

/** Where the account of an upload stands; `denied`: the service refuses the credentials. */
type Settled = 'settled' | { waitUntil: number } | { denied: Refusal };

/** Tries at fetching what the service says of a finished upload before the account is closed without it. */
const MAX_FETCHES = 6;

/**
 * Draws the account of a closed upload: fetches `.errors`, traces every rejection, takes the receipt, and gives each run
 * of the intent its outcome. Safe to repeat: nothing counts before the one transaction that records it all.
 */
export async function settleUpload(work: Settle, ctx: Context): Promise<Settled> {
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
  work: Settle,
  errorsSha: string | null,
  earlier: Receipt | undefined,
  ctx: Context,
): Promise<Success> {
  const traced = await traceParts(work, errorsSha, ctx);
  const replaced = await successBefore(ctx.ledger.db, work.upload);
  const before = replaced && { dataset: replaced.dataset, errorsSha: replaced.upload.errors_sha };
  const searched = { errorsSha, before: before ?? null };
  const receipt = await receiptOf({ ...work, earlier }, traced.traced, searched, ctx);
  return { ...work, ...traced, receipt, errorsSha };
}

/** The rejections of a dataset, traced and archived by feed. */
export async function traceParts(
  work: Look,
  errorsSha: string | null,
  ctx: Context,
): Promise<Pick<Success, 'parts' | 'traced' | 'rejections' | 'errorsMissing'>> {
  const folder = await ctx.archive.tempFolder();
  try {
    const parts = work.dataset.parts;
    const outputs = dictionary(parts.map((part, at) => [part.feed, join(folder, `rejections-${at}`)] as const));
    const traced = await trace(work, errorsSha, outputs, ctx);
    const rejections = dictionary<string>();
    for (const [feed, path] of Object.entries(outputs)) rejections[feed] = (await ctx.archive.adopt(path)).sha256;
    if (traced.unreadable !== null) {
      ctx.log.error({ upload: work.upload.id, why: traced.unreadable }, 'errors file cannot be read');
    }
    return { parts, traced, rejections, errorsMissing: areErrorsMissing(work.upload, errorsSha, traced) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function errorsOf(work: Settle, ctx: Context): Promise<{ sha: string | null } | Exclude<Settled, 'settled'>> {
  try {
    return { sha: await fetchErrors(work.upload, ctx, work.signal) };
  } catch (error) {
    work.signal.throwIfAborted();
    if (!(error instanceof OfferlineError) || !error.code.startsWith('service-')) throw error;
    const denied = await deniedEverything(error, work, ctx);
    if (denied !== null) return { denied };
    const waits = work.upload.waits + 1;
    if (waits > MAX_FETCHES) {
      ctx.log.error({ upload: work.upload.id, err: error }, 'errors file could not be fetched');
      return { sha: null };
    }
    const { initial, max } = ctx.config.service.poll;
    const asked = typeof error.details['retryAfterMs'] === 'number' ? error.details['retryAfterMs'] : 0;
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
async function deniedEverything(error: OfferlineError, work: Settle, ctx: Context): Promise<Refusal | null> {
  if (error.code !== 'service-unauthorized') return null;
  try {
    await ctx.offers(work.intent.login).list(0, 1, work.signal);
  } catch (other) {
    if (!(other instanceof OfferlineError) || other.code !== 'service-unauthorized') return null;
    return { status: Number(other.details['status']), text: other.message, operation: 'offer/list' };
  }
  return null;
}

/**
 * Takes the proof of an earlier good upload again: what is checked after a success, as the service shows it now. Rows of the
 * upload that failed since then must not be found.
 */
export async function proofOf(
  good: AcceptedUpload,
  { failed, signal }: { failed: string; signal: AbortSignal },
  ctx: Context,
): Promise<Receipt> {
  const { errors_sha: errorsSha } = good.upload;
  const traced = await trace({ ...good, signal }, errorsSha, {}, ctx);
  const { intent } = await findUpload(ctx.ledger.db, failed);
  const dataset = await getDataset(ctx.ledger.db, (await getIntent(ctx.ledger.db, intent)).dataset);
  return receiptOf({ ...good, signal }, traced, { errorsSha, before: { dataset, errorsSha: null } }, ctx);
}

/** Whether the service said that it rejected rows, and nobody knows which. */
function areErrorsMissing(upload: UploadRow, errorsSha: string | null, traced: Traced): boolean {
  return (errorsSha === null && errorsAnnounced(upload)) || traced.unreadable !== null;
}

/** An upload to look at; nothing is written. */
type Look = Omit<Settle, 'lease'> & { earlier?: Receipt | undefined };

async function trace(
  work: Look,
  errorsSha: string | null,
  outputs: Record<string, string>,
  ctx: Context,
): Promise<Traced> {
  const { index_sha } = work.dataset;
  for (const [what, sha256] of [['index of its dataset', index_sha] as const, ['.errors file', errorsSha] as const]) {
    if (sha256 === null || (await usable(sha256, ctx, work.signal))) continue;
    for (const path of Object.values(outputs)) await writeFile(path, '');
    return { ...NOTHING_TRACED, unreadable: `the archived ${what} is damaged` };
  }
  return runInThread<Traced>(TRACING, traceInput(work.dataset, errorsSha, outputs, ctx), work.signal);
}

const NOTHING_TRACED = { rejectedRows: {}, rejections: {}, untraced: 0, liveTags: [], rejectedTags: [] };

/** The record is read afresh: the ledger keeps only what the protocol needs of it. */
async function receiptOf(
  work: Look,
  traced: Traced,
  searched: { errorsSha: string | null; before: SearchedDataset | null },
  ctx: Context,
): Promise<Receipt> {
  const { dataset, earlier, signal, upload } = work;
  const { login } = work.intent;
  const rejectionsKnown = traced.untraced === 0 && !areErrorsMissing(upload, searched.errorsSha, traced);
  const search = { ...searched, rejectionsKnown };
  // Without the index nobody knows which tags were sent.
  const tagged = tagKey(offerOf(dataset)) !== null && (await ctx.archive.has(dataset.index_sha));
  const tags = tagged ? { live: traced.liveTags, rejected: traced.rejectedTags } : null;
  try {
    const record = await ctx.offers(login).get(upload.offer_id ?? '', signal);
    return await takeReceipt({ login, record, dataset, tags, search, earlier, signal }, ctx);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OfferlineError) || !error.code.startsWith('service-')) throw error;
    return { verified: false, checks: [{ check: 'record', result: 'unavailable', detail: error.message }] };
  }
}
