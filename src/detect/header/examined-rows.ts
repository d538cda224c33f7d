import { isNumbering } from '../../columns/numbering.ts';
import { isBlank } from '../table/dialect.ts';
import type { Row } from '../table/table.ts';
import { columnsBelow, isOdd, likenessOf, type Likeness } from './columns-below.ts';
import { knowledgeOf, type Knowledge } from './known-cells.ts';
import { namingRows } from './naming-rows.ts';
import type { KnownNames } from '../table/header-names.ts';

/** A row among the first of a file, with what speaks for and against its being a header. */
export type ExaminedRow = Likeness & {
  row: Row;
  cells: string[];
  /** How many cells are not empty. */
  filled: number;
  /** About as many cells are filled as in a row of the table, and the same ones. */
  isFull: boolean;
  /** Cells that are known names, as a whole and by a word. */
  known: string[];
  whole: number;
  words: number;
  /** It names columns, whatever its other cells are. */
  isNaming: boolean;
  /** It names all columns that are needed, exactly as the settings do. */
  isComplete: boolean;
  /** `1;2;3;4`: the columns are numbered. */
  isNumbering: boolean;
};

/** Company name, address, date, currency, an empty line: more rows than this are no introduction. */
const MOST_ROWS_ABOVE = 60;
/** Columns are described by this many rows; where there are more, those in the middle of the first ones. */
const DESCRIBING_ROWS = 100;
const FULL_SHARE = 0.5;
const LEAST_NAMES = 2;
const COVERED_SHARE = 0.6;

/** Looks at the first rows of a file: which are like the table below them, which have names. Pure. */
export function examineRows(all: Row[], width: number, names: KnownNames): ExaminedRow[] {
  const rows = all.filter((row) => !isBlank(row));
  const sentences = new Set(sentencesAmong(rows));
  const knowledge = rememberingKnowledge(names);
  const naming = namingRows(rows.slice(0, MOST_ROWS_ABOVE), knowledge, names);
  const full = fullRows(rows, width, naming);
  const start = startOfBody(full, knowledge);
  const above = new Set(full.slice(0, start).map(keyOf));
  const body = full.slice(start, start + DESCRIBING_ROWS);
  const others = body.filter((row) => !above.has(keyOf(row)));
  const columns = columnsBelow(others.length > 0 ? others : body);
  const main = [...columns.keys()].filter((at) => columns[at]!.isMain);
  const isFull = new Set(full);
  return rows.slice(0, MOST_ROWS_ABOVE).map((row) => {
    const cells = row.cells.map(({ text }) => text.trim());
    const filled = cells.filter((cell) => cell !== '');
    const likeness = likenessOf(row, columns);
    // A row that names columns does so however its other cells look.
    const isNaming = naming.has(row);
    const known = filled.map((cell) => (isOdd(cell) && !isNaming ? 'none' : knowledge(cell)));
    const whole = new Set(filled.filter((_, at) => known[at] === 'whole').map((cell) => cell.toLowerCase())).size;
    const words = known.filter((one) => one === 'words').length;
    const isSentence = sentences.has(row) && whole < LEAST_NAMES;
    // Where rows go on beyond the header, nothing but names is one nevertheless.
    const isAllNames = whole >= LEAST_NAMES && whole + words === filled.length;
    const isCovering = isNaming || isAllNames || main.filter((at) => cells[at]).length >= main.length * COVERED_SHARE;
    return {
      alike: likeness.alike,
      unlike: likeness.unlike,
      odd: isNaming ? 0 : likeness.odd,
      row,
      cells,
      filled: filled.length,
      isFull: isFull.has(row) && !isSentence && isCovering,
      known: filled.filter((_, at) => known[at] !== 'none'),
      whole,
      words,
      isNaming,
      isComplete: isNaming && names.isComplete(cells),
      isNumbering: isNumbering(cells),
    };
  });
}

/** Spreadsheets pad every line with delimiters: how many cells are filled tells a row of the table from a line above it. */
function fullRows(rows: Row[], width: number, naming: Set<Row>): Row[] {
  const least = Math.min(2, width);
  // A header may have more names than the rows have values, or fewer.
  const others = rows.length > naming.size ? rows.filter((row) => !naming.has(row)) : rows;
  const counts = others.map(filledCells).filter((count) => count >= least);
  const usual = counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)] ?? least;
  return rows.filter((row) => naming.has(row) || filledCells(row) >= Math.max(least, usual * FULL_SHARE));
}

/** What is known of the cells of a file's first rows: each is looked at twice, and many repeat. */
function rememberingKnowledge(names: KnownNames): (cell: string) => Knowledge {
  const known = new Map<string, Knowledge>();
  return (cell) => {
    const knowledge = known.get(cell) ?? knowledgeOf(cell, names);
    known.set(cell, knowledge);
    return knowledge;
  };
}

/** From the middle on the rows are surely data, or from below the names in a file of few rows. */
function startOfBody(full: Row[], knowledge: (cell: string) => Knowledge): number {
  const middle = Math.min(Math.floor(full.length / 2), MOST_ROWS_ABOVE);
  const known = full
    .slice(0, MOST_ROWS_ABOVE)
    .map(({ cells }) => cells.filter(({ text }) => knowledge(text) === 'whole').length);
  const most = Math.max(...known);
  const header = most < LEAST_NAMES ? -1 : known.indexOf(most);
  return header + 1 < full.length ? Math.max(middle, header + 1) : middle;
}

function filledCells({ cells }: Row): number {
  return cells.filter(({ text }) => text.trim() !== '').length;
}

/** A line above the header may have as many commas as a row has cells: blanks follow them, as nowhere in the table. */
function sentencesAmong(rows: Row[]): Row[] {
  const spaced = rows.filter(isSpaced);
  return spaced.length * 2 < rows.length ? spaced : [];
}

function isSpaced({ cells }: Row): boolean {
  return cells.length > 1 && cells.slice(1).every(({ text, quoted }) => !quoted && /^ \S/.test(text));
}

/** A header that is repeated on each page must not describe its own columns. */
function keyOf({ cells }: Row): string {
  return JSON.stringify(cells.map(({ text }) => text.trim()));
}
