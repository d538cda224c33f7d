import { decodeText } from '../io/text-decode.ts';
import type { Encoding } from './encoding.ts';
import type { TableInput } from './table-file.ts';

/** Few characters can make a row of many cells: rows of one piece are held at once. */
const PIECE = 4_096;

/** The text of a file in small pieces, until the reading is aborted. */
export async function* textPieces({ path, signal }: TableInput, { charset, bom }: Encoding): AsyncGenerator<string> {
  for await (const text of decodeText(path, charset, bom)) {
    for (let at = 0; at < text.length; at += PIECE) {
      signal?.throwIfAborted();
      yield text.slice(at, at + PIECE);
    }
  }
}

/** Reads something to its end for what it does on the way. */
export async function exhaust(walk: AsyncGenerator<void, void>): Promise<void> {
  for (let { done } = await walk.next(); done !== true;) ({ done } = await walk.next());
}
