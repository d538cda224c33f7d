import { unicodePattern } from '../../unicode-pattern.ts';
import { cellKind } from '../table/cells.ts';
import { lazily } from './lazily.ts';
import { meaningsOf, type Meaning } from '../../columns/column-names.ts';

/** A table as detection found it: its header cells (empty when there is none), the width of most rows, and some of its rows. */
export type FoundTable = { header: string[]; width: number; rows: string[][] };

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
  /** Numbers that a spreadsheet has turned into dates or powers of ten. */
  damaged: number;
  /** One length and rising from row to row, as the codes of one program are. */
  isSeries: boolean;
  /** Row numbers: they begin low and rise by one from row to row, as part numbers of a series do from elsewhere. */
  isCounter: boolean;
  /** How often each value occurs. */
  counts: Map<string, number>;
};

/** Between the numbers of a list of cross references. */
const LIST_MARK = /\s*[,;|]\s*|\s+\/\s+/;

const STOCK = /^(?:[<>≥≤]?\s?\d{1,4}\s?\+?|[+*-]{1,5})$/;

const WORD = unicodePattern(String.raw`^\p{L}[^\d]*$`, 'u');
const PHRASE = unicodePattern(String.raw`\p{L}{2,}[^\p{L}]+\p{L}{2,}`, 'u');
const LETTER = unicodePattern(String.raw`\p{L}`, 'u');
const NO_LETTERS = unicodePattern(String.raw`[^\p{L}]+`, 'gu');
const CODE = unicodePattern(String.raw`^(?:\p{sc=Cyrillic}{1,4}[\- ]?0\d{4,}|00-?\d{4,9})$`, 'u');
const PART_NUMBER = unicodePattern(String.raw`^[\p{L}\d][\p{L}\d .,\/_*+#()\-]*$`, 'u');
const LONG_WORD = unicodePattern(String.raw`\p{L}{9,}`, 'u');

/** More of a cell says no more about its column. */
const LONGEST_CELL = 200;
/** More distinct values say no more. */
const MOST_CELLS = 2_000;

const profiles = new WeakMap<FoundTable, ColumnProfile[]>();

/** Describes each column of a table by its header cells (none where there is no header) and some of its rows; once, however many ask. */
export function profilesOf(table: FoundTable): ColumnProfile[] {
  const { header, width, rows } = table;
  const known =
    profiles.get(table) ??
    Array.from({ length: Math.max(width, header.length) }, (_, index) => {
      const texts = rows.map((cells) => cells[index] ?? '');
      return profileColumn(texts, { index, name: header[index]?.trim() ?? '' });
    });
  profiles.set(table, known);
  return known;
}

/** Describes a column by some of its cells. What is not asked for is not counted. Pure. */
export function profileColumn(texts: string[], { index, name }: { index: number; name: string }): ColumnProfile {
  const cells = texts.slice(0, MOST_CELLS).map((text) => text.slice(0, LONGEST_CELL).trim());
  const filled = cells.filter((cell) => cell !== '');
  const counts = new Map<string, number>();
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const values = [...counts.keys()];
  const share = (isOne: (cell: string) => boolean) => () => {
    const found = values.reduce((sum, value) => (isOne(value) ? sum + counts.get(value)! : sum), 0);
    return found / Math.max(filled.length, 1);
  };
  return lazily<ColumnProfile>({
    index: () => index,
    name: () => name,
    means: () => meansOf(name),
    values: () => filled.length,
    distinct: () => counts.size,
    rows: () => cells.length,
    partNumbers: share(isPartNumber),
    barcodes: share(isBarcode),
    words: share((cell) => WORD(cell).test(cell)),
    numbers: share((cell) => cellKind(cell) === 'number'),
    phrases: share((cell) => PHRASE(cell).test(cell)),
    length: () => median(filled.map((cell) => cell.length)),
    lists: share((cell) => /[,;|/]/.test(cell) && cell.split(LIST_MARK).filter(isPartNumber).length > 1),
    lettered: share((cell) => LETTER(cell).test(cell)),
    digits: share((cell) => /\d/.test(cell)),
    prices: share((cell) => /^\d{1,6}[.,]\d{2}$/.test(cell)),
    codes: share((cell) => CODE(cell).test(cell)),
    stocks: share((cell) => STOCK.test(cell)),
    signs: share((cell) => STOCK.test(cell) && !/^\d+$/.test(cell)),
    damaged: share((cell) => /^\d[.,]\d+E\+\d+$/i.test(cell) || cellKind(cell) === 'date'),
    isSeries: () => isSeries(filled),
    isCounter: () => isCounter(filled),
    counts: () => counts,
  });
}

function meansOf(name: string): Map<Meaning, number> {
  const means = new Map<Meaning, number>();
  for (const { meaning, whole, strength } of name === '' ? [] : meaningsOf(name)) {
    const weight = strength === 'weak' ? 1 : whole ? 3 : 2;
    means.set(meaning, Math.max(means.get(meaning) ?? 0, weight));
  }
  return means;
}

/** Digits, perhaps with letters and the punctuation of part numbers; no amount, no date, and no barcode. */
function isPartNumber(cell: string): boolean {
  if (cell.length < 3 || cell.length > 40 || !/\d/.test(cell)) return false;
  if (!PART_NUMBER(cell).test(cell) || LONG_WORD(cell).test(cell)) return false;
  if (/^\d{1,6}[.,]\d{1,2}$/.test(cell) || /^\d{1,3}$/.test(cell) || isBarcode(cell)) return false;
  const kind = cellKind(cell);
  if (kind === 'date' || cell.split(/\s+/).length > 6) return false;
  const letters = cell.replaceAll(NO_LETTERS(cell), '').length;
  return cell.replaceAll(/\D/g, '').length * 4 >= letters;
}

/** A GTIN of 8, 12 or 13 digits by its check digit. */
function isBarcode(cell: string): boolean {
  if (!/^(?:\d{8}|\d{12,13})$/.test(cell)) return false;
  const digits = Array.from(cell, Number).reverse();
  const sum = digits.slice(1).reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === digits[0];
}

function isSeries(cells: string[]): boolean {
  const sorted = cells.slice(1).filter((cell, at) => cell > cells[at]! && cell.length === cells[at]!.length).length;
  return cells.length >= 5 && sorted >= (cells.length - 1) * 0.95;
}

function isCounter(cells: string[]): boolean {
  const steps = cells.slice(1).filter((cell, at) => Number(cell) === Number(cells[at]) + 1).length;
  return cells.length >= 3 && Number(cells[0]) <= 10 && steps >= (cells.length - 1) * 0.8;
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
