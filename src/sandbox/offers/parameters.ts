import { Refusal } from '../http.ts';

const MAX_INT32 = 2_147_483_647;
const MAX_INT64 = 9_223_372_036_854_775_807n;

/** The required int64 `offerId`, as decimal text without leading zeros. */
export function readOfferId(query: URLSearchParams): string {
  const text = query.get('offerId');
  if (text === null) throw invalid('offerId', 'is missing');
  if (!/^-?\d{1,20}$/.test(text)) throw invalid('offerId', 'is not a whole number');
  const id = BigInt(text);
  if (id > MAX_INT64 || id < -MAX_INT64) throw invalid('offerId', 'is beyond 64 bits');
  return String(id);
}

/** `page` from 0 (default 0) and `size` from 1 (default 20), both int32. */
export function readPage(query: URLSearchParams): { page: number; size: number } {
  return { page: readInt32(query, 'page', 0, 0), size: readInt32(query, 'size', 20, 1) };
}

/** The delimiter of a CSV file: a comma or a semicolon; null when it is left out. */
export function readDelimiter(text: string | null): string | null {
  if (text === null || text === '' || text === ',' || text === ';') return text === '' ? null : text;
  throw invalid('delimiter', 'is neither "," nor ";"');
}

/** The charset of the file; null when it is left out. */
export function readCharset(text: string | null): 'UTF-8' | 'UTF-16' | null {
  if (text === null || text === '') return null;
  const name = text.toUpperCase();
  if (name === 'UTF-8' || name === 'UTF-16') return name;
  throw invalid('charsetName', 'is neither UTF-8 nor UTF-16');
}

function readInt32(query: URLSearchParams, name: string, fallback: number, least: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value < least || value > MAX_INT32) throw invalid(name, `is not a whole number from ${least} to ${MAX_INT32}`);
  return value;
}

function invalid(name: string, what: string): Refusal {
  return new Refusal(400, 'INVALID_PARAMETER', `The parameter ${name} ${what}.`);
}
