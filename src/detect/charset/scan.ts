import { isAscii, isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { readBeginning, readInto } from '../../io/read-pieces.ts';
import { continuationBytes, countUtf8, unfinishedBytes, type Utf8Count } from './utf8.ts';

/** What the bytes of a whole file show. */
export type Scan = {
  bytes: number;
  /** The beginning of the file. */
  head: Buffer;
  /** Lines from all over the rest of the file, in which bytes beyond ASCII or escapes stand. */
  places: Buffer[];
  ascii: boolean;
  /** Exact up to some thousand; `invalid` is 0 only when the whole file is UTF-8. */
  utf8: Utf8Count;
};

const CHUNK_BYTES = 256 * 1024;
/** The way to the system's threads and back takes longer than reading a chunk, so this thread reads, and lets others go on after so many. */
const YIELDS_EVERY = 16;
const PLACES = 64;
const PLACE_BYTES = 4 * 1024;
const MAX_COUNT = 5000;
const LF = 0x0a;
/** What begins the escape sequences of ISO-2022. */
export const ESCAPE = 0x1b;

/**
 * Looks at a whole file in constant memory: at every byte as long as it may be UTF-8 or ASCII, else at places all over it,
 * each where the first byte beyond ASCII stands in its part of the file.
 */
export async function scanFile(path: string): Promise<Scan> {
  await using file = await open(path);
  const { size } = await file.stat();
  const memory = Buffer.allocUnsafe(CHUNK_BYTES);
  const utf8 = utf8Counter();
  const places: Buffer[] = [];
  const part = Math.max(CHUNK_BYTES, Math.ceil((size - CHUNK_BYTES) / PLACES));
  const partAfter = (at: number) => CHUNK_BYTES + part * (Math.floor((at - CHUNK_BYTES) / part) + 1);
  let wanted = CHUNK_BYTES;
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let ascii = true;
  let chunks = 0;
  for (;;) {
    const read = readInto(file.fd, memory, 0, CHUNK_BYTES, bytes);
    if (read === 0) break;
    chunks += 1;
    if (chunks % YIELDS_EVERY === 0) await setImmediate();
    const chunk = memory.subarray(0, read);
    const plain = isAscii(chunk);
    utf8.add(chunk, plain);
    ascii &&= plain;
    if (bytes === 0) head = Buffer.from(chunk);
    else if (bytes >= wanted && (!plain || chunk.includes(ESCAPE))) {
      places.push(firstPlace(chunk));
      wanted = partAfter(bytes);
    }
    bytes += read;
    if (utf8.isRefuted() && bytes < wanted) bytes = Math.min(wanted, Math.max(bytes, size));
  }
  return { bytes, head, places, ascii, utf8: utf8.end() };
}

/** Enough of the beginning where there are many other places. */
const SAMPLE_HEAD = 64 * 1024;

/** Bytes from all over a file, as whole lines: a word that is cut within a character is none. */
export function sampleOf({ head, places }: Scan): Buffer {
  if (places.length === 0) return head;
  return Buffer.concat([wholeLines(places.length < PLACES / 2 ? head : head.subarray(0, SAMPLE_HEAD)), ...places]);
}

/**
 * A copy of some lines from the one on in which the first byte beyond ASCII or the first escape stands; a chunk begins within a line,
 * which counts only where no other has one.
 */
function firstPlace(chunk: Buffer): Buffer {
  const begin = chunk.indexOf(LF) + 1;
  const isTelling = (byte: number) => byte >= 0x80 || byte === ESCAPE;
  const found = chunk.subarray(begin).findIndex(isTelling);
  const first = found === -1 ? chunk.findIndex(isTelling) : begin + found;
  // Not so far before it that a very long line would leave it out.
  const start = Math.max(chunk.lastIndexOf(LF, first) + 1, first - PLACE_BYTES / 2);
  return Buffer.from(wholeLines(chunk.subarray(start, start + PLACE_BYTES)));
}

/** Bytes without the line that they end within, unless they are less than a line. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(LF) + 1;
  return end === 0 ? bytes : bytes.subarray(0, end);
}

/** Reads the beginning of a file only, as if it were all of it but for `bytes`; what is UTF-8 in it is not counted. */
export function scanBeginning(path: string): Scan {
  const { size } = statSync(path);
  const head = readBeginning(path, CHUNK_BYTES);
  const known = head.length === size ? head : head.subarray(0, head.length - unfinishedBytes(head));
  return { bytes: size, head, places: [], ascii: isAscii(head), utf8: { valid: 0, invalid: isUtf8(known) ? 0 : 1 } };
}

/** Counts UTF-8 across chunk borders; gives up counting when it is plain that the file is something else. */
function utf8Counter() {
  const count: Utf8Count = { valid: 0, invalid: 0 };
  let rest = Buffer.alloc(0);
  const countPiece = (piece: Buffer) => countUtf8(piece, count, MAX_COUNT);
  /** There are too many strays for UTF-8 with damages. */
  const isRefuted = () => count.invalid > 100 && count.valid < count.invalid;
  return {
    isRefuted,
    add: (chunk: Buffer, plain: boolean) => {
      if ((plain && rest.length === 0) || isRefuted()) return;
      const seam = rest.length === 0 ? 0 : continuationBytes(chunk);
      if (rest.length > 0) countPiece(Buffer.concat([rest, chunk.subarray(0, seam)]));
      const end = chunk.length - unfinishedBytes(chunk.subarray(seam));
      countPiece(chunk.subarray(seam, end));
      rest = Buffer.from(chunk.subarray(end));
    },
    end: () => {
      if (rest.length > 0) count.invalid += 1;
      return count;
    },
  };
}
