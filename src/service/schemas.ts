import { z } from 'zod';

/** An int64 identifier: always a string here, whatever the reply carried. */
export const id = z.union([z.string().regex(/^-?\d+$/), z.int()]).transform(String);

const count = z.union([z.int(), z.string().regex(/^-?\d+$/)]).transform(Number);

/** The offer record (UsOfferDto). Unknown fields and states pass through: the interface says that lists may grow. */
export const offerRecord = z.looseObject({
  id,
  state: z.string(),
  createdTime: count,
  lastModifiedTime: count,
  linesProcessed: count,
  errorFileExists: z.boolean(),
  error: z.string().nullish(),
  sourceFile: z.string().nullish(),
  delimiter: z.string().nullish(),
  charsetName: z.string().nullish(),
});

export type OfferRecord = z.output<typeof offerRecord>;

/** The reply of offer/process: documented as the record, seen with and without the data wrapper; both are read. */
export const processReply = z.union([offerRecord, z.looseObject({ data: offerRecord }).transform((r) => r.data)]);

/** The reply of offer/get, read with and without the data wrapper. */
export const getReply = processReply;

export const listReply = z.looseObject({ data: z.array(offerRecord) });

export const tagsReply = z.looseObject({ data: z.array(z.string()) });
