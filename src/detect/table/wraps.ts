import { createUnwrap, leadOf, textAlone, withoutLead, withoutPair, type Unwrap } from '../../columns/unwrap.ts';
import type { ColumnWrap, Wraps } from '../../model.ts';
import { counted } from '../../wording/words.ts';
import type { Table } from './table.ts';

/** Quotes and brackets in the order in which they are tried. */
const PAIRS: [open: string, close: string][] = [
  ['«', '»'],
  ['»', '«'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['”', '”'],
  ['‘', '’'],
  ['‚', '‘'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
  ['<', '>'],
  ['""', '""'],
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['**', '**'],
  ['*', '*'],
  ['´', '´'],
];
/** Quotes are no part of a value that they stand around, also where other values of the column have none. */
const QUOTES = PAIRS.filter(([open]) => /[«»“„"]/.test(open));
/** Some programs write these in place of an apostrophe, some an equals sign. */
const LEADS = ["'", '’', '‘', '‛', '´', '`', '='];
/** A cell of a spreadsheet, which a formula refers to. */
const REFERENCE = /^=\$?[a-z]{1,3}\$?\d{1,7}$/i;
const NO_FORMULA = /^=[\p{L}\p{N}][\p{L}\p{N} ./-]*$/u;
/** So many values stand between quotes while others do not. */
const LEAST_QUOTED = 2;

/** So many cells of a column have a pair around them, and begin with an apostrophe. */
const LEAST_IN_PAIRS = 3;
const LEAST_APOSTROPHES = 2;
const APOSTROPHES = 0.9;
/** Rows with fewer filled cells than this share of the usual are totals and headings. */
const FULL = 0.5;
/** So few numbers are of an export only where they are long. */
const FEW_NUMBERS = 10;
const LONG_NUMBER = /^\d{4}/;
const SHORT_NUMBER = /^\d{1,2}[.,]/;
const NUMBER = /^\d+(?:[.,]\d+)?$/;
const WHOLE = /^\d+$/;
/** This share of the numbers has the decimals. */
const DECIMALS_BEHIND = 0.9;
const DECIMALS = ['.0', ',0', '.00', ',00'];

/** What the cells of a table have in common, from 1 on by their columns. */
const NONE: Wraps = { backslashes: false, columns: [] };

/** A table without formulas that only said which text a cell has, and without the markup of web pages. */
export function withoutFormulas(table: Table): Table {
  return withCells(table, textAlone);
}

/** A table without the pairs that stand around each cell of a column, its header with it. */
export function withoutCommonPairs(table: Table): Table {
  const rows = table.rows.map(({ cells }) => cells.map(({ text }) => text));
  const pairs = columnsOf(rows).map((cells) => pairAround(cells, LEAST_IN_PAIRS));
  if (pairs.every((pair) => pair === null)) return table;
  return withCells(table, (cell, column) => {
    const pair = pairs[column] ?? null;
    return pair === null ? cell : (withoutPair(cell, pair) ?? cell);
  });
}

function withCells(table: Table, change: (cell: string, column: number) => string): Table {
  const rows = table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, column) => {
      const text = change(cell.text, column);
      return text === cell.text ? cell : { ...cell, text };
    }),
  }));
  return { ...table, rows };
}

/**
 * Judges what programs have written around the values of a table, by rows from its beginning and from further down: backslashes by
 * all cells, the rest by columns. Pure.
 */
export function findWraps(rows: string[][]): Wraps {
  const backslashes = areBackslashed(rows);
  const known = rows.map((row) => unwrapRow(row, { ...NONE, backslashes }));
  const columns = columnsOf(fullRows(known));
  const areAllInPairs = columns.every((cells) => cells.length === 0 || pairAround(cells, 1) !== null);
  const found = columns.map((cells, at): ColumnWrap => {
    const marked = cells.filter((cell) => !PLAIN_BEGINNING.test(cell));
    const pair = pairAround(cells, areAllInPairs ? 1 : LEAST_IN_PAIRS) ?? quotesAroundSome(marked);
    const inside = pair === null ? marked : cells.map((cell) => withoutPair(cell, pair) ?? cell);
    const lead = commonLead(inside, cells.length);
    const isPlain = lead === "'";
    return {
      position: at + 1,
      apostrophe: isPlain,
      lead: isPlain ? undefined : (lead ?? undefined),
      pair,
      decimals: null,
    };
  });
  return { backslashes, columns: found.filter((wrap) => leadOf(wrap) !== null || wrap.pair !== null) };
}

/** The decimals that stand behind each number of a column of article numbers, and say nothing; null when they do not. Pure. */
export function commonDecimals(cells: string[]): string | null {
  if (!cells.some((cell) => cell.includes('.') || cell.includes(','))) return null;
  const numbers = cells.map((cell) => cell.trim()).filter((cell) => NUMBER.test(cell));
  const decimals = DECIMALS.find((end) => areBehindAll(numbers, end));
  if (decimals === undefined || numbers.length < 2) return null;
  if (numbers.every((number) => SHORT_NUMBER.test(number))) return null;
  return numbers.length >= FEW_NUMBERS || numbers.some((number) => LONG_NUMBER.test(number)) ? decimals : null;
}

/** Whether decimals stand behind all numbers, or behind nearly all of many where the others have none: rows that were added by hand. */
function areBehindAll(numbers: string[], decimals: string): boolean {
  const others = numbers.filter((number) => !number.endsWith(decimals));
  if (others.length === 0) return true;
  return (
    numbers.length >= FEW_NUMBERS &&
    numbers.length - others.length >= numbers.length * DECIMALS_BEHIND &&
    others.every((number) => WHOLE.test(number))
  );
}

/** The wraps of a table with those of one of its columns. */
export function withDecimals({ backslashes, columns }: Wraps, position: number, decimals: string): Wraps {
  const plain: ColumnWrap = { position, apostrophe: false, pair: null, decimals: null };
  const column = columns.find((one) => one.position === position) ?? plain;
  return { backslashes, columns: [...columns.filter((one) => one !== column), { ...column, decimals }] };
}

/** A row without what stands around its cells. */
export function unwrapRow(row: string[], wraps: Wraps): string[] {
  if (!wraps.backslashes && wraps.columns.length === 0) return row.map(textAlone);
  return row.map((cell, column) => unwrapOf(wraps, column)(cell)?.text ?? cell);
}

const unwraps = new WeakMap<Wraps, Map<number, Unwrap>>();

function unwrapOf(wraps: Wraps, column: number): Unwrap {
  const known = unwraps.get(wraps) ?? new Map<number, Unwrap>();
  unwraps.set(wraps, known);
  const unwrap = known.get(column) ?? createUnwrap(wraps, column);
  known.set(column, unwrap);
  return unwrap;
}

/** The names of a header without the pairs around all of them, or around the cells below. */
export function unwrapHeader(header: string[], wraps: Wraps): string[] {
  const names = unwrapRow(header, wraps);
  const pair = pairAround(
    names.filter((name) => name.trim() !== ''),
    2,
  );
  return pair === null ? names : names.map((name) => withoutPair(name, pair) ?? name);
}

/** What is written around values, in sentences. */
export function wrapEvidence({ backslashes, columns }: Wraps): string[] {
  const evidence = backslashes
    ? ['Backslashes stand before characters, as databases write them: \\N is no value.']
    : [];
  const pairs = Map.groupBy(columns, ({ pair }) => pair?.join(' … ') ?? null);
  for (const [pair, found] of pairs) {
    if (pair !== null) evidence.push(`${pair} stands around the values of ${counted(found.length, 'column')}.`);
  }
  for (const { position, apostrophe, lead, decimals } of columns) {
    if (apostrophe) evidence.push(`The values of column ${position} begin with an apostrophe.`);
    if (lead !== undefined)
      evidence.push(`The values of column ${position} begin with ${lead}, which is no part of them.`);
    if (decimals !== null)
      evidence.push(`Each number of column ${position} ends in ${decimals}, as floating-point numbers do.`);
  }
  return evidence;
}

/** The filled cells of each column. */
function columnsOf(rows: string[][]): string[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, at) =>
    rows.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== ''),
  );
}

/** Rows that have about as many filled cells as most of them. */
function fullRows(rows: string[][]): string[][] {
  const filled = rows.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const usual = filled.toSorted((a, b) => a - b)[Math.floor(filled.length / 2)] ?? 0;
  return rows.filter((_, at) => filled[at]! > usual * FULL);
}

/** The pair that stands around each of some cells; null when none does. */
function pairAround(cells: string[], least: number): [string, string] | null {
  if (cells.length < least) return null;
  return PAIRS.find((pair) => cells.every((cell) => withoutPair(cell, pair) !== null)) ?? null;
}

/** Quotes that stand around some cells of a column, where none of the others has one of them. */
function quotesAroundSome(cells: string[]): [string, string] | null {
  const found = QUOTES.find((pair) => cells.filter((cell) => withoutPair(cell, pair) !== null).length >= LEAST_QUOTED);
  return found ?? null;
}

/** Most cells begin so, with nothing around them. */
const PLAIN_BEGINNING = /^[\dA-Za-z]/;

/** What stands in front of nine of ten cells and is no part of them; `all`: how many there are with those that begin with a letter or a digit. */
function commonLead(cells: string[], all: number): string | null {
  const lead = LEADS.find((mark) => {
    const found = cells.filter((cell) => withoutLead(cell, mark) !== null).length;
    return found >= LEAST_APOSTROPHES && found >= all * APOSTROPHES;
  });
  return lead === undefined || (lead === '=' && areFormulas(cells)) ? null : lead;
}

/** Whether cells behind an equals sign are computed: one is an expression, or most of them name another cell. */
function areFormulas(cells: string[]): boolean {
  const found = cells.map((cell) => cell.trim()).filter((cell) => cell.startsWith('='));
  const references = found.filter((cell) => REFERENCE.test(cell)).length;
  return references * 2 > found.length || found.some((cell) => !NO_FORMULA.test(cell));
}

const BACKSLASHES = /\\(.?)/gsu;
const DATABASE = new Set(['\\', '"', "'"]);
const BREAKS = new Set(['t', 'n', 'r']);
/** A path of a file, of which a part begins with one of these letters. */
const PATH = /^\S*\\\S*\.\w{2,4}$|^[a-z]:\\|^\\\\\w/i;
const LEAST_BREAKS = 3;

/**
 * Whether all backslashes of a file are those of a database: they stand before what they protect or spell out, or are all of an
 * empty cell. Line breaks and tabs alone may be parts of paths.
 */
function areBackslashed(rows: string[][]): boolean {
  let [empty, protecting, breaks] = [0, 0, 0];
  for (const cell of rows.flatMap((row) => row.filter((one) => one.includes('\\')))) {
    if (cell.trim() === String.raw`\N`) {
      empty += 1;
      continue;
    }
    if (PATH.test(cell.trim())) return false;
    for (const [, character = ''] of cell.matchAll(BACKSLASHES)) {
      if (DATABASE.has(character)) protecting += 1;
      else if (BREAKS.has(character)) breaks += 1;
      else return false;
    }
  }
  return empty > 0 || protecting > 1 || breaks >= LEAST_BREAKS;
}
