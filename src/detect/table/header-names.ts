import { foldExactName } from '../../config/schema/match-names.ts';
import { isListed } from '../../columns/column-names.ts';
import { unicodePattern } from '../../unicode-pattern.ts';

/** The names of columns, folded, that a header is known by. */
export type HeaderNames = { has: (folded: string) => boolean };

/** The same, with those that a row must have. */
export type KnownNames = HeaderNames & {
  /** Whether the cells of a row name all columns that are needed, exactly. */
  isComplete: (cells: string[]) => boolean;
};

const PUNCTUATION = unicodePattern(String.raw`[^\p{L}\p{N}]+`, 'gu');

/** Folds a header cell for comparison: case, spaces and punctuation do not matter. */
export function foldName(cell: string): string {
  const lower = cell.toLowerCase();
  return lower.replaceAll(PUNCTUATION(lower), '');
}

/** The header names to look for: the trade's, and those that the configuration spells out; `needed`: those of each column that must be there. */
export function knownNames(extra: string[][] = [], needed: string[][] = []): KnownNames {
  const more = new Set(extra.flat().map(foldName));
  const sets = needed.map((names) => new Set(names.map(foldExactName)));
  return {
    // A single letter is no name of its own.
    has: (folded) => more.has(folded) || (folded.length > 1 && isListed(folded)),
    isComplete: (cells) => {
      const folded = sets.length === 0 ? [] : cells.map(foldExactName);
      return sets.length > 0 && sets.every((names) => folded.some((cell) => names.has(cell)));
    },
  };
}
