import type { Pool } from '../../../validate/fast/driver/pool.ts';
import { SIZES } from '../../../validate/fast/sizes.ts';

/** Starts the threads for a large file early: they load while its dialect is detected. Null for a small one. */
export async function poolFor(bytes: number): Promise<Pool | null> {
  if (bytes < SIZES.thread * 2) return null;
  const { openPool } = await import('../../../validate/fast/driver/pool.ts');
  return openPool(bytes, SIZES);
}
