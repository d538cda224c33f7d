import { isUtf8 } from 'node:buffer';
import type { Kernel } from '../wasm/kernel.ts';
import { readInto } from '../../../io/read-pieces.ts';
import type { ChunkBuffers } from '../kernel-io/buffers.ts';
import type { Plan } from './plan.ts';

/** Whole lines of a file in the memory of a kernel, as UTF-8. */
export type Chunk = {
  /** Position in the file. */
  start: number;
  end: number;
  /** Address in memory. */
  from: number;
  to: number;
  /** Whether the bytes are UTF-8. */
  valid: boolean;
};

const LF = 10;
const CR = 13;
const LOOKAHEAD = 64;
/** Most rows end within this many bytes after a chunk. */
const NEAR = 2048;

export type Loader = {
  /** Loads a chunk by its index; a row belongs to the chunk in which it begins. Returns null for one that the kernel cannot read. */
  load: (chunkIndex: number) => Chunk | null;
  /** Loads the rest of the last chunk again, from a position in the file. */
  reload: (chunk: Chunk, start: number) => Chunk;
};

/** Loads chunks into the buffers of a slot. */
export function createLoader(plan: Plan, buffers: ChunkBuffers, kernel: Kernel): Loader {
  const { source, size, sizes, start, layout } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  const near = Math.min(NEAR, sizes.line, sizes.chunk);
  const isRowAt = rowFinder(plan);
  return {
    load: (chunkIndex) => {
      const nominal = start + chunkIndex * sizes.chunk;
      // The byte before the chunk shows whether its first line begins here.
      const first = chunkIndex === 0 ? nominal : nominal - 1;
      const lastByte = nominal + sizes.chunk - 1 - first;
      let bytes = read(first, lastByte + near);
      if (bytes.indexOf(LF, lastByte) === -1) bytes = read(first, lastByte + 1 + sizes.line);
      const isEnd = first + bytes.length >= size;
      const from = chunkIndex === 0 ? 0 : border(bytes, 0, isEnd);
      const to = border(bytes, lastByte, isEnd);
      const chunk = from === null || to === null ? null : place(first, from, to);
      return chunk?.valid === false && plan.onlyUtf8 ? null : chunk;
    },
    reload: (chunk, from) => {
      if (from >= chunk.end) return { ...chunk, start: from, end: from, from: buffers.raw, to: buffers.raw };
      const got = readInto(source, memory, buffers.raw, chunk.end - from, from);
      return place(from, 0, got);
    },
  };

  /** Where the first row begins behind an offset, as far as a few bytes show it; else the first line, or the end. */
  function border(bytes: Buffer, from: number, isEnd: boolean): number | null {
    const nearby = bytes.subarray(0, from + near);
    for (let feed = nearby.indexOf(LF, from); feed !== -1; feed = nearby.indexOf(LF, feed + 1)) {
      if (isRowAt(nearby, feed + 1)) return feed + 1;
    }
    return lineAfter(bytes, from, isEnd);
  }

  function read(from: number, length: number): Buffer {
    const got = readInto(source, memory, buffers.raw, Math.min(length, size - from), from);
    return memory.subarray(buffers.raw, buffers.raw + got);
  }

  /** The lines between two offsets of the bytes that begin at `first` in the file. */
  function place(first: number, from: number, to: number): Chunk {
    const [rawFrom, rawTo] = [buffers.raw + from, buffers.raw + to];
    const where = { start: first + from, end: first + to };
    if (layout.charset === 0) {
      if (where.end === size) memory.fill(0, rawTo, rawTo + LOOKAHEAD);
      return { ...where, from: rawFrom, to: rawTo, valid: isUtf8(memory.subarray(rawFrom, rawTo)) };
    }
    const textTo = kernel.transcode(rawFrom, rawTo, buffers.text, layout.charset) >>> 0;
    memory.fill(0, textTo, textTo + LOOKAHEAD);
    return { ...where, from: buffers.text, to: textTo, valid: true };
  }
}

/** Where the line after the next line feed begins; the end of the bytes if the file ends there, else null. */
function lineAfter(bytes: Buffer, from: number, isEnd: boolean): number | null {
  const found = from < bytes.length ? bytes.indexOf(LF, from) : -1;
  if (found !== -1) return found + 1;
  return isEnd ? bytes.length : null;
}

/** Tells whether a row with as many cells as the table has begins in some bytes and ends there; inside quotes hardly any does. */
function rowFinder({ dialect, map }: Plan): (bytes: Buffer, from: number) => boolean {
  const [delimiter, quote] = [dialect.delimiter!.charCodeAt(0), dialect.quote!.charCodeAt(0)];
  return (bytes, from) => {
    let cells = 1;
    for (let at = from; at < bytes.length; at += 1) {
      if (bytes[at] === quote) {
        at = endOfQuoted(bytes, at, quote);
        if (bytes[at] === CR) at += 1;
        if (bytes[at] !== delimiter && bytes[at] !== LF) return false;
      }
      while (at < bytes.length && bytes[at] !== delimiter && bytes[at] !== LF) at += 1;
      if (bytes[at] === LF) return cells >= map.leastCells && cells <= map.mostCells;
      cells += 1;
    }
    return false;
  };
}

/** Behind the quote that closes the one at `open`, or the end. */
function endOfQuoted(bytes: Buffer, open: number, quote: number): number {
  let at = bytes.indexOf(quote, open + 1);
  while (at !== -1 && bytes[at + 1] === quote) at = bytes.indexOf(quote, at + 2);
  return at === -1 ? bytes.length : at + 1;
}
