import { unicodePattern } from '../unicode-pattern.ts';

/** Marks that may stand between several numbers of one cell; a slash between blanks is hardly part of one. Blanks, dashes and dots are part of numbers everywhere. */
export const NUMBER_MARKS = ['\n', '|', ';', ',', ' / ', '/'];
/** What else people write between numbers: it counts only between pieces that look like the column's other numbers. */
export const RARE_NUMBER_MARKS = [
  ...'& + = ~ \\ : * # ( <br> <br/> -> →'.split(' '),
  ...' // |<br />| - | – | .. |...| u. | ersetzt durch | replaced by | заменён на | заменен на | замена | and | or | und | oder | bis | et | ou | y | o | и | или | ve | veya | lub | i '.split(
    '|',
  ),
];
/** Between long numbers of a column whose numbers have none. */
export const BLANK = ' ';
/** Marks that stand inside of many numbers as well. */
const ALSO_INSIDE = new Set(['/', BLANK, ...RARE_NUMBER_MARKS]);

/** True for a cell of Latin letters and digits alone: every mark has something else. Pure. */
export function hasNoMark(text: string): boolean {
  return /^[A-Za-z0-9]*$/.test(text);
}

/** The character of a mark by which cells are found that may have it; null where cells without it have that as well. Pure. */
export function tellingCharacter(mark: string): string | null {
  return /[\n!-,/:-@[-`{-~]/.exec(mark)?.[0] ?? null;
}

/**
 * What a piece needs at least to be a number by itself, in letters and digits. Few numbers have a comma; many have a slash: `1K0 698 151/A`,
 * `331/24987`, `12/34`.
 */
const LEAST: Record<string, { characters: number; digits: number }> = {
  '/': { characters: 5, digits: 3 },
  ',': { characters: 4, digits: 2 },
  // Five digits and five more are one number at several makers.
  [BLANK]: { characters: 7, digits: 4 },
};
const LEAST_OF_OTHERS = { characters: 3, digits: 1 };
const LEAST_OF_RARE = { characters: 3, digits: 1 };
const LEAST_OF_ANY = { characters: 1, digits: 1 };
/** Pieces around such a mark are about as long as each other. */
const ALIKE = 0.6;
/** Longer cells are no numbers. */
const LONGEST = 400;

const WHOLE = unicodePattern(String.raw`^#?[\p{L}\d][\p{L}\d .\-_*#()/+]*$`, 'u');
const NO_CHARACTERS = unicodePattern(String.raw`[^\p{L}\d]+`, 'gu');
const LETTERS = unicodePattern(String.raw`\p{L}`, 'gu');

/** Several numbers of a cell, and the marks between them. */
type SeveralNumbers = { marks: string[]; pieces: string[] };

/**
 * The numbers of a cell that the marks part into several, each of which looks like a whole number; else null. `shapes`: what numbers of
 * its column look like, see `numberShape`, which the pieces around a slash or a rare mark must share; null where it is not known. Pure.
 */
export function severalNumbers(
  text: string,
  marks: string[],
  shapes: ReadonlySet<string> | null,
): SeveralNumbers | null {
  if (text.length > LONGEST || hasNoMark(text)) return null;
  const isKnown = (mark: string) => shapes !== null || mark === '/' || !ALSO_INSIDE.has(mark);
  const present = marks.filter((mark) => text.includes(mark) && isKnown(mark));
  if (present.length === 0) return null;
  const singly = present.map((mark) => [mark]);
  // A mark may belong to the numbers that another one parts.
  const ways = present.length === 1 ? singly : [...singly, present];
  for (const way of ways) {
    const pieces = cutNumbers(text, way);
    if (pieces.length > 1 && areNumbers(pieces, way, shapes)) return { marks: way, pieces };
  }
  return null;
}

/**
 * The pieces of a cell of which a person has said what parts them, whatever they are; null where it has none of the marks. A slash and a
 * blank stand in many numbers as well: they part only what looks like whole numbers. Pure.
 */
export function partedNumbers(text: string, marks: string[]): string[] | null {
  const present = marks.filter((mark) => text.includes(mark));
  if (present.length === 0) return null;
  const doubtful = present.filter((mark) => [BLANK, '/'].includes(mark));
  const certain = present.filter((mark) => !doubtful.includes(mark));
  const pieces = cutNumbers(text, certain).flatMap((piece) => {
    const parted = cutNumbers(piece, doubtful);
    return parted.length > 1 && areNumbers(parted, doubtful, null) ? parted : [piece];
  });
  const once = [...new Set(pieces)];
  return once.length === 0 || (once.length === 1 && once[0] === text) ? null : once;
}

/** What cuts at a mark that is not written in one way. */
const CUTS: Record<string, RegExp> = { '\n': /[\r\n]+/, '(': /[()]/ };

/** The filled pieces of a cell between marks, each once. Pure. */
export function cutNumbers(text: string, marks: string[]): string[] {
  let pieces = [text];
  for (const mark of marks) pieces = pieces.flatMap((piece) => piece.split(CUTS[mark] ?? mark));
  return [...new Set(pieces.map((piece) => piece.trim()).filter((piece) => piece !== ''))];
}

/** What a number looks like: `A99999` for `A00037`; blanks, dashes and dots do not count. Pure. */
export function numberShape(text: string): string {
  if (hasNoMark(text)) return text.replaceAll(/[A-Za-z]/g, 'A').replaceAll(/\d/g, '9');
  return text
    .replaceAll(/[\s.-]+/g, '')
    .replaceAll(LETTERS(text), 'A')
    .replaceAll(/\d/g, '9');
}

function leastFor(mark: string): { characters: number; digits: number } {
  return LEAST[mark] ?? (ALSO_INSIDE.has(mark) ? LEAST_OF_RARE : LEAST_OF_OTHERS);
}

function areNumbers(pieces: string[], marks: string[], shapes: ReadonlySet<string> | null): boolean {
  const isStrict = marks.some((mark) => ALSO_INSIDE.has(mark));
  const needs = [LEAST_OF_ANY, ...marks.map(leastFor)];
  const characters = Math.max(...needs.map((need) => need.characters));
  const digits = Math.max(...needs.map((need) => need.digits));
  const lengths = pieces.map((piece) => piece.replaceAll(NO_CHARACTERS(piece), '').length);
  if (Math.min(...lengths) < characters) return false;
  if (isStrict && Math.min(...lengths) < Math.max(...lengths) * ALIKE) return false;
  if (marks.includes(',') && !areAlike(pieces, shapes)) return false;
  return pieces.every(
    (piece) =>
      WHOLE(piece).test(piece) &&
      piece.replaceAll(/\D/g, '').length >= digits &&
      (!isStrict || shapes === null || shapes.has(numberShape(piece))),
  );
}

/** Whether pieces around a comma look like each other or like other numbers: `XTHFT10,5400` is one with a decimal comma. */
function areAlike(pieces: string[], shapes: ReadonlySet<string> | null): boolean {
  if (shapes === null) return true;
  const own = new Set(pieces.map(numberShape));
  return own.size === 1 || [...own].every((shape) => shapes.has(shape));
}
