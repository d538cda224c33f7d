import { availableParallelism } from 'node:os';
import type { Pool } from '../../../validate/fast/driver/pool.ts';
import { SIZES } from '../../../validate/fast/sizes.ts';

/** Starts the threads for a large file early: they load while its dialect is detected. Null for a small one. */
export async function poolFor(bytes: number): Promise<Pool | null> {
  if (bytes < SIZES.thread * 2) return null;
  const { openPool } = await import('../../../validate/fast/driver/pool.ts');
  return openPool(bytes, SIZES);
}

/** What is given to the second thread of a join at a time: enough to make up for asking it, little enough to share a file evenly. */
const JOB_BYTES = 64 * 1024;

/** How files of so many bytes are joined in two threads; null for small ones, and where there is one processor. */
export function secondFor(bytes: number): { least: number } | null {
  return bytes < SIZES.thread * 2 || availableParallelism() === 1 ? null : { least: JOB_BYTES };
}
