import { unicodePattern } from '../../unicode-pattern.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';

/** What is known of the table in which a lone cell stands: places are indexes of cells, null when there is no such column. */
export type LoneCellTable = {
  width: number;
  /** Whether other rows have more filled cells. */
  hasFullerRows: boolean;
  /** Where most rows have more filled cells, the shapes of their numbers, see `shapeOf`; else null. */
  shapes: ReadonlySet<string> | null;
  brandPlace: number | null;
  oemPlace: number | null;
  delimiter: string | null;
};

const BLANK = /^[\s\p{Cc}]*$/u;
/** Only blanks, or the control character with which DOS programs end a text. */
export function isBlankCell(cell: string): boolean {
  if (cell === '') return true;
  const first = cell.charCodeAt(0);
  return (first <= SPACE || first >= DELETE) && BLANK.test(cell);
}

const [SPACE, DELETE] = [0x20, 0x7f];

/**
 * What lines are drawn with: punctuation and symbols, but for brackets, quotes and currencies, which may be left of a damaged row,
 * and those beside ideographs, which the slow-path patterns do not try.
 */
export const MARK = String.raw`(?!["'\ufffd\u3100-\ua4cf])[\p{Pd}\p{Pc}\p{Po}\p{Sm}\p{Sk}\p{So}]`;
/** Cells with one of these are in no ruler, and hardly a row has none: the expression for all marks is compiled when it is needed. */
const ALPHANUMERIC = /[a-z\d]/i;
let ruler: RegExp | undefined;
const LEAST_REPEATED = 3;

const DELIMITERS = [';', '\t', '|', ','];
const ANY_DELIMITER = /[;\t|,]/;
/** More text than this is no heading and no line of a signature. */
const LONGEST = 300;
/** A table with few columns has rows of which little is left when the number is missing. */
export const NARROW = 3;

const DIGIT = /\d/;
const LETTERS = unicodePattern(String.raw`\p{L}{2,}`, 'u');
const LOWER = unicodePattern(String.raw`\p{Ll}`, 'u');
const LATIN = unicodePattern(String.raw`\p{sc=Latin}`, 'u');
/** Cells are cut into words here; letters beside digits, dots and dashes also stand in article numbers. */
const BETWEEN_WORDS = /[\s,;:!?()[\]«»„“”"'/&+]+/u;
const WORD = unicodePattern(String.raw`^\p{L}{4,}\.?$`, 'u');
const SHORT_WORD = unicodePattern(String.raw`^\p{L}{3}\.?$`, 'u');
/** An article number: five digits, or letters and digits together. */
const CODE = unicodePattern(String.raw`(?:\d[^\p{L}]*){5}|^(?=.{5})(?=.*\p{L})(?=.*\d)[\p{L}\d./-]+$`, 'u');
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[,;.]?$/;
/** Years, which stand beside the models of vehicles. */
const YEARS = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** Nearly all part numbers have as many digits. */
const LEAST_DIGITS = 4;
/** Writing without blanks, of which two characters make a word. */
const IDEOGRAPHS = unicodePattern(String.raw`[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]{2}`, 'u');

/**
 * Whether a row that is no offer has a single filled cell that reads like a group heading, a note or a line of a signature.
 * What may be left of a damaged row does not: another delimiter, an odd quote, bytes that are no text, several lines, a number
 * or an amount alone, the end of a text, a brand whose number is missing.
 */
export function isLoneText({ cells, line, lastLine, problem }: ScannedRow, table: LoneCellTable): boolean {
  if (problem !== null || lastLine > line) return false;
  const place = cells.findIndex((cell) => !isBlankCell(cell));
  if (place === -1 || cells.some((cell, at) => at > place && !isBlankCell(cell))) return false;
  const text = cells[place]!.trim();
  const isPadded = cells.length > 1;
  if (text.length > LONGEST || text.includes('\uFFFD') || text.split('"').length % 2 === 0) return false;
  if (!isPadded && LOWER(text[0]!).test(text[0]!)) return false;
  if (!readsAsText(text, place === table.oemPlace) || hasOtherCells(text, table)) return false;
  if (place === table.oemPlace && table.brandPlace !== null && mayBeNumber(text, table)) return false;
  return place !== table.brandPlace || !mayBeBrand(text, isPadded, table);
}

/** Whether a text has words and does not begin like an offer without its delimiters. */
function readsAsText(text: string, isNumber: boolean): boolean {
  if (text.split(/\s+/, 2).some((word) => CODE(word).test(word) && !DATE.test(word))) return false;
  const words = text.split(BETWEEN_WORDS);
  const long = words.filter((word) => WORD(word).test(word));
  if (IDEOGRAPHS(text).test(text) || long.length > 1) return true;
  if (isNumber && DIGIT.test(text)) return long.some((word) => LOWER(word).test(word)) && hasFewDigits(text);
  if (long.length === 1) return true;
  return DIGIT.test(text)
    ? words.some((word) => SHORT_WORD(word).test(word) && LOWER(word).test(word))
    : LETTERS(text).test(text);
}

/**
 * Whether the digits beside one word are no part number whose brand it is: in the column of numbers `Audi A4 2004-2008` is a
 * heading, `Denso 2341` may be left of an offer.
 */
function hasFewDigits(text: string): boolean {
  return text.replaceAll(YEARS, '').replaceAll(/\D/g, '').length < LEAST_DIGITS;
}

/** Whether a cell holds a row with other delimiters, or one that was quoted as a whole. A comma is also a comma. */
function hasOtherCells(text: string, { width, delimiter }: LoneCellTable): boolean {
  if (!ANY_DELIMITER.test(text) && !text.includes(delimiter ?? ';')) return false;
  return [...new Set([delimiter ?? ';', ...DELIMITERS])].some((other) => {
    const cells = text.split(other);
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    if (filled < 2) return false;
    if (other !== ',') return DIGIT.test(text) || cells.length >= width;
    const isProse = cells.slice(1).every((cell) => cell.startsWith(' '));
    if (isProse) return DIGIT.test(text) && cells.length >= width;
    return DIGIT.test(text) ? filled >= Math.min(width, 3) : cells.length >= width;
  });
}

/** Whether a lone cell in the column of numbers may be the number of a part whose brand is missing: `ABC` in a narrow table. */
function mayBeNumber(text: string, { width }: LoneCellTable): boolean {
  return width <= NARROW && !/\s/.test(text) && !LOWER(text).test(text) && LATIN(text).test(text);
}

/** Whether a lone cell in the column of brands may be the brand of a part whose number is missing. */
function mayBeBrand(text: string, isPadded: boolean, { width }: LoneCellTable): boolean {
  if (width > NARROW) return false;
  return (isPadded && width === 2) || !/\s/.test(text) || !LOWER(text).test(text);
}

/**
 * Whether a row that would be an offer is a heading: its only filled cell is the number, because the brand is a default, while other
 * rows have more cells. Where most have, anything that is not written as their numbers are is a heading; elsewhere it must read like
 * one, and words that an underscore joins are a code.
 */
export function isLoneNumber(row: ScannedRow, table: LoneCellTable): boolean {
  const { hasFullerRows, shapes, brandPlace, oemPlace } = table;
  if (!hasFullerRows || brandPlace !== null || oemPlace === null) return false;
  const number = row.cells[oemPlace] ?? '';
  const isAlone =
    row.cells.length > 1 &&
    row.lastLine === row.line &&
    row.cells.every((cell, at) => at === oemPlace || isBlankCell(cell));
  if (shapes !== null && isAlone && number.length <= LONGEST && !shapes.has(shapeOf(number))) return true;
  return isLoneText(row, table) && !row.cells.some((cell) => cell.includes('_'));
}

/** How a number is written: `AB-1234` is `AA-0000`. */
export function shapeOf(number: string): string {
  return number
    .trim()
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/[\p{Ll}\p{Lo}]/gu, 'a')
    .replaceAll(/\d/g, '0');
}

/** Whether all cells of a row, at least three, have the same text: a heading whose cells were merged. */
export function isRepeatedText({ cells }: ScannedRow, { brandPlace, oemPlace }: LoneCellTable): boolean {
  const text = cells[0]!.trim();
  if (oemPlace === null || cells.length < LEAST_REPEATED || !LETTERS(text).test(text)) return false;
  return (brandPlace !== null || !DIGIT.test(text)) && cells.every((cell) => cell.trim() === text);
}

/** The only text of a row: of its single filled cell, or of all of them; null where there are several, or the row is damaged. */
export function loneText({ cells, line, lastLine, problem }: ScannedRow): string | null {
  if (problem !== null || lastLine > line) return null;
  const texts = new Set(cells.filter((cell) => !isBlankCell(cell)).map((cell) => cell.trim()));
  const [text = ''] = texts;
  return texts.size === 1 && text.length <= LONGEST ? text : null;
}

/** Whether no filled cell has a letter or a digit, as in a line of dashes; marks of damage and quotes do not count. */
export function isRuler({ cells }: ScannedRow): boolean {
  if (cells.some((cell) => ALPHANUMERIC.test(cell))) return false;
  const pattern = (ruler ??= new RegExp(`^(?:\\s|${MARK})*$`, 'u'));
  return cells.every((cell) => pattern.test(cell));
}
