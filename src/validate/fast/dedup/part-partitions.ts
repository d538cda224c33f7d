import { setImmediate } from 'node:timers/promises';
import { createPartitionWriter, readPartition, type PartitionFile, type PartitionIndex } from './partitions.ts';

/** Words of a part as the first pass collects it: both halves of the hash, and the line. Partitioned by the hash. */
export const PART_WORDS = 3;
/** Words of a duplicate: its line, and the line where the part occurred first. Partitioned by the line. */
export const PAIR_WORDS = 2;

/** Parts that are compared at a time: a few MB. */
const PARTS_PER_PARTITION = 250_000;
const LINES_PER_PARTITION = 250_000;
const MOST_PARTITIONS = 1024;

/** How many partitions the parts of a file need. */
export function partitionsFor(rows: number): number {
  return Math.min(MOST_PARTITIONS, Math.ceil(rows / PARTS_PER_PARTITION) + 1);
}

/** How many lines a partition of duplicates spans. */
export function linesPerPartition(lines: number): number {
  return Math.max(LINES_PER_PARTITION, Math.ceil((lines + 1) / MOST_PARTITIONS));
}

/** The partition of a part by the high half of its hash. */
export function partitionOf(high: number, partitions: number): number {
  return Math.floor((high / 2 ** 32) * partitions);
}

/** What a thread needs to find duplicates among collected parts; plain data and shared memory. */
export type PartsShare = {
  parts: PartitionFile;
  /** Where each thread's parts are. */
  indexes: PartitionIndex[];
  pairs: PartitionFile;
  linesPerPartition: number;
  /** The number of the next partition that no thread has claimed. */
  nextPartition: SharedArrayBuffer;
};

/** Searches partitions of parts for duplicates until none is left; returns where the duplicates are. */
export async function pairDuplicates({
  parts,
  indexes,
  pairs,
  linesPerPartition,
  nextPartition,
}: PartsShare): Promise<PartitionIndex> {
  const writer = createPartitionWriter(pairs);
  const next = new Int32Array(nextPartition);
  for (;;) {
    await setImmediate();
    const partition = Atomics.add(next, 0, 1);
    if (partition >= parts.partitions) return writer.end();
    forEachDuplicate(readPartition(parts, indexes, partition), (line, first) => {
      const at = writer.place(Math.floor(line / linesPerPartition));
      writer.memory[at] = line;
      writer.memory[at + 1] = first;
    });
  }
}

/** Calls back for every part whose hash occurs at an earlier line, with the earliest of those lines. */
function forEachDuplicate(parts: Uint32Array, found: (line: number, first: number) => void): void {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(4, (parts.length / PART_WORDS) * 2)))).fill(-1);
  const later: { line: number; slot: number }[] = [];
  for (let at = 0; at < parts.length; at += PART_WORDS) {
    const slot = slotOf(at);
    const known = slots[slot]!;
    if (known === -1) {
      slots[slot] = at;
      continue;
    }
    // The parts of each thread are in line order, but the threads' parts follow one another.
    const isEarlier = parts[at + 2]! < parts[known + 2]!;
    if (isEarlier) slots[slot] = at;
    later.push({ line: parts[(isEarlier ? known : at) + 2]!, slot });
  }
  for (const { line, slot } of later) found(line, parts[slots[slot]! + 2]!);

  function slotOf(at: number): number {
    const [low, high] = [parts[at]!, parts[at + 1]!];
    let slot = low & (slots.length - 1);
    for (;;) {
      const known = slots[slot]!;
      if (known === -1 || (parts[known] === low && parts[known + 1] === high)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }
}
