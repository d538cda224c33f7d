import type { BucketIndex } from '../dedup/partitions.ts';
import type { PartsShare } from '../dedup/part-partitions.ts';

/** What the threads of a crew load. */
export { takeStretches } from '../chunk/parse-chunks.ts';

/** Takes buckets of parts until none is left; few files have so many parts. */
export async function pairDuplicates(share: PartsShare): Promise<BucketIndex> {
  const buckets = await import('../dedup/part-partitions.ts');
  return buckets.pairDuplicates(share);
}
