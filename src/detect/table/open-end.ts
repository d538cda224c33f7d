import { statSync } from 'node:fs';
import { readPieces } from '../../io/read-pieces.ts';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';

/** Bytes of the longest line end in any charset, and a character before it. */
const LAST_BYTES = 8;

/** Whether the last line of a text has no end, although others have: the file may have been cut off within it. */
export function hasOpenEnd(path: string, charset: string): boolean {
  if (!canDecode(charset)) return false;
  const { size } = statSync(path);
  const length = Math.min(size, LAST_BYTES);
  const [last] = readPieces(path, [size - length], length);
  return last !== undefined && !/[\r\n]\s*$/u.test(decodeBytes(last, charset));
}
