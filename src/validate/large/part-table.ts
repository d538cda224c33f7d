import { PAGE, type Kernel } from '../kernel/kernel.ts';
import type { Layout } from './layout.ts';
import type { ThreadRoom } from './thread-room.ts';
import type { TakenStretch } from './take-stretch.ts';
import type { Settled } from './turns.ts';

/** A table fuller than this is exchanged for a larger one. */
const MAX_LOAD = 0.92;
const SLOT_BYTES = 12;

/** A part that was accepted before stretches were taken. */
export type EarlyPart = { key: string; line: number };

/** How many slots a table for so many parts has, and how many there are room for. */
export function slotsFor(parts: number): number {
  return Math.ceil(parts / 0.85) + 1024;
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

/** Makes an entry of each early part, one after the other at the same place, to be taken from there. */
export function forEachEntry(kernel: Kernel, { memory, threads }: Layout, parts: EarlyPart[], take: () => void): void {
  const [room] = threads as [ThreadRoom];
  const bytes = Buffer.from(memory.buffer);
  const entry = new Uint32Array(memory.buffer, room.entries, 3);
  for (const { key, line } of parts) {
    const length = bytes.write(key, room.duplicates);
    kernel.hashKey(room.duplicates, room.duplicates + length);
    entry.set([kernel.hashLow.value, kernel.hashHigh.value, line]);
    take();
  }
}

/**
 * Puts the parts of a stretch into the table and the duplicates among them, number and first line, into the thread's room;
 * answers how many they are, and the table from now on. Null: it would have to grow beyond `mostSlots`.
 */
export function findInTable(
  kernel: Kernel,
  { memory }: Layout,
  room: ThreadRoom,
  { rows }: TakenStretch,
  { state, mostSlots }: { state: Settled; mostSlots: number },
): { found: number; state: Settled } | null {
  let { table, slots } = state;
  if (state.used + rows > slots * MAX_LOAD) {
    const more = Math.max(slots * 2, slotsFor(state.used + rows));
    if (more > mostSlots) return null;
    const larger = addTable(memory, more);
    kernel.rehash(table, slots, larger, more);
    [table, slots] = [larger, more];
  }
  const found = kernel.findDuplicates(room.entries, rows, table, slots, room.duplicates) >>> 0;
  return { found, state: { ...state, table, slots, used: state.used + rows - found } };
}
