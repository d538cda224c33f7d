import { isListed } from '../../columns/column-names.ts';
import { unicodePattern } from '../../unicode-pattern.ts';

/** The names of columns, folded, that a header is known by. */
export type HeaderNames = { has: (folded: string) => boolean };

const PUNCTUATION = unicodePattern(String.raw`[^\p{L}\p{N}]+`, 'gu');

/** Folds a header cell for comparison: case, spaces and punctuation do not matter. */
export function foldName(cell: string): string {
  const lower = cell.toLowerCase();
  return lower.replaceAll(PUNCTUATION(lower), '');
}

/** The header names to look for: the trade's, and those that the configuration spells out. */
export function knownNames(extra: string[][] = []): HeaderNames {
  const more = new Set(extra.flat().map(foldName));
  // A single letter is no name of its own.
  return { has: (folded) => more.has(folded) || (folded.length > 1 && isListed(folded)) };
}
