import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue } from '../../model.ts';
import { partedNumbers, severalNumbers } from '../../parts/several-numbers.ts';
import { isPlaceholder } from '../../values/placeholders.ts';
import { isFormulaError } from '../../values/spreadsheet.ts';
import { createIssue, type Place } from '../issues/create-issue.ts';
import { quoted } from '../checks/repair.ts';

/** Finds cells that hold several numbers, in a file of which nobody has said what they mean. */
export type NumberCheck = (written: string, place: Place, issues: Issue[]) => void;

/** Creates the check of the numbers of a file; null where none of them is looked at. */
export function createNumberCheck(settings: Pick<ReadSettings, 'watched' | 'numbers'>): NumberCheck | null {
  const { watched, numbers } = settings;
  if (numbers !== null) return numbers.take === 'each' ? checkPieces(numbers.separators) : null;
  if (watched === undefined) return null;
  const { marks, shapes } = watched;
  const known = shapes === null ? null : new Set(shapes);
  return (written, place, issues) => {
    const found = severalNumbers(written, marks, known);
    if (found === null) return;
    const separator = found.marks.map((mark) => JSON.stringify(mark)).join(', ');
    const setting = `numbers: { separator: ${found.marks.length === 1 ? separator : `[${separator}]`}, take: each }`;
    issues.push(severalIssue(place, { first: found.pieces[0]!, setting }));
  };
}

function severalIssue(place: Place, { first, setting }: { first: string; setting: string }): Issue {
  const what = `The cell holds several article numbers, of which the first is ${quoted(first)}; nobody searches for them together`;
  const remedy = `Give each number a row of its own, or set feeds.NAME.${setting}`;
  return createIssue('several-numbers', place, { what, remedy });
}

/** Finds a cell that is not taken apart because a word stands between its marks. */
function checkPieces(separators: string[]): NumberCheck {
  return (written, place, issues) => {
    const word = partedNumbers(written, separators)?.find(isWord);
    if (word === undefined) return;
    const what = `Beside the marks of the cell stands ${quoted(word)}, which looks like no article number`;
    issues.push(createIssue('several-numbers', place, { what, remedy: 'Write the numbers alone' }));
  };
}

const NONE_KEPT: ReadonlySet<string> = new Set();

/** A piece without a digit that neither stands for nothing nor is the message of a failed formula: these cost only themselves. */
function isWord(piece: string): boolean {
  return !/\d/.test(piece) && !isPlaceholder(piece, 'oem', NONE_KEPT) && !isFormulaError(piece);
}

/**
 * The numbers that a cell stands for where several are taken one by one, or where the first of them is taken; null where it holds one
 * as it is, or words as well.
 */
export function takenNumbers(written: string, { numbers }: Pick<ReadSettings, 'numbers'>): string[] | null {
  if (numbers === null || numbers.take === 'whole') return null;
  const pieces = partedNumbers(written, numbers.separators);
  if (pieces === null) return null;
  if (numbers.take === 'first') return isWord(pieces[0]!) ? null : pieces.slice(0, 1);
  return pieces.some(isWord) ? null : pieces;
}
