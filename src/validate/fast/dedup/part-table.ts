import { PAGE, type Kernel } from '../wasm/kernel.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { ChunkBuffers } from '../kernel-io/buffers.ts';

const SLOT_BYTES = 8;
/** The planned load of a table, and the highest load allowed when a file has more parts than expected. */
const LOAD = 0.62;
export const MOST_LOAD = 0.92;
/** A slot has 24 bits for the line. */
const LAST_LINE = 2 ** 24 - 1;

/** A part that was accepted before the first chunk. */
export type EarlyPart = { key: string; line: number };

/** How many slots a table for this many parts needs. */
export function slotsFor(parts: number): number {
  return Math.ceil(parts / LOAD) + 1024;
}

/** How many slots fit into this many bytes. */
export function slotsIn(bytes: number): number {
  return Math.floor(bytes / SLOT_BYTES);
}

/** Adds a table at the end of the memory; returns its address. */
export function addTable(memory: WebAssembly.Memory, slots: number): number {
  const at = memory.buffer.byteLength;
  memory.grow(Math.ceil((slots * SLOT_BYTES) / PAGE));
  return at;
}

/** Writes an entry for each early part, one at a time, at the beginning of the first buffers, and hands it over. */
export function forEachEntry(
  kernel: Kernel,
  layout: Layout,
  parts: EarlyPart[],
  use: (buffers: ChunkBuffers) => void,
): void {
  const { memory } = layout;
  const buffers = layout.buffers[0]![0]!;
  const bytes = Buffer.from(memory.buffer);
  const entry = new Uint32Array(memory.buffer, buffers.entries, 3);
  for (const { key, line } of parts) {
    const length = bytes.write(key, buffers.duplicates);
    kernel.hashKey(buffers.duplicates, buffers.duplicates + length);
    entry.set([kernel.hashLow.value, kernel.hashHigh.value, line]);
    use(buffers);
  }
}

/**
 * Puts the parts of a chunk into the table, and lists the number and first line of each duplicate in the buffers; returns
 * how many there are. Returns null when the table has no room for the parts.
 */
export function findInTable(
  kernel: Kernel,
  { table, slots }: { table: number; slots: number },
  buffers: ChunkBuffers,
  { rows, nextLine }: { rows: number; nextLine: number },
  used: number,
): number | null {
  if (used + rows > slots * MOST_LOAD || nextLine > LAST_LINE) return null;
  return kernel.findDuplicates(buffers.entries, rows, table, slots, buffers.duplicates) >>> 0;
}
