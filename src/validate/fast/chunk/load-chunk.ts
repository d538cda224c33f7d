import { isUtf8 } from 'node:buffer';
import type { Kernel } from '../wasm/kernel.ts';
import { readInto } from './bytes.ts';
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
const LOOKAHEAD = 64;
/** Most lines end within this many bytes after a chunk. */
const NEAR = 2048;

export type Loader = {
  /** Loads a chunk by its index; a line belongs to the chunk in which it begins. Returns null for one that the kernel cannot read. */
  load: (chunkIndex: number) => Chunk | null;
  /** Loads the rest of the last chunk again, from a position in the file. */
  reload: (chunk: Chunk, start: number) => Chunk;
};

/** Loads chunks into the buffers of a slot. */
export function createLoader(plan: Plan, buffers: ChunkBuffers, kernel: Kernel): Loader {
  const { source, size, sizes, start, layout } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  return {
    load: (chunkIndex) => {
      const nominal = start + chunkIndex * sizes.chunk;
      // The byte before the chunk shows whether its first line begins here.
      const first = chunkIndex === 0 ? nominal : nominal - 1;
      const lastByte = nominal + sizes.chunk - 1 - first;
      let bytes = read(first, lastByte + Math.min(NEAR, sizes.line));
      if (bytes.indexOf(LF, lastByte) === -1) bytes = read(first, lastByte + 1 + sizes.line);
      const isEnd = first + bytes.length >= size;
      const from = chunkIndex === 0 ? 0 : lineAfter(bytes, 0, isEnd);
      const to = lineAfter(bytes, lastByte, isEnd);
      const chunk = from === null || to === null ? null : place(first, from, to);
      return chunk?.valid === false && plan.onlyUtf8 ? null : chunk;
    },
    reload: (chunk, from) => {
      if (from >= chunk.end) return { ...chunk, start: from, end: from, from: buffers.raw, to: buffers.raw };
      const got = readInto(source, memory, buffers.raw, chunk.end - from, from);
      return place(from, 0, got);
    },
  };

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
