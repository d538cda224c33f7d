import { setTimeout as sleep } from 'node:timers/promises';
import type { Visit } from './visit.ts';

/** What is kept of files: those do not change, and what could not be read is tried again after so long. */
const KEPT = { until: 'time', age: 3_600_000 } as const;
/** So long a page waits, in milliseconds. What takes longer is shown when the page is asked for again. */
const PATIENCE = 2_000;

/**
 * What `make` gives by reading whole files, kept by a key that names them; null while that takes long. Open pages that are followed
 * are made one after the other, so none of them waits for it.
 */
export async function soon<T>(
  key: readonly unknown[],
  make: () => Promise<T | null>,
  { world, onlyCells }: Pick<Visit, 'world' | 'onlyCells'>,
): Promise<T | null> {
  const made = world.memo.get(JSON.stringify(key), KEPT, make);
  return Promise.race([made, sleep(onlyCells ? 0 : PATIENCE, null, { ref: false })]);
}
