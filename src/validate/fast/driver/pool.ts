import { availableParallelism } from 'node:os';
import { openThread } from '../../../threads/thread.ts';
import type { PartitionIndex } from '../dedup/partitions.ts';
import type { PartsShare } from '../dedup/part-partitions.ts';
import type { Plan } from './plan.ts';
import type { Sizes } from './sizes.ts';
import type { Share, Totals } from '../chunk/parse-chunks.ts';

/** The threads that read a file together, this one and others. */
export type Pool = AsyncDisposable & {
  size: number;
  /** Has each take chunks until the end of the file; answers what each comes to. */
  parseChunks: (plan: Plan) => Promise<Totals>[];
  /** Has each take partitions of parts until none is left. */
  pairDuplicates: (share: PartsShare) => Promise<PartitionIndex>[];
};

/** More threads gain nothing: the duplicates are found by one at a time. */
const MOST_THREADS = 4;

/** Starts as many threads as help with so many bytes; they load what they need while others find out how to read the file. */
export function openPool(bytes: number, { thread }: Pick<Sizes, 'thread'>): Pool {
  const size = Math.max(1, Math.min(MOST_THREADS, availableParallelism(), Math.floor(bytes / thread)));
  const others = Array.from({ length: size - 1 }, () => openThread(new URL('./pool-tasks.ts', import.meta.url)));
  const ask = <T>(name: string, inputOf: (thread: number) => unknown) =>
    others.map((other, at) => other.run<T>(name, inputOf(at + 1)));
  return {
    size,
    parseChunks: (plan) => {
      const asked = ask<Totals>('parseChunks', (thread): Share => ({ plan, thread }));
      return [import('./pool-tasks.ts').then((tasks) => tasks.parseChunks({ plan, thread: 0 })), ...asked];
    },
    pairDuplicates: (share) => {
      const asked = ask<PartitionIndex>('pairDuplicates', () => share);
      return [import('./pool-tasks.ts').then((tasks) => tasks.pairDuplicates(share)), ...asked];
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(others.map((other) => other[Symbol.asyncDispose]()));
    },
  };
}
