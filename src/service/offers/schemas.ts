import { z } from 'zod';
import { count, envelope, id, openWord, pagingIfAny } from '../operation/reply-values.ts';

/** Text that every ledger can keep: Postgres has no zero character. */
const text = z.string().transform((written) => written.replaceAll('\0', '\uFFFD'));

/** The offer record (UsOfferDto). Unknown fields and states pass through: the interface says that lists may grow. */
const offerRecord = z
  .looseObject({
    id,
    state: openWord(['created', 'queued', 'processing', 'failed', 'success', 'aborted'], text),
    createdTime: count,
    lastModifiedTime: count,
    linesProcessed: count,
    errorFileExists: z.boolean(),
    error: text.nullish(),
    sourceFile: text.nullish(),
    delimiter: text.nullish(),
    charsetName: text.nullish(),
  })
  .meta({ record: 'OfferRecord' });

export type OfferRecord = z.output<typeof offerRecord>;

/** States of an upload; others may appear. */
export type OfferState = OfferRecord['state'];

/** The reply of offer/process and offer/get: documented as the record, but replies of group A are wrapped in `data`; both are read. */
export const recordReply = z.preprocess(unwrap, offerRecord);

/** Totals are not documented: they are there where the service gives them. */
export const listReply = envelope(z.array(offerRecord)).extend(pagingIfAny);

export const tagsReply = envelope(z.array(text));

function unwrap(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null || !('data' in reply) || 'id' in reply) return reply;
  const record: unknown = Array.isArray(reply.data) && reply.data.length === 1 ? reply.data[0] : reply.data;
  if (typeof record !== 'object' || record === null || Array.isArray(record) || !('requestId' in reply)) return record;
  return { requestId: reply.requestId, ...record };
}
