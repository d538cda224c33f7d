import { unicodePattern } from '../../../unicode-pattern.ts';
import { cellKind } from '../../table/cells.ts';

const PART_NUMBER = unicodePattern(String.raw`^[\p{L}\d][\p{L}\d .,\/_*+#()\-]*$`, 'u');
const LONG_WORD = unicodePattern(String.raw`\p{L}{9,}`, 'u');
const NO_LETTERS = unicodePattern(String.raw`[^\p{L}]+`, 'gu');

/** What programs give to records: UUIDs, and digests and object ids in hexadecimal digits. */
const RECORD_ID =
  /^\{?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}?$|^(?=.*\d)(?=.*[a-f])(?:[\da-f]{24}|[\da-f]{32}|[\da-f]{40})$/i;

/** An amount with its unit: `8 лет`, `500 мл`, `12 pcs`, `1,5l`. */
const MEASURE = unicodePattern(
  String.raw`^[<>~≈]?\s?\d{1,5}(?:[.,]\d+)?(?:\s?(кг|г|шт\.?|мм|см|м|л|мл|лет|мес\.?|дн\.?|kg|g|mm|cm|m|l|ml|pcs?\.?|st\.?|stk\.?|szt\.?|ks|db|buc\.?|years?|yrs?|months?|days?)|\s(\p{Ll}{1,8}\.?))$`,
  'iu',
);

/** What is written like a date: two numbers of one or two digits and a third one. */
const DOTTED = /^(\d{1,2})[-/.](\d{1,2})[-/.](?:\d{4}|\d{2,3})$/;

/**
 * Digits, perhaps with letters and the punctuation of part numbers; no amount, no barcode, no id of a record, and no date unless the
 * column has numbers that look like some (`mayBeDates`).
 */
export function isPartNumber(cell: string, mayBeDates = false): boolean {
  if (cell.length < 3 || cell.length > 40 || !/\d/.test(cell)) return false;
  if (!PART_NUMBER(cell).test(cell) || LONG_WORD(cell).test(cell)) return false;
  if (/^\d{1,6}[.,]\d{1,2}$/.test(cell) || /^\d{1,3}$/.test(cell) || isBarcode(cell) || isRecordId(cell)) return false;
  if ((!mayBeDates && cellKind(cell) === 'date') || cell.split(/\s+/).length > 6) return false;
  const letters = cell.replaceAll(NO_LETTERS(cell), '').length;
  return cell.replaceAll(/\D/g, '').length * 4 >= letters;
}

/** Whether a cell is a UUID, a digest or an object id: no maker calls a part like that. */
export function isRecordId(cell: string): boolean {
  return RECORD_ID.test(cell);
}

/** A GTIN of 8, 12 or 13 digits by its check digit. */
export function isBarcode(cell: string): boolean {
  if (!/^(?:\d{8}|\d{12,13})$/.test(cell)) return false;
  const digits = Array.from(cell, Number).reverse();
  const sum = digits.slice(1).reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === digits[0];
}

/** The unit of an amount that has one, else null. */
export function unitOf(cell: string): string | null {
  const [, known, word] = MEASURE(cell).exec(cell) ?? [];
  // Part numbers end in capitals.
  return known?.toLowerCase() ?? (word === word?.toLowerCase() ? (word ?? null) : null);
}

/** Whether a cell is written like a date that no calendar has: `10.38.378`. One maker numbers like that. */
export function isImpossibleDate(cell: string): boolean {
  const [, first, second] = DOTTED.exec(cell) ?? [];
  return first !== undefined && (cellKind(cell) !== 'date' || !isDay(Number(first), Number(second)));
}

function isDay(first: number, second: number): boolean {
  return Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}
