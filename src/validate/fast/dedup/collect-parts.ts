import { createPartitionWriter, type PartitionFile, type PartitionIndex } from './partitions.ts';
import type { Layout } from '../kernel-io/layout.ts';
import { ENTRY_WORDS, type ChunkBuffers } from '../kernel-io/buffers.ts';
import { partitionOf } from './part-partitions.ts';

/** Collects the parts of chunks in a partition file: hash and line of each entry. */
export function createCollector(parts: PartitionFile, { memory }: Layout) {
  const writer = createPartitionWriter(parts);
  const words = new Uint32Array(memory.buffer);
  return {
    /** Adds the first entries of the buffers. */
    add: (buffers: ChunkBuffers, rows: number): void => {
      const start = buffers.entries >>> 2;
      for (let entry = start; entry < start + rows * ENTRY_WORDS; entry += ENTRY_WORDS) {
        const at = writer.place(partitionOf(words[entry + 1]!, parts.partitions));
        writer.memory[at] = words[entry]!;
        writer.memory[at + 1] = words[entry + 1]!;
        writer.memory[at + 2] = words[entry + 2]!;
      }
    },
    end: (): PartitionIndex => writer.end(),
  };
}
