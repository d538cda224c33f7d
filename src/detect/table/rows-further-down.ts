import { statSync } from 'node:fs';
import { readPieces } from '../../io/read-pieces.ts';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { cutRows, type Layout } from './table.ts';

const PLACES = 24;
const PLACE_BYTES = 16 * 1024;
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
  const step = Math.max(PLACE_BYTES, (size - BEGINNING) / PLACES);
  const starts: number[] = [];
  for (let at = BEGINNING; at < size; at += step) starts.push(Math.floor(at / CHARACTER) * CHARACTER);
  return readPieces(path, starts, PLACE_BYTES).map((piece, place) => {
    const text = decodeBytes(piece, charset);
    const newline = text.includes('\n') ? '\n' : '\r';
    const first = text.indexOf(newline) + 1;
    const last = starts[place]! + PLACE_BYTES >= size ? text.length : text.lastIndexOf(newline) + 1;
    return cutRows(text.slice(first, last), layout, ROWS).filter(({ length }) => length === width);
  });
}
