import { names } from '../names.ts';
import { duration } from '../units.ts';
import { z } from '../zod.ts';

/** How a text is written, where that is known. */
export const dialect = z
  .strictObject({
    charset: z.string().default('auto'),
    delimiter: z
      .string()
      .default('auto')
      .transform((text) => (text === 'tab' ? '\t' : text)),
    header: z.union([z.literal('auto'), z.boolean(), z.int().min(1)]).default('auto'),
  })
  .prefault({});

/** What a column is called: spellings of its header, or its position from 1. */
const column = z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.int().min(1)]);

/** Files of a delivery that are joined to the list, which is the first that is named. */
export const join = z.strictObject({
  on: z.array(z.enum(['brand', 'oem'])).min(1),
  kind: z.literal('left').default('left'),
  partners: names(
    z.string().min(1),
    z.strictObject({
      brand: column.optional(),
      oem: column.optional(),
      bring: z
        .array(z.union([z.string().min(1), z.int().min(1)]))
        .min(1)
        .optional(),
      dialect,
      maxAge: duration.optional(),
    }),
  ).prefault({}),
});

/** Entries of an archive: all, those that fit patterns, or one for each of some names. */
export const entries = z.union(
  [z.literal('all'), z.array(z.string().min(1)).min(1), names(z.string().min(1), z.string().min(1))],
  'expected all, a list of patterns, or names with a pattern each',
);
