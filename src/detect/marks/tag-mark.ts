import { counted } from '../../wording/words.ts';
import { lazily } from '../columns/lazily.ts';
import type { CellMarks } from '../../model.ts';
import { piecesOf, type MarkedCell } from './pieces.ts';

type TagMark = NonNullable<CellMarks['tags']>;

/** The marks that are looked for, the least ambiguous first. Blanks part the words of a tag as well, so they are only asked about. */
const MARKS = ['|', '\n', ';', ',', '/', '·', '•', '#'];
/** `ABS/ESP` is one tag and `left/right` two: a slash parts tags when so many of its pieces are tags of other cells, too. */
const LEAST_KNOWN = 0.8;
/** A mark that stands in so many of the marked cells without the other one is a mark of its own. */
const OFTEN = 0.2;
/** Of the words of a mark that is rarer, so many must be known as tags. */
const KNOWN_WORDS = 0.5;

/** The cells of one mark: those that it cuts, the pieces of these, and in how many of all cells each piece stands. */
type Cut = { mark: string; cells: MarkedCell[]; listed: Set<string>; known: Map<string, number> };

/**
 * Finds the mark between the tags of a column; null where no cell has one. `uploaded`: the mark between tags of the uploaded file, which
 * is looked for, too; `most`: how many tags a row may have. Pure.
 */
export function findTagMark(
  cells: MarkedCell[],
  { uploaded, most }: { uploaded: string; most: number },
): TagMark | null {
  const marks = MARKS.includes(uploaded) ? MARKS : [uploaded, ...MARKS];
  const present = marks.filter((mark) => cells.some(({ text }) => text.includes(mark)));
  const cuts = present.map((mark) => cut(cells, mark)).filter((one) => isMark(one, cells, uploaded));
  const [first, ...others] = cuts;
  if (first === undefined) return wordsAsTags(cells, uploaded, most);
  let best = first;
  let rival: string | null = null;
  for (const other of others) {
    const [onlyBest, onlyOther] = [alone(best, other), alone(other, best)];
    if (onlyOther === 0) continue;
    if (onlyBest === 0) [best, rival] = [other, null];
    else [best, rival] = onlyOther > onlyBest ? [other, best.mark] : [best, other.mark];
  }
  if (rival !== null)
    return {
      separator: best.mark,
      rival,
      example: exampleOf(cells, best.mark, rival),
      evidence: evidenceOf(best, cells),
    };
  const words = wordsAsTags(cells, best.mark, most);
  return words ?? { separator: best.mark, rival: null, example: best.cells[0]!, evidence: evidenceOf(best, cells) };
}

/** A tag of more words than a row may have tags is a list with blanks between its tags, or a text: that only a person can say. */
function wordsAsTags(cells: MarkedCell[], mark: string, most: number): TagMark | null {
  const isLong = (text: string) => piecesOf(text, mark).some((tag) => tag.split(/\s+/).length > most);
  const example = cells.find(({ text }) => isLong(text));
  if (example === undefined) return null;
  const words = Math.max(...piecesOf(example.text, mark).map((tag) => tag.split(/\s+/).length));
  return { separator: mark, rival: ' ', example, evidence: `a cell has ${words} words without a mark between them` };
}

function cut(cells: MarkedCell[], mark: string): Cut {
  const found = cells.filter(({ text }) => isBetween(text, mark));
  return lazily<Cut>({
    mark: () => mark,
    cells: () => found,
    listed: () => new Set(found.flatMap(({ text }) => piecesOf(text, mark).map(folded))),
    known: () => cellsOfPieces(cells, mark),
  });
}

/** In how many cells each piece stands. */
function cellsOfPieces(cells: MarkedCell[], mark: string): Map<string, number> {
  const known = new Map<string, number>();
  for (const { text } of cells) {
    for (const piece of new Set(piecesOf(text, mark).map(folded))) known.set(piece, (known.get(piece) ?? 0) + 1);
  }
  return known;
}

/** Whether a mark parts texts; a comma or a slash between digits belongs to a number, a semicolon behind `&amp` to a character. */
function isBetween(text: string, mark: string): boolean {
  if (!text.includes(mark)) return false;
  const plain =
    mark === ',' || mark === '/'
      ? text.replaceAll(/\d[,/]\d/g, '')
      : mark === ';'
        ? text.replaceAll(/&#?\w+;/g, '')
        : text;
  return plain.includes(mark) && piecesOf(text, mark).length > 0;
}

function isMark(found: Cut, all: MarkedCell[], uploaded: string): boolean {
  const { mark, cells } = found;
  if (cells.length === 0) return false;
  // Tags of social networks begin with it; elsewhere it is a part of one: `C#`.
  if (mark === '#' && mark !== uploaded)
    return cells.every(({ text }) => text.startsWith(mark)) && cells.length * 2 > all.length;
  if (mark !== '/') return true;
  const pieces = cells.flatMap(({ text }) => piecesOf(text, mark));
  const { known } = found;
  const shared = pieces.filter((piece) => (known.get(folded(piece)) ?? 0) > 1);
  return (
    all.length > 1 && new Set(cells.map(({ text }) => text)).size > 1 && shared.length >= pieces.length * LEAST_KNOWN
  );
}

/** How many cells one mark cuts that the other does not, and that are no tags of the other one's lists. */
function alone({ mark, cells }: Cut, other: Cut): number {
  const own = cells.filter(({ text }) => !isBetween(text, other.mark) && !other.listed.has(folded(text)));
  if (own.length >= (cells.length + other.cells.length) * OFTEN) return own.length;
  const isKnown = (text: string) => {
    const pieces = piecesOf(text, mark);
    return pieces.filter((piece) => other.known.has(folded(piece))).length >= pieces.length * KNOWN_WORDS;
  };
  return own.filter(({ text }) => isKnown(text)).length;
}

/** A cell that the rival cuts and the best mark does not. */
function exampleOf(cells: MarkedCell[], mark: string, rival: string): MarkedCell {
  return cells.find(({ text }) => isBetween(text, rival) && !isBetween(text, mark)) ?? cells[0]!;
}

function evidenceOf({ cells: found }: Cut, cells: MarkedCell[]): string {
  return `it stands in ${found.length} of ${counted(cells.length, 'filled cell')}`;
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
