import { readSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { refuseWrite } from '../../../io/text-writer.ts';

/**
 * A temporary file of records of a few words each, which threads sort into partitions as they write: it holds more records
 * than memory should, and is read back one partition at a time.
 */
export type PartitionFile = {
  file: number;
  path: string;
  /** The number of blocks in the file. */
  blocks: SharedArrayBuffer;
  partitions: number;
  /** Words per record. */
  words: number;
};

/** Where the records of one thread are, by partition: number and size in words of each block. */
export type PartitionIndex = { block: number; words: number }[][];

export type PartitionWriter = {
  /** Reserves the next record of a partition; returns the index in `memory` where its words belong. */
  place: (partition: number) => number;
  memory: Uint32Array;
  end: () => PartitionIndex;
};

const BLOCK_WORDS = 4096;

/** Opens a partition file and unlinks it at once: however the process ends, nothing is left behind. */
export async function openPartitions(path: string, { partitions, words }: Pick<PartitionFile, 'partitions' | 'words'>) {
  const handle = await open(path, 'wx+').catch((error: unknown) => refuseWrite(path, error));
  await rm(path, { force: true });
  const file: PartitionFile = { file: handle.fd, path, blocks: new SharedArrayBuffer(4), partitions, words };
  return { file, [Symbol.asyncDispose]: () => handle.close() };
}

/** Writes the records of one thread; other threads may write to the same file. Throws `disk-full`. */
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

/** Reads all records of a partition; those of each thread are in the order in which it wrote them. */
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
