import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { foreignText } from '../../wording/foreign-text.ts';
import { type Place, pullError } from './errors.ts';

/** What undoes a compression; gzip is asked for, the others are sent all the same. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  // As RFC 9659 has it: a window of 8 MB.
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);

/** Compressions on top of one another. */
const MOST_LAYERS = 2;

/** Compressions that nobody undoes here. */
const UNREADABLE = new Set(['compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip']);

/** Compressions that a transfer may have, as their header lists them; what is none (`utf-8`, `none`, `binary`) is left out. */
function compressionsIn(header: string): string[] {
  const names = header.split(',', 10).map((name) => name.trim().toLowerCase());
  return names.filter((name) => DECODERS.has(name) || UNREADABLE.has(name));
}

/** True for a body that is longer or shorter on the line than it is. */
export function isCompressed(header: string | undefined): boolean {
  return compressionsIn(header ?? '').length > 0;
}

/**
 * Undoes the compression that the server applied for the transfer; a file that is a zip or gzip itself stays one, and so does one that
 * only says it is gzip.
 */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  header: string | undefined,
  place: Place,
): AsyncGenerator<Uint8Array> {
  const compressions = compressionsIn(header ?? '');
  if (compressions.length > MOST_LAYERS) {
    throw pullError(
      place,
      `packed the file ${compressions.length} times for the transfer, which is not undone; ask the supplier.`,
    );
  }
  const unknown = compressions.find((name) => !DECODERS.has(name));
  if (unknown !== undefined) {
    throw pullError(
      place,
      `sent the file with the content encoding "${foreignText(unknown, 40)}", which was not requested; ask the supplier.`,
    );
  }
  let decoded = chunks;
  for (const name of compressions.toReversed()) decoded = decompressed(decoded, name);
  yield* decoded;
}

async function* decompressed(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const [head, rest] = await headOf(chunks, 2);
  if (name.endsWith('gzip') && !(head[0] === 0x1f && head[1] === 0x8b)) return yield* rest;
  const decoder = DECODERS.get(name)!();
  pipeline(Readable.from(rest), decoder, () => undefined);
  yield* decoder as AsyncIterable<Uint8Array>;
}

/** The first bytes, as many as there are, and all of them once more. */
async function headOf(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): Promise<[head: Uint8Array, all: AsyncGenerator<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  let next = await iterator.next();
  while (next.done !== true) {
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    if (head.length >= length) break;
    next = await iterator.next();
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return [head, all()];
}
