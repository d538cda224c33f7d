import type { CellMarks } from '../../model.ts';
import {
  BLANK,
  cutNumbers,
  hasNoMark,
  NUMBER_MARKS,
  numberShape,
  RARE_NUMBER_MARKS,
  severalNumbers,
  tellingCharacter,
} from '../../parts/several-numbers.ts';
import { counted } from '../../wording/words.ts';
import { piecesOf, type MarkedCell } from './pieces.ts';

type NumberMarks = NonNullable<CellMarks['numbers']>;

/** The share of cells with a mark which it must part into whole numbers; where it parts fewer, it is part of how the maker numbers. */
const MOST = 0.8;
/** A suffix (`/A`) or a group in front (`331/24987`) is the same again and again; other numbers are others in each row. */
const LEAST_DISTINCT = 0.5;
const FEW = 6;
/** Where more cells than this have a mark that does not part them, it is how the maker numbers. */
const RARE = 0.01;
/** Fewer cells with several numbers are left out one by one; for more of them the file is held. */
const LEAST_SHARE = 0.005;
/** So many cells of one number show what numbers look like. */
const PLAIN_SHARE = 0.5;
/** Of rare marks fewer have to be without, or with them. */
const SOME = 0.3;
const MOST_SHAPES = 200;
/** More cells hardly show another shape. */
const MOST_PLAIN = 1_500;

/** Judges the cells of a column of numbers. Pure. */
export function findNumberMarks(all: MarkedCell[]): NumberMarks {
  const column = marksOf(all.filter(({ text }) => text !== ''));
  const { cells, withMarks, present } = column;
  const shapes = shapesOf(column, NUMBER_MARKS, PLAIN_SHARE);
  const known = shapes === null ? null : new Set(shapes);
  const ways = [{ marks: NUMBER_MARKS, shapes: known }, ...rareWays(column)];
  const used = ways.map((way) => ({ ...way, marks: present(way.marks) })).filter(({ marks }) => marks.length > 0);
  const several = (used.length === 0 ? [] : withMarks).flatMap((cell) => {
    for (const way of used) {
      const found = severalNumbers(cell.text, way.marks, way.shapes);
      if (found !== null) return [{ cell, ...found }];
    }
    return [];
  });
  const watched: string[] = [];
  const separators: string[] = [];
  for (const mark of ways.flatMap(({ marks }) => marks)) {
    const isPresent = present([mark]).length > 0;
    const marked = isPresent ? withMarks.filter(({ text }) => isMarked(text, mark)).length : 0;
    const parted = several.filter(({ marks }) => marks.includes(mark));
    const areVaried = parted.length > 0 && vary(parted.map(({ pieces }) => pieces));
    const isSeparator = areVaried && parted.length >= marked * MOST;
    if (isSeparator) separators.push(mark);
    // One damaged cell, such as `100,001`, says nothing of how the maker numbers.
    const isBetween = mark !== '/' && areVaried;
    const unparted = marked - (isSeparator || isBetween ? parted.length : 0);
    const isRare = unparted <= Math.max(cells.length * RARE, isBetween ? 1 : 0);
    if (isRare && tellingCharacter(mark) !== null) watched.push(mark);
  }
  const found = several.filter(({ marks }) => marks.every((mark) => separators.includes(mark)));
  const pieces = found.flatMap((one) => one.pieces);
  for (const mark of NUMBER_MARKS)
    if (!separators.includes(mark) && partsAgain(pieces, mark, known)) separators.push(mark);
  const isHeld = found.length > 0 && found.length >= cells.length * LEAST_SHARE;
  const evidence = `${found.length} of ${counted(cells.length, 'cell')} have several whole numbers`;
  return {
    separators: isHeld ? separators : [],
    example: isHeld ? found[0]!.cell : null,
    evidence: isHeld ? evidence : '',
    watched,
    shapes,
  };
}

/** The cells of a column, those that may have a mark, and which of some marks stand in any of them: of so many marks few do. */
type MarkedColumn = {
  cells: MarkedCell[];
  withMarks: MarkedCell[];
  present: (marks: string[]) => string[];
  plain: Map<string, { count: number; shapes: string[] }>;
};

function marksOf(cells: MarkedCell[]): MarkedColumn {
  const withMarks = cells.filter(({ text }) => !hasNoMark(text));
  const joined = withMarks.map(({ text }) => text).join('\0');
  const known = new Map<string, boolean>();
  const isPresent = (mark: string) => {
    const found = known.get(mark) ?? joined.includes(mark);
    known.set(mark, found);
    return found;
  };
  return { cells, withMarks, present: (marks) => marks.filter(isPresent), plain: new Map() };
}

function isMarked(text: string, mark: string): boolean {
  return text.includes(mark) && piecesOf(text, mark).length > 1;
}

/** Rare marks, where enough cells have none of them to show what the numbers of the column look like. */
function rareWays(column: MarkedColumn): { marks: string[]; shapes: ReadonlySet<string> }[] {
  const before = [...NUMBER_MARKS, ...RARE_NUMBER_MARKS];
  return [RARE_NUMBER_MARKS, [BLANK]].flatMap((marks) => {
    const shapes = shapesOf(column, [...before, ...marks], SOME);
    if (shapes !== null) return [{ marks, shapes: new Set(shapes) }];
    return marks.filter((mark) => mark !== BLANK).flatMap((mark) => partedOnBothSides(mark, column));
  });
}

/**
 * A mark that most cells have, so that too few show a number alone: then the first of their pieces and the last look like each other, as
 * numbers do, and no suffix does.
 */
function partedOnBothSides(
  mark: string,
  { cells, present }: MarkedColumn,
): { marks: string[]; shapes: ReadonlySet<string> }[] {
  if (present([mark]).length === 0) return [];
  const marked = cells.map(({ text }) => cutNumbers(text, [mark])).filter((pieces) => pieces.length > 1);
  if (marked.length < cells.length * SOME) return [];
  const last = new Set(marked.map((pieces) => numberShape(pieces.at(-1)!)));
  const both = marked.map((pieces) => numberShape(pieces[0]!)).filter((shape) => last.has(shape));
  return [{ marks: [mark], shapes: new Set(both) }];
}

/** What the numbers of cells without these marks look like, the most frequent first; null where too few are. */
function shapesOf(column: MarkedColumn, marks: string[], share: number): string[] | null {
  const present = column.present(marks);
  const name = present.join('\0');
  const found = column.plain.get(name) ?? plainShapes(column.cells, present);
  column.plain.set(name, found);
  return found.count < column.cells.length * share ? null : found.shapes;
}

/** How many cells have none of these marks, and what the numbers of these look like. */
function plainShapes(cells: MarkedCell[], marks: string[]): { count: number; shapes: string[] } {
  const plain = cells.filter(({ text }) => marks.every((mark) => !text.includes(mark)));
  const shapes = new Map<string, number>();
  for (const { text } of plain.slice(0, MOST_PLAIN)) {
    const shape = numberShape(text);
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const ranked = [...shapes].sort(([, a], [, b]) => b - a).slice(0, MOST_SHAPES);
  return { count: plain.length, shapes: ranked.map(([shape]) => shape) };
}

/** Whether a mark parts the numbers that another one has parted: `A00037,B00091/C00007`. */
function partsAgain(pieces: string[], mark: string, known: ReadonlySet<string> | null): boolean {
  const marked = pieces.filter((piece) => piece.includes(mark));
  const parted = marked.flatMap((piece) => severalNumbers(piece, [mark], known) ?? []);
  return parted.length > 0 && parted.length >= marked.length * MOST && vary(parted.map((one) => one.pieces));
}

/** Whether the first and the last numbers are other ones in most cells. */
function vary(cells: string[][]): boolean {
  if (cells.length < FEW) return true;
  const distinct = new Set(cells.map((pieces) => pieces.join('\n'))).size;
  return [0, -1].every((at) => new Set(cells.map((pieces) => pieces.at(at))).size >= distinct * LEAST_DISTINCT);
}
