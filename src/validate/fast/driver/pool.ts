import { availableParallelism } from 'node:os';
import { openThread } from '../../../threads/thread.ts';
import type { PartitionIndex } from '../dedup/partitions.ts';
import type { PartsShare } from '../dedup/part-partitions.ts';
import type { Plan } from '../chunk/plan.ts';
import type { Sizes } from '../sizes.ts';
import type { Share, Totals } from '../chunk/parse-chunks.ts';

/** The threads that read a file together: this one and others. */
export type Pool = AsyncDisposable & {
  size: number;
  /** Has each thread parse chunks until the end of the file. */
  parseChunks: (plan: Plan) => Promise<Totals>[];
  /** Has each thread search partitions of parts until none is left. */
  pairDuplicates: (share: PartsShare) => Promise<PartitionIndex>[];
};

/** More threads gain nothing: only one at a time can commit. */
const MOST_THREADS = 4;

/** Starts as many threads as help with this many bytes; they load their modules while the dialect is detected. */
export function openPool(bytes: number, { thread }: Pick<Sizes, 'thread'>): Pool {
  const size = Math.max(1, Math.min(MOST_THREADS, availableParallelism(), Math.floor(bytes / thread)));
  const others = Array.from({ length: size - 1 }, () => openThread(new URL('./pool-tasks.ts', import.meta.url)));
  const run = <T>(name: string, inputOf: (thread: number) => unknown) =>
    others.map((other, at) => other.run<T>(name, inputOf(at + 1)));
  return {
    size,
    parseChunks: (plan) => {
      const started = run<Totals>('parseChunks', (thread): Share => ({ plan, thread }));
      return [import('./pool-tasks.ts').then((tasks) => tasks.parseChunks({ plan, thread: 0 })), ...started];
    },
    pairDuplicates: (share) => {
      const started = run<PartitionIndex>('pairDuplicates', () => share);
      return [import('./pool-tasks.ts').then((tasks) => tasks.pairDuplicates(share)), ...started];
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(others.map((other) => other[Symbol.asyncDispose]()));
    },
  };
}
