import { isUtf8 } from 'node:buffer';
import type { Kernel } from '../wasm/kernel.ts';
import { readInto } from './bytes.ts';
import type { ChunkBuffers } from './buffers.ts';
import type { Plan } from '../driver/plan.ts';

/** Whole lines of a file in the memory of a kernel, as UTF-8. */
export type Chunk = {
  /** Where they are in the file. */
  start: number;
  end: number;
  /** Where they are in memory. */
  from: number;
  to: number;
  /** False: they are not UTF-8 after all. */
  valid: boolean;
};

const LF = 10;
const LOOKAHEAD = 64;
/** Most lines end within so many bytes behind a chunk. */
const NEAR = 2048;

export type Loader = {
  /** The chunk of a number; every line belongs to the chunk in which it begins. Null: it is not one for kernels. */
  load: (chunkIndex: number) => Chunk | null;
  /** The rest of the chunk that was loaded last, from a place of the file on. */
  reload: (chunk: Chunk, start: number) => Chunk;
};

/** Loads chunks into a thread's room. */
export function createLoader(plan: Plan, room: ChunkBuffers, kernel: Kernel): Loader {
  const { source, size, sizes, start, layout } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  return {
    load: (chunkIndex) => {
      const nominal = start + chunkIndex * sizes.chunk;
      /** The byte before tells whether the first line begins here. */
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
      if (from >= chunk.end) return { ...chunk, start: from, end: from, from: room.raw, to: room.raw };
      const got = readInto(source, memory, room.raw, chunk.end - from, from);
      return place(from, 0, got);
    },
  };

  function read(from: number, length: number): Buffer {
    const got = readInto(source, memory, room.raw, Math.min(length, size - from), from);
    return memory.subarray(room.raw, room.raw + got);
  }

  /** The lines between two places of the bytes that begin at `first` of the file. */
  function place(first: number, from: number, to: number): Chunk {
    const [rawFrom, rawTo] = [room.raw + from, room.raw + to];
    const where = { start: first + from, end: first + to };
    if (layout.charset === 0) {
      if (where.end === size) memory.fill(0, rawTo, rawTo + LOOKAHEAD);
      return { ...where, from: rawFrom, to: rawTo, valid: isUtf8(memory.subarray(rawFrom, rawTo)) };
    }
    const textTo = kernel.transcode(rawFrom, rawTo, room.text, layout.charset) >>> 0;
    memory.fill(0, textTo, textTo + LOOKAHEAD);
    return { ...where, from: room.text, to: textTo, valid: true };
  }
}

/** Where the line after the first line feed from a place on begins; the end where the file ends first, else null. */
function lineAfter(bytes: Buffer, from: number, isEnd: boolean): number | null {
  const found = from < bytes.length ? bytes.indexOf(LF, from) : -1;
  if (found !== -1) return found + 1;
  return isEnd ? bytes.length : null;
}
