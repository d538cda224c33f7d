import { z } from 'zod';
import { count, envelope, flag, id, openWord, pagingIfAny } from '../operation/reply-values.ts';

const texts = z.array(z.string()).nullish();

/** That a part replaces another; types other than DUPLICATE may appear. */
const replacement = z
  .looseObject({
    replacesDetailId: id.nullish(),
    replacementFor: z.string().nullish(),
    replacementType: openWord(['DUPLICATE']).nullish(),
  })
  .meta({ record: 'Replacement' });

/** What every reply says of a part. */
const described = z.looseObject({
  detailId: id,
  oem: z.string(),
  brand: z.string(),
  original: flag.nullish(),
  detailNames: texts,
  offerNames: texts,
  crossNames: texts,
});

/** A part that was found. `saleCategory` is 1 to 4, a lower one is in more demand; what is no number is none. */
const part = described
  .extend({
    replacements: z.array(replacement).nullish(),
    tags: texts,
    score: z.number().nullish(),
    saleCategory: count.nullish().catch(null),
  })
  .meta({ record: 'Part' });

export type Part = z.output<typeof part>;

/** Totals are not documented: they are there where the service gives them. */
export const partsReply = envelope(z.array(part)).extend(pagingIfAny);

const analogue = described
  .extend({
    replacesOem: z.string().nullish(),
    replacementType: openWord(['DUPLICATE']).nullish(),
  })
  .meta({ record: 'Analogue' });

/** What can stand in for one article number. */
const analogueGroup = z.looseObject({ oem: z.string(), details: z.array(analogue) }).meta({ record: 'AnalogueGroup' });

export const analoguesReply = envelope(z.array(analogueGroup));

const tagCount = z.looseObject({ tag: z.string(), detailsCount: count }).meta({ record: 'TagCount' });

export const countByTagsReply = envelope(z.array(tagCount));

/** The document does not show this reply: its data is whatever came (see `tagCountsOf`). */
export const countByTagsExtReply = z.looseObject({ data: z.unknown(), requestId: z.string().nullish() });

export type TagCount = z.output<typeof tagCount>;

/** The tag counts in the data of countByTagsExt, or null when it has another shape. */
export function tagCountsOf(data: unknown): TagCount[] | null {
  const counts = z.array(tagCount).safeParse(data);
  return counts.success ? counts.data : null;
}
