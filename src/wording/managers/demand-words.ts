import type { Language } from '../language/language.ts';

const WORDS = new Map([
  [1, 'demand.highest'],
  [2, 'demand.high'],
  [3, 'demand.low'],
  [4, 'demand.lowest'],
] as const);

/** How much a part is looked for, by the category of the search; null where that is not known, or a category is none that the search has today. */
export function demandWord(category: number | null, { say }: Language): string | null {
  const key = WORDS.get(category as 1 | 2 | 3 | 4);
  return key === undefined ? null : say(key);
}
