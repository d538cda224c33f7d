import type { BucketIndex } from './buckets.ts';
import type { PartsShare } from './part-buckets.ts';

/** What the threads of a crew load. */
export { takeStretches } from './take-stretches.ts';

/** Takes buckets of parts until none is left; few files have so many parts. */
export async function pairDuplicates(share: PartsShare): Promise<BucketIndex> {
  const buckets = await import('./part-buckets.ts');
  return buckets.pairDuplicates(share);
}
