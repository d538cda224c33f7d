import { z } from 'zod';

// What the reference (docs/reference/service-reference.md) calls values and records stands in their `meta`: shown, known, record.

/** An int64 identifier: always a string here, whatever the reply carried. */
export const id = z
  .union([z.string().regex(/^-?\d+$/, 'expected an id'), z.int('expected an id')], { error: 'expected an id' })
  .transform(String)
  .meta({ shown: 'id' });

const NO_COUNT = 'expected a whole number';

/** A whole number, also where it came as digits. */
export const count = z
  .union([z.int(NO_COUNT), z.string().regex(/^-?\d+$/, NO_COUNT)], { error: NO_COUNT })
  .transform(Number)
  .meta({ shown: 'whole number' });

/** Yes or no in every spelling of the two forms: true, t, 1. */
export const flag = z
  .union([z.boolean(), z.string().regex(/^(true|false|t|f|1|0)$/i, 'expected true or false'), z.literal([0, 1])], {
    error: 'expected true or false',
  })
  .transform((written) => /^(true|t|1)$/i.test(String(written)))
  .meta({ shown: 'true or false' });

/** Words that are known, and any other: the interface says that its lists may grow. Editors offer the known ones. */
export type OpenUnion<W extends string> = W | (string & Record<never, never>);

/** A word out of a list that may grow. */
export function openWord<const W extends string>(known: readonly W[], text: z.ZodType<string, string> = z.string()) {
  return text.transform((written): OpenUnion<W> => written).meta({ known });
}

/** A reply of group A around its data; `requestId` is what the service calls the request. */
export function envelope<S extends z.ZodType>(data: S) {
  return z.looseObject({ data, requestId: z.string().nullish() });
}

/** What a page says of all pages. */
export const paging = {
  pageNumber: count.nullish(),
  pageSize: count.nullish(),
  totalPages: count.nullish(),
  totalElements: count.nullish(),
};

/** The same where the document does not show it: read where the service gives it, and null where it is no number. */
export const pagingIfAny = {
  pageNumber: count.nullish().catch(null),
  pageSize: count.nullish().catch(null),
  totalPages: count.nullish().catch(null),
  totalElements: count.nullish().catch(null),
};

/** A time of the service (milliseconds since 1970) as a Date. */
export function dateOf(time: number): Date {
  return new Date(time);
}
