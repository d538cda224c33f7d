import { readSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { refuseWrite } from '../../../io/text-writer.ts';

/**
 * A temporary file that threads fill with records of a few words each, sorted into buckets as they come: more records than
 * memory should hold, which are wanted again bucket by bucket.
 */
export type BucketFile = {
  file: number;
  path: string;
  /** The number of blocks that are in it. */
  blocks: SharedArrayBuffer;
  buckets: number;
  /** How many words a record has. */
  words: number;
};

/** Where one thread's records are, by bucket: number and words of each block. */
export type BucketIndex = { block: number; words: number }[][];

export type BucketWriter = {
  /** Room for the next record of a bucket: its words belong into `memory` from there on. */
  place: (bucket: number) => number;
  memory: Uint32Array;
  end: () => BucketIndex;
};

const BLOCK_WORDS = 4096;

/** Opens a file of buckets that has no name any more: however the process ends, nothing is left of it. */
export async function openBuckets(path: string, { buckets, words }: Pick<BucketFile, 'buckets' | 'words'>) {
  const handle = await open(path, 'wx+').catch((error: unknown) => refuseWrite(path, error));
  await rm(path, { force: true });
  const file: BucketFile = { file: handle.fd, path, blocks: new SharedArrayBuffer(4), buckets, words };
  return { file, [Symbol.asyncDispose]: () => handle.close() };
}

/** Writes one thread's records; others may write to the same file. Throws `disk-full`. */
export function createBucketWriter({ file, path, blocks, buckets, words }: BucketFile): BucketWriter {
  const memory = new Uint32Array(buckets * BLOCK_WORDS);
  const used = new Uint32Array(buckets);
  const index: BucketIndex = Array.from({ length: buckets }, () => []);
  const counter = new Int32Array(blocks);
  return {
    memory,
    place: (bucket) => {
      if (used[bucket]! + words > BLOCK_WORDS) flush(bucket);
      const at = bucket * BLOCK_WORDS + used[bucket]!;
      used[bucket]! += words;
      return at;
    },
    end: () => {
      for (const [bucket, count] of used.entries()) if (count > 0) flush(bucket);
      return index;
    },
  };

  function flush(bucket: number): void {
    const block = Atomics.add(counter, 0, 1);
    const filled = memory.subarray(bucket * BLOCK_WORDS, bucket * BLOCK_WORDS + used[bucket]!);
    index[bucket]!.push({ block, words: filled.length });
    used[bucket] = 0;
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

/** All records of a bucket, those of each thread in the order in which it wrote them. */
export function readBucket({ file, path }: BucketFile, indexes: BucketIndex[], bucket: number): Uint32Array {
  const blocks = indexes.flatMap((index) => index[bucket]!);
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
