import { join } from 'node:path';
import { openKernel } from '../wasm/kernel.ts';
import { openBuckets, type BucketFile, type BucketIndex } from './partitions.ts';
import { createCollector } from './collect-parts.ts';
import type { KnownDuplicates } from './known-duplicates.ts';
import { bucketsFor, linesPerBucket, PAIR_WORDS, PART_WORDS } from './part-partitions.ts';
import { forEachEntry } from './part-table.ts';
import type { LargeWork } from '../driver/read-fast.ts';
import { planFor, runThreads, together, type Outcome } from '../driver/run-threads.ts';

/**
 * Reads a file with more parts than memory should hold, in memory that does not grow with them: its parts are collected in a
 * temporary file by ranges of their hashes, the duplicates in each range found, and then it is read again and written.
 */
export async function readTwice(work: LargeWork, rows: number): Promise<Outcome> {
  const { folder } = work.file;
  await using parts = await openBuckets(join(folder, 'parts.tmp'), { buckets: bucketsFor(rows), words: PART_WORDS });
  const early = collectEarly(work, parts.file);
  const plan = planFor(work, { kind: 'collect', parts: parts.file });
  const collected = await runThreads(plan, work);
  if (collected.stopped !== null) return collected;
  const indexes = [early, ...collected.totals.map((totals) => totals.parts!)];
  const lines = collected.settled.line;
  const perBucket = linesPerBucket(lines);
  await using pairs = await openBuckets(join(folder, 'duplicates.tmp'), {
    buckets: Math.floor(lines / perBucket) + 1,
    words: PAIR_WORDS,
  });
  const ticket = new SharedArrayBuffer(4);
  const found = await together(
    work.crew.pairDuplicates({ parts: parts.file, indexes, pairs: pairs.file, linesPerBucket: perBucket, ticket }),
    () => Atomics.store(new Int32Array(ticket), 0, parts.file.buckets),
  );
  const duplicates: KnownDuplicates = { pairs: pairs.file, indexes: found, linesPerBucket: perBucket };
  return await runThreads(planFor(work, { kind: 'known', duplicates }), work);
}

function collectEarly({ file, layout, module }: LargeWork, parts: BucketFile): BucketIndex {
  const collector = createCollector(parts, layout);
  forEachEntry(openKernel(module, layout.memory), layout, file.parts, (room) => collector.take(room, 1));
  return collector.end();
}
