import { setImmediate } from 'node:timers/promises';
import { cellKind, type CellKind } from './cells.ts';
import { foldName, type HeaderNames } from './header-names.ts';
import { cutTable, type Layout, type Row, type Table } from './table.ts';

/** A delimiter and a quote with how well they make a table of the text. */
export type Fit = {
  layout: Layout;
  table: Table;
  /** The number of cells that most rows have. */
  width: number;
  /** The share of the rows that have it; empty lines do not count. */
  regular: number;
  /** How plain the cells of all rows are, whatever their width: 0.2 to 1. */
  plain: number;
  /** 0 to about 1.3: the share of rows of that width, how plain the cells are, how many there are, a known header. */
  score: number;
};

const DELIMITERS = [';', '\t', ',', '|', '^', '~'];
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

/** A row of header names that the trade or the configuration knows says how its cells are cut. */
const KNOWN_HEADER = 1.3;
const LEAST_KNOWN = 2;
const HEADER_WITHIN = 40;

/** Programs leave out empty cells at the end of a row: such a row is less of an objection than one that is too long. */
const SHORT_ROW = 0.5;

/** Rows between headings make a table when there are enough of them and nearly all have the same width. */
const LEAST_BELOW_HEADINGS = 10;
const REGULAR_BELOW_HEADINGS = 0.95;
const LEAST_SHARE_BELOW_HEADINGS = 0.25;
/** Before a blank a delimiter is the punctuation of a text. */
const CUT_OTHERWISE = /[;\t,|](?! |$)/u;

/** Commas are part of numbers and texts more often than the others are. */
const COMMA = 0.95;

/** Hardly a program cuts rows at these, and they stand in texts. */
const RARE = new Set<string | null>(['^', '~']);
const RARE_CREDIT = 0.7;

/** With apostrophes as quotes, this share of the rows must have the same number of cells. */
const REGULAR_BY_APOSTROPHE = 0.6;

/** How readily each kind of cell appears in a table that was cut at the right places. */
const PLAINNESS: Record<CellKind, number> = {
  number: 1,
  date: 1,
  empty: 0.9,
  code: 0.95,
  word: 0.9,
  list: 0.6,
  text: 0.7,
  malformed: 0.2,
};

/** All ways to cut a text, the best first. Pure; `delimiter` restricts the choice. Yields to the event loop. */
export async function rankLayouts(text: string, names: HeaderNames, delimiter?: string): Promise<Fit[]> {
  const delimiters = delimiter === undefined ? DELIMITERS : [delimiter];
  const kindOf = rememberingKinds();
  const layouts = delimiters.flatMap((delimiter) => QUOTES.map(([quote, escape]) => ({ delimiter, quote, escape })));
  const fits: Fit[] = [];
  for (const layout of layouts.filter((layout) => occurs(text, layout))) {
    if (layout.quote === null && fits.some((fit) => fit.layout.delimiter === layout.delimiter && isFlawless(fit)))
      continue;
    const fit = fitOf(cutTable(text, layout, MAX_ROWS), layout, { names, kindOf });
    if (layout.quote === null || isQuoting(fit, layout.quote)) fits.push(fit);
    await setImmediate();
  }
  const quoting = fits.filter((fit) => !fits.some((other) => isTextIn(fit, other)));
  return quoting.sort((a, b) => b.score - a.score);
}

function occurs(text: string, { delimiter, quote, escape }: Layout): boolean {
  if (delimiter !== null && !text.includes(delimiter)) return false;
  if (quote !== null && !text.includes(quote)) return false;
  return escape !== '\\' || text.includes(`\\${quote}`);
}

type Known = { names: HeaderNames; kindOf: (text: string) => CellKind };

/** Most cells are the same in most layouts, or are parts of cells that were not cut. */
function rememberingKinds(): Known['kindOf'] {
  const kinds = new Map<string, CellKind>();
  const kindOf = (text: string): CellKind => {
    const known = kinds.get(text);
    if (known !== undefined) return known;
    const kind = cellKind(text, kindOf);
    kinds.set(text, kind);
    return kind;
  };
  return kindOf;
}

function fitOf(table: Table, layout: Layout, { names, kindOf }: Known): Fit {
  const rows = withoutHeadings(table.rows.filter((row) => !isBlank(row)));
  const width = modalWidth(rows);
  const regular = rows.filter((row) => row.cells.length === width);
  const share = regular.length / Math.max(rows.length, 1);
  const short = rows.filter(({ cells }) => cells.length > 1 && cells.length < width).length / Math.max(rows.length, 1);
  const size = 1 - 1 / (filledColumns(regular, width) + 1);
  const start = rows[0]?.cells.length === width ? 1 : IRREGULAR_START;
  const header = hasKnownHeader(rows, width, names) ? KNOWN_HEADER : 1;
  const usual = RARE.has(layout.delimiter) ? RARE_CREDIT : layout.delimiter === ',' ? COMMA : 1;
  const score =
    width < 2
      ? 0
      : (share + short * SHORT_ROW) ** 2 *
        plainness(regular, kindOf) *
        size *
        start *
        header *
        usual *
        quoteCredit(table);
  return { layout, table, width, regular: share, plain: plainness(rows, kindOf), score };
}

/**
 * Of an outline or a list of groups headings are lone cells between rows that all have one width: they say nothing of it. Where
 * another delimiter cuts one of them, they are rather rows of its table.
 */
function withoutHeadings(rows: Row[]): Row[] {
  if (rows.some(({ cells }) => cells.length === 1 && CUT_OTHERWISE.test(cells[0]!.text))) return rows;
  const cut = rows.filter(({ cells }) => cells.length > 1);
  const width = modalWidth(cut);
  const regular = cut.filter(({ cells }) => cells.length === width).length;
  const isTable = width > 2 && cut.length >= LEAST_BELOW_HEADINGS && regular >= cut.length * REGULAR_BELOW_HEADINGS;
  return isTable && cut.length >= rows.length * LEAST_SHARE_BELOW_HEADINGS ? cut : rows;
}

/**
 * The usual quote needs one proper use. An apostrophe is common in names: it must enclose most cells, or make a regular
 * table and either enclose cells in most rows or enclose only cells that need a quote.
 */
function isQuoting(fit: Fit, quote: string): boolean {
  const { quoted, needed, broken, stray } = fit.table;
  if (quote === '"') return quoted > 0;
  if (quoted === 0 || broken * 4 > quoted) return false;
  return isHabit(fit) || (fit.regular >= REGULAR_BY_APOSTROPHE && stray === 0 && needed >= quoted * 0.9);
}

/** Whether a quote encloses most cells, or cells in most rows of a regular table. */
function isHabit({ table: { rows, quoted }, regular }: Fit): boolean {
  if (quoted < 2) return false;
  const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
  return quoted * 2 >= cells || (regular >= REGULAR_BY_APOSTROPHE && quoted * 2 >= rows.length);
}

/**
 * Whether the quotes of a fit are rather text, since a fit without them makes as good a table: ditto marks (`"` in place of a
 * repeated value), or apostrophes of which one begins a cell and another ends one further down. As quotes they join rows.
 */
function isTextIn(fit: Fit, other: Fit): boolean {
  const { layout, table } = fit;
  const { quote, delimiter } = layout;
  if (quote === null || other.layout.quote === quote || other.layout.delimiter !== delimiter) return false;
  if (other.width < fit.width || regularShare(other) < regularShare(fit) || other.layout.quote === "'") return false;
  if (table.alone > 0 && table.alone * 2 >= table.quoted) return true;
  return quote === "'" && !isHabit(fit) && !holdsQuote(table, quote);
}

/** The share of the rows of the usual width, where what seems to be a heading may be part of a quoted cell. */
function regularShare({ table, width }: Fit): number {
  const rows = table.rows.filter((row) => !isBlank(row));
  return rows.filter(({ cells }) => cells.length === width).length / Math.max(rows.length, 1);
}

function holdsQuote({ rows }: Table, quote: string): boolean {
  return rows.some(({ cells }) => cells.some(({ text, quoted }) => quoted && text.includes(quote)));
}

/** Where every quote that opens a cell also ends one, nothing is gained by taking quotes for text. */
function isFlawless({ table: { broken, stray, alone } }: Fit): boolean {
  return broken === 0 && stray === 0 && alone === 0;
}

function hasKnownHeader(rows: Row[], width: number, names: HeaderNames): boolean {
  return rows.slice(0, HEADER_WITHIN).some(({ cells }) => {
    return cells.length >= width && cells.filter((cell) => names.has(foldName(cell.text))).length >= LEAST_KNOWN;
  });
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

function plainness(rows: Row[], kindOf: Known['kindOf']): number {
  let sum = 0;
  let cells = 0;
  for (const row of rows) {
    for (const cell of row.cells) {
      sum += cell.quoted ? 1 : PLAINNESS[kindOf(cell.text)];
      cells += 1;
    }
  }
  return sum / Math.max(cells, 1);
}

/** Quotes that open and never close, or stand inside a cell without an escape, are no quotes or escaped otherwise. */
function quoteCredit({ quoted, broken, stray }: Table): number {
  return (quoted + 1) / (quoted + broken + stray + 1);
}
