import type { DedupMode, Plan } from './plan.ts';
import type { LargeWork } from './read-fast.ts';
import type { Totals } from '../chunk/parse-chunks.ts';
import { createCoordinator, openCoordinator, type Settled, type StopReason } from './coordinator.ts';

/** What the threads came to, where the last chunk ended, and why they did not come to the end of the file. */
export type Outcome = { totals: Totals[]; settled: Settled; stopped: StopReason | null };

/** Has a pool take chunks of a file until its end; the signal stops them. */
export async function runThreads(plan: Plan, { pool, signal }: Pick<LargeWork, 'pool' | 'signal'>): Promise<Outcome> {
  const coordinator = openCoordinator(plan.coordinator);
  const interrupt = () => coordinator.stop('interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) interrupt();
  try {
    // A thread that died could not tell the others, who wait for its chunk.
    const totals = await together(pool.parseChunks(plan), () => coordinator.stop('failed'));
    return { totals, settled: coordinator.settled(), stopped: coordinator.stopped() };
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/**
 * What each comes to. When one fails the others are stopped, and awaited: the files that they write are closed then, and whatever
 * is opened next has the number of one of them.
 */
export async function together<T>(works: Promise<T>[], stop: () => void): Promise<T[]> {
  const all = Promise.all(works);
  all.catch(stop);
  await Promise.allSettled(works);
  return all;
}

/** The plan of one reading of a file. */
export function planFor({ file, reading, layout, module }: LargeWork, duty: DedupMode): Plan {
  const { source, size, start, line, rows, issues, issuesLayout, dialect, charset, scan, numbered, onlyUtf8 } = file;
  const [rowBytes, issueBytes] = [rows?.bytes ?? 0, issues?.bytes ?? 0];
  const isWritten = duty.kind !== 'collect';
  return {
    module,
    layout,
    duty,
    coordinator: createCoordinator(
      { end: start, line, rowBytes, issueBytes, used: file.parts.length, reread: 0 },
      Math.ceil((size - start) / file.sizes.chunk),
    ),
    settings: reading.settings,
    map: reading.map!,
    dialect,
    charset,
    scan,
    source,
    rows: isWritten ? rows : null,
    issues: isWritten ? issues : null,
    issuesLayout: isWritten ? issuesLayout : null,
    numbered,
    onlyUtf8,
    sizes: file.sizes,
    start,
    size,
  };
}
