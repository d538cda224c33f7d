import { setImmediate } from 'node:timers/promises';
import { createPartitionWriter, readPartition, type PartitionFile, type PartitionIndex } from './partitions.ts';

/** The parts of a file, collected in a first reading: both halves of the hash and the line, by ranges of the hash. */
export const PART_WORDS = 3;
/** The duplicates among them: line and first line, by ranges of lines. */
export const PAIR_WORDS = 2;

/** So many parts are settled at a time: a moment's work, and some MB. */
const PARTS_PER_PARTITION = 250_000;
const LINES_PER_PARTITION = 250_000;
const MOST_PARTITIONS = 1024;

/** How many partitions the parts of a file need, and the lines. */
export function partitionsFor(rows: number): number {
  return Math.min(MOST_PARTITIONS, Math.ceil(rows / PARTS_PER_PARTITION) + 1);
}

/** How many lines make a partition of duplicates. */
export function linesPerPartition(lines: number): number {
  return Math.max(LINES_PER_PARTITION, Math.ceil((lines + 1) / MOST_PARTITIONS));
}

/** The partition of a part by the high half of its hash. */
export function partitionOf(high: number, partitions: number): number {
  return Math.floor((high / 2 ** 32) * partitions);
}

/** What it takes to find the duplicates among collected parts; plain data and shared memory. */
export type PartsShare = {
  parts: PartitionFile;
  /** Where the parts are that each thread collected. */
  indexes: PartitionIndex[];
  pairs: PartitionFile;
  linesPerPartition: number;
  /** The number of the next partition that nobody took. */
  chunkIndex: SharedArrayBuffer;
};

/** Takes partitions of parts until none is left; answers where the duplicates are. */
export async function pairDuplicates({
  parts,
  indexes,
  pairs,
  linesPerPartition,
  chunkIndex,
}: PartsShare): Promise<PartitionIndex> {
  const writer = createPartitionWriter(pairs);
  const next = new Int32Array(chunkIndex);
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

/** Tells every part with the same hash as one of a smaller line, and the smallest of those lines. */
function forEachDuplicate(parts: Uint32Array, tell: (line: number, first: number) => void): void {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(4, (parts.length / PART_WORDS) * 2)))).fill(-1);
  const later: { line: number; slot: number }[] = [];
  for (let at = 0; at < parts.length; at += PART_WORDS) {
    const slot = slotOf(at);
    const known = slots[slot]!;
    if (known === -1) {
      slots[slot] = at;
      continue;
    }
    // Each thread's parts are in order, but those of one come after those of another.
    const isEarlier = parts[at + 2]! < parts[known + 2]!;
    if (isEarlier) slots[slot] = at;
    later.push({ line: parts[(isEarlier ? known : at) + 2]!, slot });
  }
  for (const { line, slot } of later) tell(line, parts[slots[slot]! + 2]!);

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
