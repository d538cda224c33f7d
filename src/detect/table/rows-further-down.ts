import { statSync } from 'node:fs';
import { readPieces } from '../../io/read-pieces.ts';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { cutRows, type Layout } from './table.ts';

const PLACES = 24;
/** A place of a large file, and of a small one, of which all places together are no more than this part. */
const PLACE_BYTES = 16 * 1024;
const LEAST_PLACE_BYTES = 4 * 1024;
const PART = 1 / 8;
/** The first rows are looked at anyway. */
const BEGINNING = 16 * 1024;
const ROWS = 200;
/** The bytes of the widest character, in UTF-32: no place begins inside one. */
const CHARACTER = 4;

/**
 * Reads some rows from places all over a file, behind its beginning: for each place those that have the width of the table. None
 * for charsets that cannot be read.
 */
export function rowsFurtherDown(
  path: string,
  { charset, layout, width }: { charset: string; layout: Layout; width: number },
): string[][][] {
  if (!canDecode(charset)) return [];
  const { size } = statSync(path);
  const share = (size * PART) / PLACES;
  const bytes = Math.floor(Math.min(PLACE_BYTES, Math.max(LEAST_PLACE_BYTES, share)));
  const step = Math.max(bytes, (size - BEGINNING) / PLACES);
  const starts: number[] = [];
  for (let at = BEGINNING; at < size; at += step) starts.push(Math.floor(at / CHARACTER) * CHARACTER);
  return readPieces(path, starts, bytes).map((piece, place) => {
    const text = decodeBytes(piece, charset);
    const newline = text.includes('\n') ? '\n' : '\r';
    const first = text.indexOf(newline) + 1;
    const last = starts[place]! + bytes >= size ? text.length : text.lastIndexOf(newline) + 1;
    return cutRows(text.slice(first, last), layout, ROWS).filter(({ length }) => length === width);
  });
}
