import { StringDecoder } from 'node:string_decoder';
import { openReading, type AnyFile } from './kept-file.ts';

/**
 * The lines of one of our own files (UTF-8, LF), without their ends, a chunk's worth at a time. Of a file of the archive the rest
 * is read, too, when the caller has seen enough: what he has seen counts only when all of it is right.
 */
export async function* lineBatches(file: AnyFile): AsyncGenerator<string[]> {
  await using reading = await openReading(file);
  const decoder = new StringDecoder('utf8');
  const bytes = Buffer.allocUnsafeSlow(256 * 1024);
  let rest = '';
  try {
    for (;;) {
      const length = await reading.read(bytes, 0, bytes.length);
      if (length === 0) break;
      const lines = (rest + decoder.write(bytes.subarray(0, length))).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) yield lines;
    }
    rest += decoder.end();
    if (rest !== '') yield [rest];
  } finally {
    await reading.rest();
  }
}

/** Whole lines as bytes: from `from` on each ends with a line feed, the last just before `to`. */
export type ByteLines = { bytes: Buffer; from: number; to: number };

const CHUNK = 1024 * 1024;

/** The lines of one of our own files as bytes, a chunk's worth at a time; the bytes are good until the next chunk is asked for. */
export async function* byteLines(file: AnyFile): AsyncGenerator<ByteLines> {
  await using reading = await openReading(file);
  let bytes = Buffer.allocUnsafeSlow(CHUNK);
  let kept = 0;
  for (;;) {
    if (kept > bytes.length / 2) bytes = Buffer.concat([bytes.subarray(0, kept)], bytes.length * 2);
    const length = await reading.read(bytes, kept, bytes.length - kept - 1);
    const end = kept + length;
    if (length === 0) {
      bytes[end] = 0x0a;
      if (kept > 0) yield { bytes, from: 0, to: end + 1 };
      return;
    }
    const to = bytes.subarray(0, end).lastIndexOf(0x0a) + 1;
    if (to > 0) yield { bytes, from: 0, to };
    bytes.copyWithin(0, to, end);
    kept = end - to;
  }
}
