import { PAGE, type Kernel } from '../wasm/kernel.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { ChunkBuffers } from '../chunk/buffers.ts';
import type { DedupMode } from '../driver/plan.ts';
import type { ParsedChunk } from '../chunk/parse-chunk.ts';

const SLOT_BYTES = 8;
/** How much of a table is to be used, and how much may be where a file has more parts than expected. */
const LOAD = 0.62;
const MOST_LOAD = 0.92;
/** A slot has no room for later lines. */
const LAST_LINE = 2 ** 24 - 1;

/** A part that was accepted before chunks were taken. */
export type EarlyPart = { key: string; line: number };

/** How many slots a table for so many parts has, and how many there are room for. */
export function slotsFor(parts: number): number {
  return Math.ceil(parts / LOAD) + 1024;
}

export function slotsIn(bytes: number): number {
  return Math.floor(bytes / SLOT_BYTES);
}

/** Makes room for a table at the end of the memory; answers where. */
export function addTable(memory: WebAssembly.Memory, slots: number): number {
  const at = memory.buffer.byteLength;
  memory.grow(Math.ceil((slots * SLOT_BYTES) / PAGE));
  return at;
}

/** Makes an entry of each early part, one after the other at the beginning of a room, to be taken from there. */
export function forEachEntry(
  kernel: Kernel,
  { memory, rooms }: Layout,
  parts: EarlyPart[],
  take: (room: ChunkBuffers) => void,
): void {
  const room = rooms[0]![0]!;
  const bytes = Buffer.from(memory.buffer);
  const entry = new Uint32Array(memory.buffer, room.entries, 3);
  for (const { key, line } of parts) {
    const length = bytes.write(key, room.duplicates);
    kernel.hashKey(room.duplicates, room.duplicates + length);
    entry.set([kernel.hashLow.value, kernel.hashHigh.value, line]);
    take(room);
  }
}

/**
 * Puts the parts of a chunk into the table and the duplicates among them, number and first line, into the room;
 * answers how many they are. Null: the table has no room for them.
 */
export function findInTable(
  kernel: Kernel,
  { table, slots }: Extract<DedupMode, { kind: 'table' }>,
  room: ChunkBuffers,
  { rows, nextLine }: ParsedChunk,
  used: number,
): number | null {
  if (used + rows > slots * MOST_LOAD || nextLine > LAST_LINE) return null;
  return kernel.findDuplicates(room.entries, rows, table, slots, room.duplicates) >>> 0;
}
