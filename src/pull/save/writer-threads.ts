import { OfferlineError } from '../../errors.ts';
import { openThread, type Thread } from '../../threads/thread.ts';

/** Threads that write files in this process, however many files there are. */
const MOST_THREADS = 4;

/** A thread, how many files it has open, and the end of what it was asked so far. */
type Shared = { thread: Thread; files: number; working: Promise<unknown>; failed: boolean };

const threads = new Set<Shared>();
let lastFile = 0;

/** The place of one file in a thread. */
export type FileThread = {
  /** Asks for a task of `write-in-thread.ts` on this file, after those that were asked before; the signal ends the wait only. */
  run: <Output>(task: 'begin' | 'write' | 'close', input: object, signal?: AbortSignal) => Promise<Output>;
  /** Closes the file if it is open. The last one ends the thread. */
  leave: () => Promise<void>;
};

/** Opens a thread for a file, or shares the one with the fewest files when there are enough. */
export function joinThread(): FileThread {
  const shared = leastBusy() ?? open();
  shared.files += 1;
  const file = (lastFile += 1);
  const run = <Output>(task: string, input: object): Promise<Output> => {
    const result = shared.working.then(() => shared.thread.run<Output>(task, { file, ...input }));
    shared.working = result.catch((error: unknown) => {
      shared.failed ||= !(error instanceof OfferlineError);
    });
    return result;
  };
  return {
    run: (task, input, signal) => unlessAborted(run(task, input), signal),
    leave: async () => {
      await run('drop', {}).catch(() => undefined);
      shared.files -= 1;
      if (shared.files > 0) return;
      threads.delete(shared);
      await shared.thread[Symbol.asyncDispose]();
    },
  };
}

function leastBusy(): Shared | undefined {
  const usable = [...threads].filter(({ failed }) => !failed);
  if (usable.length < MOST_THREADS) return undefined;
  return usable.reduce((least, next) => (next.files < least.files ? next : least));
}

function open(): Shared {
  const thread = openThread(new URL('./write-in-thread.ts', import.meta.url));
  const shared: Shared = { thread, files: 0, working: Promise.resolve(), failed: false };
  threads.add(shared);
  return shared;
}

async function unlessAborted<T>(working: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  working.catch(() => undefined);
  signal?.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([working, stopped]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
