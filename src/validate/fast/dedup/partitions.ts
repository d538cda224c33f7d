import { readSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { refuseWrite } from '../../../io/text-writer.ts';

/**
 * A temporary file that threads fill with records of a few words each, sorted into partitions as they come: more records than
 * memory should hold, which are wanted again partition by partition.
 */
export type PartitionFile = {
  file: number;
  path: string;
  /** The number of blocks that are in it. */
  blocks: SharedArrayBuffer;
  partitions: number;
  /** How many words a record has. */
  words: number;
};

/** Where one thread's records are, by partition: number and words of each block. */
export type PartitionIndex = { block: number; words: number }[][];

export type PartitionWriter = {
  /** Room for the next record of a partition: its words belong into `memory` from there on. */
  place: (partition: number) => number;
  memory: Uint32Array;
  end: () => PartitionIndex;
};

const BLOCK_WORDS = 4096;

/** Opens a file of partitions that has no name any more: however the process ends, nothing is left of it. */
export async function openPartitions(path: string, { partitions, words }: Pick<PartitionFile, 'partitions' | 'words'>) {
  const handle = await open(path, 'wx+').catch((error: unknown) => refuseWrite(path, error));
  await rm(path, { force: true });
  const file: PartitionFile = { file: handle.fd, path, blocks: new SharedArrayBuffer(4), partitions, words };
  return { file, [Symbol.asyncDispose]: () => handle.close() };
}

/** Writes one thread's records; others may write to the same file. Throws `disk-full`. */
export function createPartitionWriter({ file, path, blocks, partitions, words }: PartitionFile): PartitionWriter {
  const memory = new Uint32Array(partitions * BLOCK_WORDS);
  const used = new Uint32Array(partitions);
  const index: PartitionIndex = Array.from({ length: partitions }, () => []);
  const counter = new Int32Array(blocks);
  return {
    memory,
    place: (partition) => {
      if (used[partition]! + words > BLOCK_WORDS) flush(partition);
      const at = partition * BLOCK_WORDS + used[partition]!;
      used[partition]! += words;
      return at;
    },
    end: () => {
      for (const [partition, count] of used.entries()) if (count > 0) flush(partition);
      return index;
    },
  };

  function flush(partition: number): void {
    const block = Atomics.add(counter, 0, 1);
    const filled = memory.subarray(partition * BLOCK_WORDS, partition * BLOCK_WORDS + used[partition]!);
    index[partition]!.push({ block, words: filled.length });
    used[partition] = 0;
    const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
    try {
      for (let at = 0; at < bytes.length;) {
        at += writeSync(file, bytes, at, bytes.length - at, block * BLOCK_WORDS * 4 + at);
      }
    } catch (error) {
      refuseWrite(path, error);
    }
  }
}

/** All records of a partition, those of each thread in the order in which it wrote them. */
export function readPartition(
  { file, path }: PartitionFile,
  indexes: PartitionIndex[],
  partition: number,
): Uint32Array {
  const blocks = indexes.flatMap((index) => index[partition]!);
  const records = new Uint32Array(blocks.reduce((sum, { words }) => sum + words, 0));
  const bytes = new Uint8Array(records.buffer);
  let at = 0;
  for (const { block, words } of blocks) {
    for (let got = 0; got < words * 4;) {
      const read = readSync(file, bytes, at + got, words * 4 - got, block * BLOCK_WORDS * 4 + got);
      if (read === 0) throw new Error(`${path} ended early.`);
      got += read;
    }
    at += words * 4;
  }
  return records;
}
