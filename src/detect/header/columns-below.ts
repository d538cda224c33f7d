import { unicodePattern } from '../../unicode-pattern.ts';
import { cellKind, type CellKind } from '../table/cells.ts';
import type { Row } from '../table/table.ts';

/** What the cells of one column have in common where the table is surely under way. */
type ColumnBelow = {
  /** Most cells are numbers, dates or codes; `numbers` and `dates`: most are these. */
  isTyped: boolean;
  isNumbers: boolean;
  isDates: boolean;
  /** Few are years. */
  lacksYears: boolean;
  values: Set<string>;
  /** At least half of the rows fill it. */
  isMain: boolean;
  /** Its cells are such as no header has. */
  isOdd: boolean;
};

/** In how many cells a row looks like the columns below it, and in how many it cannot belong to them. */
export type Likeness = {
  alike: number;
  unlike: number;
  /** Cells that neither a header nor these columns have: labels with a colon, dates, links, whole sentences. */
  odd: number;
};

/** This share of a column's cells gives it its kind: a list has a few odd cells, and its first rows may be no data. */
const MOST = 0.75;
/** A sign that is right more often than not, beside one that nearly always is. */
const HINT = 0.5;
const LONG_CELL = 60;
const ODD = unicodePattern(
  String.raw`:$|^\p{L}+\.?:|@|https?:|www\.|^\+\d[\d ()-]{8,}$|^\W*\d{1,2}[.\/]\d{1,2}[.\/]\d{2,4}|^\d{4}-\d\d-\d\d`,
  'iu',
);
const LETTER_FIRST = unicodePattern(String.raw`^\p{L}`, 'u');
const WORD_AND_BLANK = unicodePattern(String.raw`\p{L}{3}[^\p{L}\d]*\s`, 'u');
const YEAR = /^(?:19[5-9]|20[0-4])\d$/;

/** Describes the columns of rows that belong to the table, so that rows above can be compared with them. Pure. */
export function columnsBelow(rows: Row[]): ColumnBelow[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, column) => describe(rows.map(({ cells }) => cells[column]?.text ?? '')));
}

function describe(texts: string[]): ColumnBelow {
  const cells = texts
    .map((text) => ({ text: text.trim(), kind: cellKind(text) }))
    .filter(({ kind }) => kind !== 'empty');
  const isMost = (matches: (kind: CellKind, text: string) => boolean) =>
    cells.length > 0 && cells.filter(({ kind, text }) => matches(kind, text)).length >= cells.length * MOST;
  const values = new Set(cells.map(({ text }) => text));
  return {
    isTyped: isMost(isTyped),
    isNumbers: isMost((kind) => kind === 'number'),
    isDates: isMost((kind) => kind === 'date'),
    lacksYears: isMost((_, text) => !YEAR.test(text)),
    values,
    isMain: cells.length > 0 && cells.length * 2 >= texts.length,
    isOdd: cells.filter(({ text }) => isOdd(text)).length * 2 > cells.length,
  };
}

function isTyped(kind: CellKind): boolean {
  return kind === 'number' || kind === 'date' || kind === 'code';
}

/** Whether a cell is such as no header has: a label with a colon, a date, a link, a whole sentence. */
export function isOdd(cell: string): boolean {
  return cell.length > LONG_CELL || ODD(cell).test(cell);
}

/** Compares a row with the columns below it, cell by cell. Empty cells say nothing. Pure. */
export function likenessOf({ cells }: Row, columns: ColumnBelow[]): Likeness {
  const likeness: Likeness = { alike: 0, unlike: 0, odd: 0 };
  for (const [at, { text }] of cells.entries()) {
    const column = columns[at];
    const cell = text.trim();
    if (isOdd(cell) && column?.isOdd !== true) likeness.odd += 1;
    if (column === undefined || column.values.size === 0 || cell === '') continue;
    const sign = column.isTyped ? typedSign(cell, column) : Number(column.values.has(cell));
    if (sign > 0) likeness.alike += sign;
    else likeness.unlike -= sign;
  }
  return likeness;
}

/** Positive: the cell belongs to a column of numbers, dates or codes. */
function typedSign(cell: string, column: ColumnBelow): number {
  const kind = cellKind(cell);
  if (kind === 'empty') return 0;
  if (!isTyped(kind)) return column.values.has(cell) ? HINT : -1;
  if (column.isNumbers && YEAR.test(cell) && column.lacksYears) return -HINT;
  // `Price 2` and `500 g` are written like codes.
  if (column.isNumbers && kind === 'code') return LETTER_FIRST(cell).test(cell) ? -HINT : 0;
  if (column.isDates !== (kind === 'date')) return column.isDates || column.isNumbers ? -1 : -HINT;
  // The words of a name with a digit among them stand above codes, too.
  return kind === 'code' && WORD_AND_BLANK(cell).test(cell) ? 0 : 1;
}
