import { foldedNames } from '../../columns/column-names.ts';

let known: Set<string> | undefined;

/** Folds a header cell for comparison: case, spaces and punctuation do not matter. */
export function foldName(cell: string): string {
  return cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** The folded header names to look for: the trade's, and those that the configuration spells out. */
export function knownNames(extra: string[][] = []): Set<string> {
  // A single letter is no name of its own.
  known ??= new Set(foldedNames().filter((name) => name.length > 1));
  return extra.length === 0 ? known : new Set([...known, ...extra.flat().map(foldName)]);
}
