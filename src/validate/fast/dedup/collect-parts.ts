import { createPartitionWriter, type PartitionFile, type PartitionIndex } from './partitions.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { ChunkBuffers } from '../chunk/buffers.ts';
import { partitionOf } from './part-partitions.ts';
import { ENTRY_WORDS } from '../chunk/parse-chunk.ts';

/** Keeps the parts of chunks in a file: their entries, as far as they tell a part. */
export function createCollector(parts: PartitionFile, { memory }: Layout) {
  const writer = createPartitionWriter(parts);
  const words = new Uint32Array(memory.buffer);
  return {
    /** The first entries of a room. */
    take: (room: ChunkBuffers, rows: number): void => {
      const start = room.entries >>> 2;
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
