import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { countUtf8, unfinishedBytes, type Utf8Count } from './utf8.ts';

/** What one pass over a whole file tells about its bytes. */
export type Scan = {
  bytes: number;
  /** The beginning of the file. */
  head: Buffer;
  /** The beginning, and places from all over the file where bytes beyond ASCII stand. */
  sample: Buffer;
  ascii: boolean;
  /** Exact up to some thousand; `invalid` is 0 only when the whole file is UTF-8. */
  utf8: Utf8Count;
};

const CHUNK_BYTES = 256 * 1024;
const WINDOW_BYTES = 8 * 1024;
const MAX_WINDOWS = 96;
const MAX_COUNT = 5000;

/** Reads the file once as a stream, in constant memory. */
export async function scanFile(path: string): Promise<Scan> {
  const windows = windowsAcross();
  const utf8 = utf8Counter();
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let ascii = true;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const plain = isAscii(chunk);
    if (bytes === 0) head = chunk;
    else if (!plain) windows.add(chunk);
    utf8.add(chunk, plain);
    ascii &&= plain;
    bytes += chunk.length;
  }
  return { bytes, head, sample: Buffer.concat([head, ...windows.kept()]), ascii, utf8: utf8.end() };
}

/** Counts UTF-8 across chunk borders; gives up counting when it is plain that the file is something else. */
function utf8Counter() {
  const count: Utf8Count = { valid: 0, invalid: 0 };
  let rest = Buffer.alloc(0);
  return {
    add: (chunk: Buffer, plain: boolean) => {
      if ((plain && rest.length === 0) || (count.invalid > 100 && count.valid < count.invalid)) return;
      const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = all.subarray(0, all.length - unfinishedBytes(all));
      rest = Buffer.from(all.subarray(whole.length));
      const before = count.invalid;
      countUtf8(whole, count, MAX_COUNT);
      if (count.invalid === before && !isUtf8(whole)) count.invalid += 1;
    },
    end: () => {
      if (rest.length > 0) count.invalid += 1;
      return count;
    },
  };
}

/** Keeps pieces from all over the file: when there are too many, every second one goes and fewer are taken. */
function windowsAcross() {
  let windows: Buffer[] = [];
  let stride = 1;
  let seen = 0;
  return {
    add: (chunk: Buffer) => {
      if (seen++ % stride !== 0) return;
      const first = chunk.findIndex((byte) => byte >= 0x80);
      const start = chunk.lastIndexOf(0x0a, first) + 1;
      windows.push(Buffer.from(chunk.subarray(start, start + WINDOW_BYTES)));
      if (windows.length < MAX_WINDOWS) return;
      windows = windows.filter((_, at) => at % 2 === 0);
      stride *= 2;
    },
    kept: () => windows,
  };
}
