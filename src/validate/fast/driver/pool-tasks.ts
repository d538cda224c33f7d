import type { PartitionIndex } from '../dedup/partitions.ts';
import type { PartsShare } from '../dedup/part-partitions.ts';

/** The module that the threads of a pool load. */
export { parseChunks } from '../chunk/parse-chunks.ts';

/** Searches partitions of parts until none is left; loaded on demand, because few files have so many parts. */
export async function pairDuplicates(share: PartsShare): Promise<PartitionIndex> {
  const partitions = await import('../dedup/part-partitions.ts');
  return partitions.pairDuplicates(share);
}
