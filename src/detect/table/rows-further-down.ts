import { open } from 'node:fs/promises';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { cutTable, type Layout } from './table.ts';

const PLACES = 24;
const PLACE_BYTES = 16 * 1024;
/** The first rows are looked at anyway. */
const BEGINNING = 16 * 1024;
const ROWS = 200;

/**
 * Reads some rows from places all over a file, behind its beginning: for each place those that have the width of the table. None
 * for charsets in which a line end is more than one byte, and for those that cannot be read.
 */
export async function rowsFurtherDown(
  path: string,
  { charset, layout, width }: { charset: string; layout: Layout; width: number },
): Promise<string[][][]> {
  if (charset.startsWith('utf-16') || charset.startsWith('utf-32') || !canDecode(charset)) return [];
  await using file = await open(path);
  const { size } = await file.stat();
  const step = Math.max(PLACE_BYTES, (size - BEGINNING) / PLACES);
  const starts: number[] = [];
  for (let at = BEGINNING; at < size; at += step) starts.push(Math.floor(at));
  const places = await Promise.all(starts.map((at) => file.read(Buffer.allocUnsafe(PLACE_BYTES), 0, PLACE_BYTES, at)));
  return places.map(({ buffer, bytesRead }, place) => {
    const text = decodeBytes(buffer.subarray(0, bytesRead), charset);
    const first = text.indexOf('\n') + 1;
    const last = starts[place]! + PLACE_BYTES >= size ? text.length : text.lastIndexOf('\n') + 1;
    const { rows } = cutTable(text.slice(first, last), layout, ROWS);
    return rows.map((row) => row.cells.map((cell) => cell.text)).filter(({ length }) => length === width);
  });
}
