import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue } from '../../model.ts';
import { severalNumbers } from '../../parts/several-numbers.ts';
import { createIssue, type Place } from '../issues/catalogue.ts';
import { quoted } from '../checks/repair.ts';

/** Finds cells that hold several numbers, in a file of which nobody has said what they mean. */
export type NumberCheck = (written: string, place: Place, issues: Issue[]) => void;

/** Creates the check of the numbers of a file; null where none of them is looked at. */
export function createNumberCheck({ watched }: Pick<ReadSettings, 'watched'>): NumberCheck | null {
  if (watched === undefined) return null;
  const { marks, shapes } = watched;
  const known = shapes === null ? null : new Set(shapes);
  return (written, place, issues) => {
    const found = severalNumbers(written, marks, known);
    if (found === null) return;
    const separator = found.marks.map((mark) => JSON.stringify(mark)).join(', ');
    const setting = `numbers: { separator: ${found.marks.length === 1 ? separator : `[${separator}]`}, take: each }`;
    issues.push(createIssue('several-numbers', place, { first: quoted(found.pieces[0]!), setting }));
  };
}

/**
 * The numbers that a cell stands for where several are taken one by one, or where the first of them is taken; null where it holds one
 * as it is.
 */
export function takenNumbers(written: string, { numbers }: Pick<ReadSettings, 'numbers'>): string[] | null {
  if (numbers === null || numbers.take === 'whole') return null;
  const found = severalNumbers(written, numbers.separators, null, true);
  if (found === null) return null;
  return numbers.take === 'first' ? found.pieces.slice(0, 1) : found.pieces;
}
