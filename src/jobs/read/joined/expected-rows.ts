import { stat } from 'node:fs/promises';
import { readPieces } from '../../../io/read-pieces.ts';

const PIECE = 16 * 1024;
const PIECES = 32;
/** The index grows for more: many rows may have one part. */
const MOST_EXPECTED = 40_000_000;
/** The bytes of letters and digits. */
const FILLS = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x80 || /[a-z\d]/i.test(String.fromCharCode(byte))),
);
const LF = 10;
const MARGIN = 1.03;

/** About how many rows with a number a text has, and a few more, by the lines with a letter or a digit in pieces of it. */
export async function expectedRows(path: string): Promise<number> {
  const { size } = await stat(path);
  const starts = Array.from({ length: PIECES }, (_, at) => Math.floor((size / PIECES) * at));
  let [lines, bytes] = [1, 1];
  for (const piece of readPieces(path, size <= PIECE ? [0] : starts, PIECE)) {
    bytes += piece.length;
    let isFilled = false;
    for (const byte of piece) {
      if (byte !== LF) isFilled ||= FILLS[byte] === 1;
      else {
        lines += Number(isFilled);
        isFilled = false;
      }
    }
  }
  return Math.min((size / bytes) * lines * MARGIN, MOST_EXPECTED);
}
