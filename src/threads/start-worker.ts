import { SHARE_ENV, Worker } from 'node:worker_threads';
import { currentTraceparent, isTraced } from '../trace.ts';
import { hiddenCredentials } from '../wording/redact.ts';
import type { ThreadReply, ThreadTask } from './messages.ts';

/** A thread that runs one exported function after the other, of whichever modules. */
export type OwnWorker = {
  /** Fails when the thread ends before it has replied, and with the signal's reason. */
  run: (task: { module: URL; name: string }, input: unknown, signal?: AbortSignal) => Promise<ThreadReply>;
  end: () => Promise<void>;
  /** Bytes of its objects, also of those that nobody needs any more; it answers while it works, null once it has ended. */
  heap: () => Promise<number | null>;
  /** Calls back once when the thread has ended by itself. */
  onEnd: (tell: () => void) => void;
  /** Whether the thread keeps the process running. */
  hold: (holds: boolean) => void;
};

/** Megabytes for new objects: rows are short-lived, and more would keep tens of megabytes of garbage in memory. */
const YOUNG = 3;

/** Starts a thread; it loads the first task's module in advance. */
export function startWorker(module: URL): OwnWorker {
  const worker = new Worker(new URL('./thread-entry.ts', import.meta.url), {
    workerData: { module: module.href },
    // A thread outlives what its environment was when it began, such as the place for temporary files.
    env: SHARE_ENV,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  });
  let asked = module.href;
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  worker.once('error', ended.reject);
  worker.once('exit', (code) => ended.reject(new Error(`The thread of ${asked} ended early with status ${code}.`)));
  return {
    run: async (task, input, signal) => {
      const traceparent = isTraced() ? await currentTraceparent() : null;
      signal?.throwIfAborted();
      asked = task.name;
      const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>();
      const stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      worker.once('message', resolve);
      const { name } = task;
      const credentials = hiddenCredentials();
      const sent: ThreadTask = { module: task.module.href, name, input, credentials, traceparent };
      worker.postMessage(sent);
      try {
        return await Promise.race([promise, ended.promise]);
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    heap: () =>
      worker.getHeapStatistics().then(
        ({ used_heap_size: used }) => used,
        () => null,
      ),
    end: async () => void (await worker.terminate()),
    onEnd: (tell) => void ended.promise.catch(tell),
    hold: (holds) => (holds ? worker.ref() : worker.unref()),
  };
}
