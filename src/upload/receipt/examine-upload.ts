import { isServiceError } from '../../errors.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import type { Receipt } from '../../model.ts';
import type { UploadContext } from '../context.ts';
import {
  areErrorsMissing,
  traceDataset,
  traceUpload,
  type TracedUpload,
  type TraceFacts,
} from '../errors/trace-upload.ts';
import type { Traced } from '../errors/write-rejections.ts';
import type { SearchedDataset } from './check-search.ts';
import { takeReceipt } from './receipt.ts';

/** What is known of a successful upload before it is examined. */
export type UploadFacts = TraceFacts & {
  upload: Pick<UploadRow, 'login' | 'offer_id' | 'record'>;
  /** What should not be searchable any more; null when nothing is known of it. */
  before: SearchedDataset | null;
  /** The receipt taken earlier; what cannot have changed since is not asked again. */
  earlier?: Receipt | undefined;
};

/** What an examination finds: which rows were rejected, and whether the service has what was sent. */
export type Examination = TracedUpload & { receipt: Receipt };

/** Examines a successful upload: traces and archives its rejections by feed, and takes its receipt. */
export async function examineUpload(
  facts: UploadFacts & { feeds: string[] },
  ctx: UploadContext,
): Promise<Examination> {
  const found = await traceUpload(facts, ctx);
  return { ...found, receipt: await receiptOf(facts, found.traced, ctx) };
}

/** Takes the receipt of an upload again, as the service shows it now; nothing is archived. */
export async function verifyUpload(facts: UploadFacts, ctx: UploadContext): Promise<Receipt> {
  return receiptOf(facts, await traceDataset(facts, {}, ctx), ctx);
}

/** The record is read again: the ledger keeps only what the protocol needs of it. */
async function receiptOf(facts: UploadFacts, traced: Traced, ctx: UploadContext): Promise<Receipt> {
  const { dataset, earlier, errorsSha, before, signal, tagColumn, upload } = facts;
  const { login } = upload;
  const rejectionsKnown = traced.untraced === 0 && !areErrorsMissing(facts, traced);
  // Without the index it is unknown which tags were sent.
  const tagged = tagColumn !== null && (await ctx.archive.has(dataset.index_sha));
  const tags = tagged ? { live: traced.liveTags, rejected: traced.rejectedTags } : null;
  const search = { errorsSha, before, rejectionsKnown };
  try {
    const record = await ctx.offers(login).get(upload.offer_id ?? '', signal);
    return await takeReceipt({ login, record, dataset, tags, search, earlier, signal }, ctx);
  } catch (error) {
    signal.throwIfAborted();
    if (!isServiceError(error)) throw error;
    return { verified: false, checks: [{ check: 'record', result: 'unavailable', detail: error.message }] };
  }
}
