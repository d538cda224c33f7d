import { unicodePattern } from '../../unicode-pattern.ts';
import { cellKind } from '../table/cells.ts';
import { foreignCells, type ForeignCells } from './cells/foreign-cells.ts';
import { lazily } from './lazily.ts';
import { isBarcode, isImpossibleDate, isPartNumber, isRecordId, unitOf } from './cells/number-like.ts';
import { meaningsOf, type Meaning, type NamedMeaning } from '../../columns/column-names.ts';
import { meaningsOfPath } from '../../columns/path-names.ts';

/** A table as detection found it: its header cells (empty when there is none), the width of most rows, and some of its rows. */
export type FoundTable = {
  header: string[];
  width: number;
  rows: string[][];
  /** They are records, whose columns have paths for names: `producer/name`, `@code`. */
  isOfRecords?: boolean;
};

/** What the name and the cells of one column of a supplier's file look like. Shares are fractions of the filled cells. */
export type ColumnProfile = {
  index: number;
  /** The header cell, or an empty text. */
  name: string;
  /** What the name means: 3 for the whole name, 2 for a word of it, 1 for a name that other columns have as well. */
  means: Map<Meaning, number>;
  /** Filled cells, and how many of them differ. */
  values: number;
  distinct: number;
  /** How many rows of the sample there are. */
  rows: number;
  partNumbers: number;
  barcodes: number;
  /** Cells without a digit, that begin with a letter. */
  words: number;
  numbers: number;
  /** Cells of several words, and their usual number of characters. */
  phrases: number;
  length: number;
  /** Cells that hold several part numbers. */
  lists: number;
  /** Cells with a letter in them, and with a digit. */
  lettered: number;
  digits: number;
  /** Amounts with two decimals. */
  prices: number;
  /** Codes that programs give in sequence, filled with zeros: `УТ-00068274`, `00-00012345`, `00011715`. */
  codes: number;
  /** Amounts in stock, and those of them that are signs: `>10`, `+`. */
  stocks: number;
  signs: number;
  /** Amounts with a unit, of which a column has few: `8 лет`, `500 ml`. */
  measures: number;
  /** Ids of records: UUIDs, digests. */
  recordIds: number;
  /** What most cells are, if that is neither brands nor numbers. */
  foreign: ForeignCells | null;
  /** Cells with a blank in them. */
  spaced: number;
  /** Numbers that a spreadsheet has turned into dates or powers of ten. */
  damaged: number;
  /** One length and rising from row to row, as the codes of one program are. */
  isSeries: boolean;
  /** Row numbers: they begin low and rise by one from row to row, as part numbers of a series do from elsewhere. */
  isCounter: boolean;
  /** Whole numbers that rise by one from row to row, wherever they begin; behind the same letters from a low one on: `SKU-1`. */
  isRunning: boolean;
  /** Values in the order of the rows that come again only in runs, as those of groups and documents do. */
  isGrouped: boolean;
  /** How often each value occurs. */
  counts: Map<string, number>;
};

/** Between the numbers of a list of cross references. */
const LIST_MARK = /\s*[,;|]\s*|\s+\/\s+/;

const STOCK = /^(?:[<>≥≤]?\s?\d{1,4}\s?\+?|[+*-]{1,5})$/;

const WORD = unicodePattern(String.raw`^\p{L}[^\d]*$`, 'u');
const IDEOGRAPHS = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{2,}`;
/** Words with a blank or punctuation between them, as no code has (`ADS1115IDGSR`, `ZP-LGT-5015L`); ideographs do without. */
const PHRASE = unicodePattern(String.raw`(?:\p{L}{2}\S*[\s,;:()&]\P{L}*|${IDEOGRAPHS}\P{L}+)\p{L}{2}`, 'u');
/** No phrase is without one of these. */
const MAY_BE_PHRASE = /[\s,;:()&]|[^\0-\u2dff]/;
const LETTER = unicodePattern(String.raw`\p{L}`, 'u');
const CODE = unicodePattern(String.raw`^(?:\p{sc=Cyrillic}{1,4}[\- ]?0\d{4,}|00-?\d{4,9})$`, 'u');

/** A column is numbered like dates when so many of its cells are written like dates that no calendar has. */
const LEAST_IMPOSSIBLE = 0.05;
const MOST_UNITS = 4;

/** More of a cell says no more about its column. */
const LONGEST_CELL = 200;
/** More distinct values say no more. */
const MOST_CELLS = 2_000;

const profiles = new WeakMap<FoundTable, ColumnProfile[]>();

/** Describes each column of a table by its header cells (none where there is no header) and some of its rows; once, however many ask. */
export function profilesOf(table: FoundTable): ColumnProfile[] {
  const { header, width, rows, isOfRecords = false } = table;
  const known =
    profiles.get(table) ??
    Array.from({ length: Math.max(width, header.length) }, (_, index) => {
      const texts = rows.map((cells) => cells[index] ?? '');
      return profileColumn(texts, { index, name: header[index]?.trim() ?? '', isPath: isOfRecords });
    });
  profiles.set(table, known);
  return known;
}

/** Describes a column by some of its cells. What is not asked for is not counted. Pure. */
export function profileColumn(
  texts: string[],
  { index, name, isPath = false }: { index: number; name: string; isPath?: boolean },
): ColumnProfile {
  const cells = texts.slice(0, MOST_CELLS).map((text) => text.slice(0, LONGEST_CELL).trim());
  const filled = cells.filter((cell) => cell !== '');
  const counts = new Map<string, number>();
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const values = [...counts.keys()];
  const share = (isOne: (cell: string) => boolean) => () => {
    const found = values.reduce((sum, value) => (isOne(value) ? sum + counts.get(value)! : sum), 0);
    return found / Math.max(filled.length, 1);
  };
  const scheme = lazily({ isLikeDates: () => share(isImpossibleDate)() >= LEAST_IMPOSSIBLE });
  return lazily<ColumnProfile>({
    index: () => index,
    name: () => name,
    means: () => meansOf(name === '' ? [] : isPath ? meaningsOfPath(name) : meaningsOf(name)),
    values: () => filled.length,
    distinct: () => counts.size,
    rows: () => cells.length,
    partNumbers: share((cell) => isPartNumber(cell, scheme.isLikeDates)),
    barcodes: share(isBarcode),
    words: share((cell) => WORD(cell).test(cell)),
    numbers: share((cell) => cellKind(cell) === 'number'),
    phrases: share((cell) => MAY_BE_PHRASE.test(cell) && PHRASE(cell).test(cell)),
    length: () => median(filled.map((cell) => cell.length)),
    lists: share(
      (cell) => /[,;|/]/.test(cell) && cell.split(LIST_MARK).filter((part) => isPartNumber(part)).length > 1,
    ),
    lettered: share((cell) => LETTER(cell).test(cell)),
    digits: share((cell) => /\d/.test(cell)),
    prices: share((cell) => /^\d{1,6}[.,]\d{2}$/.test(cell)),
    codes: share((cell) => CODE(cell).test(cell)),
    stocks: share((cell) => STOCK.test(cell)),
    signs: share((cell) => STOCK.test(cell) && !/^\d+$/.test(cell)),
    measures: () => measures(values, share),
    recordIds: share(isRecordId),
    foreign: () => foreignCells(counts),
    spaced: share((cell) => /\s/.test(cell)),
    damaged: share((cell) => /^\d[.,]\d+E\+\d+$/i.test(cell) || (!scheme.isLikeDates && cellKind(cell) === 'date')),
    isSeries: () => isSeries(filled),
    isCounter: () => isCounter(filled),
    isRunning: () => isRunning(filled),
    isGrouped: () => isGrouped(filled, counts.size),
    counts: () => counts,
  });
}

function meansOf(found: NamedMeaning[]): Map<Meaning, number> {
  const means = new Map<Meaning, number>();
  for (const { meaning, whole, strength } of found) {
    const weight = strength === 'weak' ? 1 : whole ? 3 : 2;
    means.set(meaning, Math.max(means.get(meaning) ?? 0, weight));
  }
  return means;
}

function isSeries(cells: string[]): boolean {
  const sorted = cells.slice(1).filter((cell, at) => cell > cells[at]! && cell.length === cells[at]!.length).length;
  return cells.length >= 5 && sorted >= (cells.length - 1) * 0.95;
}

/** Rows are counted from here, or from a little further on. */
const LOW = 10;

function isCounter(cells: string[]): boolean {
  const steps = cells.slice(1).filter((cell, at) => Number(cell) === Number(cells[at]) + 1).length;
  return cells.length >= 3 && Number(cells[0]) <= LOW && steps >= (cells.length - 1) * 0.8;
}

function isRunning(cells: string[]): boolean {
  const prefix = /^[^\d]{0,10}/.exec(cells[0] ?? '')![0];
  const numbers = cells.map((cell) => (cell.startsWith(prefix) ? cell.slice(prefix.length) : ''));
  const isWhole = numbers.every((number) => /^\d{1,15}$/.test(number));
  const steps = numbers.slice(1).filter((number, at) => Math.abs(Number(number) - Number(numbers[at])) === 1).length;
  const isCount = prefix === '' || Number(numbers[0]) <= LOW;
  return isWhole && isCount && cells.length >= 5 && steps >= (cells.length - 1) * 0.9;
}

function isGrouped(cells: string[], distinct: number): boolean {
  const changes = cells.slice(1).filter((cell, at) => cell !== cells[at]).length;
  return distinct < cells.length * 0.5 && changes + 1 === distinct;
}

/** The share of amounts with a unit, where they share a few. */
function measures(values: string[], share: (isOne: (cell: string) => boolean) => () => number): number {
  const units = new Set(values.map(unitOf));
  units.delete(null);
  return units.size > MOST_UNITS ? 0 : share((cell) => unitOf(cell) !== null)();
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
