import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** The lines of one of our own files (UTF-8, LF), without their ends, a chunk's worth at a time. */
export async function* lineBatches(path: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}

/** Whole lines as bytes: from `from` on each ends with a line feed, the last just before `to`. */
export type ByteLines = { bytes: Buffer; from: number; to: number };

const CHUNK = 1024 * 1024;

/** The lines of one of our own files as bytes, a chunk's worth at a time; the bytes are good until the next chunk is asked for. */
export async function* byteLines(path: string): AsyncGenerator<ByteLines> {
  await using file = await open(path);
  let bytes = Buffer.allocUnsafeSlow(CHUNK);
  let kept = 0;
  for (;;) {
    if (kept > bytes.length / 2) bytes = Buffer.concat([bytes.subarray(0, kept)], bytes.length * 2);
    const { bytesRead } = await file.read(bytes, kept, bytes.length - kept - 1, null);
    const end = kept + bytesRead;
    if (bytesRead === 0) {
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
