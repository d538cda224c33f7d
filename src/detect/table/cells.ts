import { unicodePattern } from '../../unicode-pattern.ts';

/** What a cell looks like; a column of a price list is all of one kind, and a wrong delimiter makes cells of none. */
export type CellKind = 'empty' | 'number' | 'date' | 'code' | 'word' | 'list' | 'text' | 'malformed';

const EMPTY = new Set(['', '-', 'n/a', 'na', 'null', 'nan']);
const NUMBER =
  /^[-+]?(?:[£$€¥]\s?)?(?:\d+|\d{1,3}(?:[ \u00A0'.,]\d{3})+)(?:[.,]\d+)?(?:e[-+]?\d+)?\s?(?:%|[£$€¥]|р\.?|руб\.?|грн\.?|eur|usd)?$/iu;
const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|[AP]M|[-+]\d{2}:?\d{2})?)?$|^\d{1,2}:\d{2}(?::\d{2})?$/i;
/** Begins with a letter or a digit. */
const WORD = unicodePattern(String.raw`^(?![_'’.\-\/()&+*# ])[\p{L}\p{N}_'’.\-\/()&+*# ]{1,61}$`, 'u');
/** A word with a digit in it and with little else. */
const CODE = /^(?=.*\d)[^'’()&+*#]{1,31}$/u;
const SEPARATORS = [';', ',', '|'];

/** The kind of a cell's text; `kindOf` may remember the kinds of the values in it. */
export function cellKind(text: string, kindOf: (text: string) => CellKind = cellKind): CellKind {
  const cell = text.trim();
  if (cell.length <= 4 && EMPTY.has(cell.toLowerCase())) return 'empty';
  if (NUMBER.test(cell)) return 'number';
  if (DATE.test(cell)) return 'date';
  if (WORD(cell).test(cell)) return CODE.test(cell) ? 'code' : 'word';
  if (cell.includes('\t') || isTorn(cell) || (cell.split('"').length - 1) % 2 === 1) return 'malformed';
  return listKind(cell, kindOf) ?? 'text';
}

/** A cell that begins with a quote which ends elsewhere was cut in the middle. */
function isTorn(cell: string): boolean {
  return (cell.startsWith('"') || cell.startsWith("'")) && (cell.length === 1 || !cell.endsWith(cell[0]!));
}

/**
 * Several values in one cell: a list when all are of one kind, else what a cut at the wrong places leaves behind. Before
 * a blank a separator is the punctuation of a text, such as an address.
 */
function listKind(cell: string, kindOf: (text: string) => CellKind): CellKind | undefined {
  const separator = SEPARATORS.find((candidate) => cell.includes(candidate));
  if (separator === undefined || isPunctuation(cell, separator)) return undefined;
  const values = cell.split(separator);
  // One value and a comma behind it: the comma is what cuts the rows. Semicolons end rows, too.
  if (separator === ',' && values.length === 2 && values[1] === '') return 'malformed';
  const kinds = new Set(values.map((value) => kindOf(value)));
  kinds.delete('empty');
  if (kinds.has('text') || kinds.has('list')) return kinds.has('number') || kinds.has('code') ? 'malformed' : undefined;
  return kinds.size === 1 ? 'list' : 'malformed';
}

function isPunctuation(cell: string, separator: string): boolean {
  return separator !== '|' && cell.split(separator).every((part, at) => at === 0 || part.startsWith(' '));
}
