import type { Locale } from '../http/parameters.ts';
import type { Reference } from '../reference/open.ts';
import type { Part } from './portfolio.ts';
import type { Hit } from './search.ts';

/** What the reference says of parts, in one locale. */
export type Teller = {
  names: (part: Part) => string[];
  /** Names of the parts that this one lists as its crosses, each once. */
  crossNames: (part: Part) => string[];
  replacements: (part: Part) => Replacement[];
};

type Replacement = { replacesDetailId: number; replacementFor: string; replacementType: string };

/** Reads names in the language of the locale; there are none in a language that the reference does not have. */
export function createTeller(reference: Reference, { language }: Locale): Teller {
  const db = reference.db();
  const column = `names_${language ?? 'en'}`;
  const own = db.prepare(`SELECT ${column} AS names FROM parts WHERE id = ?`);
  const crosses = db.prepare(
    `SELECT DISTINCT ${column} AS names FROM part_crosses JOIN parts ON parts.id = crossed WHERE part = ?`,
  );
  const replaced = db.prepare(
    `SELECT parts.id AS replacesDetailId, oem AS replacementFor, type AS replacementType
     FROM part_replacements JOIN parts ON parts.id = replaces WHERE part = ? ORDER BY replaces`,
  );
  const namesOf = (rows: Record<string, unknown>[]) =>
    language === null ? [] : [...new Set(rows.flatMap(({ names }) => String(names).split('|')))];
  return {
    names: ({ referenceId }) => (referenceId === null ? [] : namesOf(own.all(referenceId))),
    crossNames: ({ referenceId }) => (referenceId === null ? [] : namesOf(crosses.all(referenceId))),
    replacements: ({ referenceId }) => (referenceId === null ? [] : (replaced.all(referenceId) as Replacement[])),
  };
}

/** A part as a search shows it; fields that may be absent are when they would be empty. */
export function itemView(teller: Teller, { part, score }: Hit): Record<string, unknown> {
  const { offerNames, crossNames, ...view } = partView(teller, part);
  const replacements = teller.replacements(part);
  return {
    ...view,
    ...(offerNames.length > 0 && { offerNames }),
    ...(crossNames.length > 0 && { crossNames }),
    ...(replacements.length > 0 && { replacements }),
    tags: part.tags,
    score,
    saleCategory: part.saleCategory,
  };
}

/** What every reply shows of a part. */
export function partView(teller: Teller, part: Part) {
  const detailNames = teller.names(part);
  return {
    detailId: part.detailId,
    oem: part.oem,
    brand: part.brand,
    original: part.original,
    ...(detailNames.length > 0 && { detailNames }),
    offerNames: part.names.length > 0 ? part.names : detailNames,
    crossNames: teller.crossNames(part),
  };
}
