import { createBucketWriter, type BucketFile, type BucketIndex } from './partitions.ts';
import type { Layout } from '../kernel-io/layout.ts';
import type { StretchRoom } from '../chunk/buffers.ts';
import { bucketOf } from './part-partitions.ts';
import { ENTRY_WORDS } from '../chunk/parse-chunk.ts';

/** Keeps the parts of stretches in a file: their entries, as far as they tell a part. */
export function createCollector(parts: BucketFile, { memory }: Layout) {
  const writer = createBucketWriter(parts);
  const words = new Uint32Array(memory.buffer);
  return {
    /** The first entries of a room. */
    take: (room: StretchRoom, rows: number): void => {
      const start = room.entries >>> 2;
      for (let entry = start; entry < start + rows * ENTRY_WORDS; entry += ENTRY_WORDS) {
        const at = writer.place(bucketOf(words[entry + 1]!, parts.buckets));
        writer.memory[at] = words[entry]!;
        writer.memory[at + 1] = words[entry + 1]!;
        writer.memory[at + 2] = words[entry + 2]!;
      }
    },
    end: (): BucketIndex => writer.end(),
  };
}
