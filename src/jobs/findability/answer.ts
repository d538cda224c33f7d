import type { FindabilityLook, FoundCounts, FoundPart, WantedPart } from '../../model.ts';
import { knownShare } from './share.ts';

/** Parts of one brand whose numbers the search knows under another one. */
export type KnownAs = { brand: string; knownAs: string; parts: number; examples: string[] };

/** A look as answers show it. */
export type FindabilityAnswer = FoundCounts & {
  feed: string;
  login: string;
  otherBrands: KnownAs[];
  missingParts: { brand: string; oem: string }[];
  note: string | null;
  answers: FoundPart[];
  /** Parts that are not live and were asked for, the most wanted first. */
  wanted: WantedPart[];
};

/** Numbers that are shown of a brand. */
const EXAMPLES = 3;

/** What the search answered, counted and one by one. */
export function findabilityAnswer(look: FindabilityLook): FindabilityAnswer {
  const { feed, login, answers, wanted, note } = look;
  return {
    feed,
    login,
    ...foundCounts(look),
    otherBrands: otherBrands(answers),
    missingParts: answers.flatMap(({ found, brand, oem }) => (found === 'missing' ? [{ brand, oem }] : [])),
    note,
    answers,
    wanted: wanted.toSorted((a, b) => (a.saleCategory ?? Infinity) - (b.saleCategory ?? Infinity)),
  };
}

/** Counts what the search answered. */
export function foundCounts(look: FindabilityLook): FoundCounts {
  const { at, parts, namesShown, answers } = look;
  const count = (found: FoundPart['found']) => answers.filter((answer) => answer.found === found).length;
  return {
    at: new Date(at).toISOString(),
    parts,
    asked: answers.length,
    known: count('known'),
    otherBrand: count('other-brand'),
    own: count('own'),
    missing: count('missing'),
    namesShown,
    share: knownShare(look),
  };
}

/** The brands whose numbers are known under another one, the most parts first. */
function otherBrands(answers: readonly FoundPart[]): KnownAs[] {
  const named = answers.filter(({ knownAs }) => knownAs !== undefined);
  return [...Map.groupBy(named, ({ brand, knownAs }) => JSON.stringify([brand, knownAs])).values()]
    .map((parts) => ({
      brand: parts[0]!.brand,
      knownAs: parts[0]!.knownAs!,
      parts: parts.length,
      examples: parts.slice(0, EXAMPLES).map(({ oem }) => oem),
    }))
    .sort((a, b) => b.parts - a.parts || (a.brand < b.brand ? -1 : 1));
}
