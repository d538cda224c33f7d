import { setImmediate } from 'node:timers/promises';
import { createBucketWriter, readBucket, type BucketFile, type BucketIndex } from './partitions.ts';

/** The parts of a file, collected in a first reading: both halves of the hash and the line, by ranges of the hash. */
export const PART_WORDS = 3;
/** The duplicates among them: line and first line, by ranges of lines. */
export const PAIR_WORDS = 2;

/** So many parts are settled at a time: a moment's work, and some MB. */
const PARTS_PER_BUCKET = 250_000;
const LINES_PER_BUCKET = 250_000;
const MOST_BUCKETS = 1024;

/** How many buckets the parts of a file need, and the lines. */
export function bucketsFor(rows: number): number {
  return Math.min(MOST_BUCKETS, Math.ceil(rows / PARTS_PER_BUCKET) + 1);
}

/** How many lines make a bucket of duplicates. */
export function linesPerBucket(lines: number): number {
  return Math.max(LINES_PER_BUCKET, Math.ceil((lines + 1) / MOST_BUCKETS));
}

/** The bucket of a part by the high half of its hash. */
export function bucketOf(high: number, buckets: number): number {
  return Math.floor((high / 2 ** 32) * buckets);
}

/** What it takes to find the duplicates among collected parts; plain data and shared memory. */
export type PartsShare = {
  parts: BucketFile;
  /** Where the parts are that each thread collected. */
  indexes: BucketIndex[];
  pairs: BucketFile;
  linesPerBucket: number;
  /** The number of the next bucket that nobody took. */
  ticket: SharedArrayBuffer;
};

/** Takes buckets of parts until none is left; answers where the duplicates are. */
export async function pairDuplicates({
  parts,
  indexes,
  pairs,
  linesPerBucket,
  ticket,
}: PartsShare): Promise<BucketIndex> {
  const writer = createBucketWriter(pairs);
  const next = new Int32Array(ticket);
  for (;;) {
    await setImmediate();
    const bucket = Atomics.add(next, 0, 1);
    if (bucket >= parts.buckets) return writer.end();
    forEachDuplicate(readBucket(parts, indexes, bucket), (line, first) => {
      const at = writer.place(Math.floor(line / linesPerBucket));
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
