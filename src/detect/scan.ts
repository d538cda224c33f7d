import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { continuationBytes, countUtf8, unfinishedBytes, type Utf8Count } from './utf8.ts';

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
  for await (const chunk of chunksOf(path)) {
    const plain = isAscii(chunk);
    if (bytes === 0) head = Buffer.from(chunk);
    else if (!plain) windows.add(chunk);
    utf8.add(chunk, plain);
    ascii &&= plain;
    bytes += chunk.length;
  }
  return { bytes, head, sample: Buffer.concat([head, ...windows.kept()]), ascii, utf8: utf8.end() };
}

/** Reads the beginning of a file only, as if it were all of it but for `bytes`. */
export async function scanBeginning(path: string): Promise<Scan> {
  await using file = await open(path);
  const { size } = await file.stat();
  const memory = Buffer.allocUnsafe(CHUNK_BYTES);
  const { bytesRead } = await file.read(memory, 0, CHUNK_BYTES, 0);
  const head = memory.subarray(0, bytesRead);
  const utf8 = utf8Counter();
  utf8.add(head, false);
  return {
    bytes: size,
    head,
    sample: head,
    ascii: isAscii(head),
    utf8: bytesRead === size ? utf8.end() : utf8.soFar(),
  };
}

/** Every chunk is the same memory, filled again: keep copies of what is to be kept. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const memory = Buffer.allocUnsafe(CHUNK_BYTES);
  await using file = await open(path);
  for (;;) {
    const { bytesRead } = await file.read(memory, 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
  }
}

/** Counts UTF-8 across chunk borders; gives up counting when it is plain that the file is something else. */
function utf8Counter() {
  const count: Utf8Count = { valid: 0, invalid: 0 };
  let rest = Buffer.alloc(0);
  const countPiece = (piece: Buffer) => {
    const before = count.invalid;
    countUtf8(piece, count, MAX_COUNT);
    if (count.invalid === before && !isUtf8(piece)) count.invalid += 1;
  };
  return {
    add: (chunk: Buffer, plain: boolean) => {
      if ((plain && rest.length === 0) || (count.invalid > 100 && count.valid < count.invalid)) return;
      const seam = rest.length === 0 ? 0 : continuationBytes(chunk);
      if (rest.length > 0) countPiece(Buffer.concat([rest, chunk.subarray(0, seam)]));
      const end = chunk.length - unfinishedBytes(chunk.subarray(seam));
      countPiece(chunk.subarray(seam, end));
      rest = Buffer.from(chunk.subarray(end));
    },
    soFar: () => count,
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
