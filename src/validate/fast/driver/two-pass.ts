import { join } from 'node:path';
import { openKernel } from '../wasm/kernel.ts';
import { openPartitions, type PartitionFile, type PartitionIndex } from '../dedup/partitions.ts';
import { createCollector } from '../dedup/collect-parts.ts';
import type { KnownDuplicates } from '../dedup/known-duplicates.ts';
import { partitionsFor, linesPerPartition, PAIR_WORDS, PART_WORDS } from '../dedup/part-partitions.ts';
import { forEachEntry } from '../dedup/part-table.ts';
import { planFor, runThreads, together, type FastWork, type Outcome } from './run-threads.ts';

/**
 * Reads a file with more parts than memory should hold. The first pass collects the parts in a temporary file, partitioned by
 * hash; the duplicates in each partition are found; the second pass reads the file again and writes rows and issues.
 */
export async function dedupInTwoPasses(work: FastWork, rows: number): Promise<Outcome> {
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
  const lines = collected.committed.line;
  const perPartition = linesPerPartition(lines);
  await using pairs = await openPartitions(join(folder, 'duplicates.tmp'), {
    partitions: Math.floor(lines / perPartition) + 1,
    words: PAIR_WORDS,
  });
  const nextPartition = new SharedArrayBuffer(4);
  const found = await together(
    work.pool.pairDuplicates({
      parts: parts.file,
      indexes,
      pairs: pairs.file,
      linesPerPartition: perPartition,
      nextPartition,
    }),
    () => Atomics.store(new Int32Array(nextPartition), 0, parts.file.partitions),
  );
  const duplicates: KnownDuplicates = { pairs: pairs.file, indexes: found, linesPerPartition: perPartition };
  return await runThreads(planFor(work, { kind: 'known', duplicates }), work);
}

function collectEarly({ file, layout, module }: FastWork, parts: PartitionFile): PartitionIndex {
  const collector = createCollector(parts, layout);
  forEachEntry(openKernel(module, layout.memory), layout, file.parts, (buffers) => collector.add(buffers, 1));
  return collector.end();
}
