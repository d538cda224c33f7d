import { randomNumbers } from '../detection/random.ts';
import type { Offer } from './offers.ts';

/** One call; `words` is what a peer looks for: each of them in the brand, the number or the name. */
export type Query = { kind: string; path: string; body?: Record<string, unknown>; words: string[] };

const SEARCH = '/us2/public/search/search';

/** Calls of every kind, so many of each, over parts that the portfolio has. */
export function queries(offers: readonly Offer[], vehicle: number, count: number): Query[] {
  const next = randomNumbers(9);
  const some = () => offers[next(offers.length)]!;
  const word = (offer: Offer) => offer.name.split(/[ ,]+/)[0]!;
  const simple = (query: string, more: Record<string, string> = {}) =>
    `${SEARCH}?${new URLSearchParams({ query, ...more }).toString()}`;
  const kinds: Record<string, () => Omit<Query, 'kind'>> = {
    'a number': () => {
      const { oem } = some();
      return { path: simple(oem), words: [oem] };
    },
    'a number without separators': () => {
      const { oem } = some();
      return { path: simple(oem.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()), words: [oem] };
    },
    'brand and number': () => {
      const { brand, oem } = some();
      return { path: simple(`${oem} ${brand}`), words: [brand, oem] };
    },
    'words of a name': () => {
      const { name } = some();
      return { path: simple(name), words: name.split(/[ ,]+/) };
    },
    'one frequent word': () => {
      const one = word(some());
      return { path: simple(one), words: [one] };
    },
    'brand and an optional word': () => {
      const offer = some();
      return { path: simple(`${offer.brand} ?${word(offer)}`), words: [offer.brand] };
    },
    'words and a tag': () => {
      const one = word(some());
      return { path: simple(one, { tags: 'service' }), words: [one] };
    },
    'words that fit a vehicle': () => {
      const one = word(some());
      return { path: simple(one, { autoInfoId: String(vehicle) }), words: [one] };
    },
    'the fiftieth page': () => {
      const one = word(some());
      return { path: simple(one, { page: '50' }), words: [one] };
    },
    'advanced, names of offers': () => {
      const one = word(some());
      return { path: '/us2/public/advancedSearch', body: { searchBy: 'OFFER', query: one }, words: [one] };
    },
    'tags of a word': () => {
      const one = word(some());
      return { path: `/us2/public/search/countByTagsExt?query=${encodeURIComponent(one)}`, words: [one] };
    },
  };
  return Object.entries(kinds).flatMap(([kind, make]) => Array.from({ length: count }, () => ({ kind, ...make() })));
}
