import { cellKind, type CellKind } from './cells.ts';
import { cutTable, type Layout, type Row, type Table } from './table.ts';

/** A delimiter and a quote with how well they make a table of the text. */
export type Fit = {
  layout: Layout;
  table: Table;
  /** The number of cells that most rows have. */
  width: number;
  /** The share of the rows that have it; empty lines do not count. */
  regular: number;
  /** 0 to about 1: the share of rows of that width, how plain the cells are, how many there are. */
  score: number;
};

const DELIMITERS = [';', '\t', ',', '|'];
/** In the order of preference among equals. */
const QUOTES: [quote: string | null, escape: string | null][] = [
  ['"', '"'],
  ['"', '\\'],
  [null, null],
  ["'", "'"],
  ["'", '\\'],
];
const MAX_ROWS = 400;

/** A header is cut by the delimiter like any row, unless lines stand above it. */
const IRREGULAR_START = 0.9;

/** How readily each kind of cell appears in a table that was cut at the right places. */
const PLAINNESS: Record<CellKind, number> = {
  number: 1,
  date: 1,
  empty: 0.9,
  code: 0.95,
  word: 0.9,
  list: 0.6,
  text: 0.7,
  strange: 0.2,
};

/** All ways to cut a text, the best first. Pure; `delimiter` restricts the choice. */
export function rankLayouts(text: string, delimiter?: string): Fit[] {
  const delimiters = delimiter === undefined ? DELIMITERS : [delimiter];
  const layouts = delimiters.flatMap((delimiter) => QUOTES.map(([quote, escape]) => ({ delimiter, quote, escape })));
  return layouts
    .filter((layout) => occurs(text, layout))
    .map((layout) => fitOf(cutTable(text, layout, MAX_ROWS), layout))
    .filter(({ layout, table }) => layout.quote === null || isQuoting(table, layout.quote))
    .sort((a, b) => b.score - a.score);
}

function occurs(text: string, { delimiter, quote, escape }: Layout): boolean {
  if (delimiter !== null && !text.includes(delimiter)) return false;
  if (quote !== null && !text.includes(quote)) return false;
  return escape !== '\\' || text.includes(`\\${quote}`);
}

function fitOf(table: Table, layout: Layout): Fit {
  const rows = table.rows.filter((row) => !isBlank(row));
  const width = modalWidth(rows);
  const regular = rows.filter((row) => row.cells.length === width);
  const share = regular.length / Math.max(rows.length, 1);
  const size = 1 - 1 / (filledColumns(regular, width) + 1);
  const start = rows[0]?.cells.length === width ? 1 : IRREGULAR_START;
  const score = width < 2 ? 0 : share ** 2 * plainness(regular) * size * start * quoteCredit(table);
  return { layout, table, width, regular: share, score };
}

/** An apostrophe is a quote only when it is used as one in most rows; the usual quote needs one proper use. */
function isQuoting({ rows, quoted, broken }: Table, quote: string): boolean {
  return quote === '"' ? quoted > 0 : quoted >= 2 && quoted * 2 >= rows.length && broken * 4 <= quoted;
}

/** A delimiter at every line end makes an empty column, which is no evidence. */
function filledColumns(rows: Row[], width: number): number {
  const isFilled = (column: number) => rows.some((row) => row.cells[column]!.text.trim() !== '');
  return Array.from({ length: width }, (_, column) => column).filter(isFilled).length;
}

export function isBlank(row: Row): boolean {
  return row.cells.every((cell) => cell.text.trim() === '');
}

function modalWidth(rows: Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]?.[0] ?? 0;
}

function plainness(rows: Row[]): number {
  let sum = 0;
  let cells = 0;
  for (const row of rows) {
    for (const cell of row.cells) {
      sum += cell.quoted ? 1 : PLAINNESS[cellKind(cell.text)];
      cells += 1;
    }
  }
  return sum / Math.max(cells, 1);
}

/** Quotes that open and never close, or stand inside a cell without an escape, are no quotes or escaped otherwise. */
function quoteCredit({ quoted, broken, stray }: Table): number {
  return (quoted + 1) / (quoted + broken + stray + 1);
}
