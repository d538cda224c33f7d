import { join } from 'node:path';
import { openKernel } from '../wasm/kernel.ts';
import { openPartitions, type PartitionFile, type PartitionIndex } from './partitions.ts';
import { createCollector } from './collect-parts.ts';
import type { KnownDuplicates } from './known-duplicates.ts';
import { partitionsFor, linesPerPartition, PAIR_WORDS, PART_WORDS } from './part-partitions.ts';
import { forEachEntry } from './part-table.ts';
import type { LargeWork } from '../driver/read-fast.ts';
import { planFor, runThreads, together, type Outcome } from '../driver/run-threads.ts';

/**
 * Reads a file with more parts than memory should hold, in memory that does not grow with them: its parts are collected in a
 * temporary file by ranges of their hashes, the duplicates in each range found, and then it is read again and written.
 */
export async function dedupInTwoPasses(work: LargeWork, rows: number): Promise<Outcome> {
  const { folder } = work.file;
  await using parts = await openPartitions(join(folder, 'parts.tmp'), {
    partitions: partitionsFor(rows),
    words: PART_WORDS,
  });
  const early = collectEarly(work, parts.file);
  const plan = planFor(work, { kind: 'collect', parts: parts.file });
  const collected = await runThreads(plan, work);
  if (collected.stopped !== null) return collected;
  const indexes = [early, ...collected.totals.map((totals) => totals.parts!)];
  const lines = collected.settled.line;
  const perPartition = linesPerPartition(lines);
  await using pairs = await openPartitions(join(folder, 'duplicates.tmp'), {
    partitions: Math.floor(lines / perPartition) + 1,
    words: PAIR_WORDS,
  });
  const chunkIndex = new SharedArrayBuffer(4);
  const found = await together(
    work.pool.pairDuplicates({
      parts: parts.file,
      indexes,
      pairs: pairs.file,
      linesPerPartition: perPartition,
      chunkIndex,
    }),
    () => Atomics.store(new Int32Array(chunkIndex), 0, parts.file.partitions),
  );
  const duplicates: KnownDuplicates = { pairs: pairs.file, indexes: found, linesPerPartition: perPartition };
  return await runThreads(planFor(work, { kind: 'known', duplicates }), work);
}

function collectEarly({ file, layout, module }: LargeWork, parts: PartitionFile): PartitionIndex {
  const collector = createCollector(parts, layout);
  forEachEntry(openKernel(module, layout.memory), layout, file.parts, (room) => collector.take(room, 1));
  return collector.end();
}
