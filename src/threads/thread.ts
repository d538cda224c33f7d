import { Worker } from 'node:worker_threads';
import { messageOf, OfferlineError, systemCode, type ErrorCode } from '../errors.ts';
import { hiddenCredentials } from '../wording/redact.ts';

/** An error as it crosses a thread: an OfferlineError keeps its code and details, anything else its stack and system code. */
export type ThreadError =
  | { known: true; code: ErrorCode; message: string; retryable: boolean; details: Record<string, unknown> }
  | { known: false; message: string; stack: string | undefined; code: string | undefined };

export type ThreadReply = { ok: true; value: unknown } | { ok: false; error: ThreadError };

/** A function of the thread's module, and its input. */
export type ThreadTask = { name: string; input: unknown };

/** A thread that loads a module and runs its functions, one at a time. */
export type Thread = AsyncDisposable & {
  run: <Output>(name: string, input: unknown, signal?: AbortSignal) => Promise<Output>;
};

/**
 * Starts a thread for the exported functions of a module. Start it before it is needed: starting takes longer than many of
 * its tasks. Inputs and results must be plain data. A signal aborts the current task; the thread must not be used afterwards.
 */
export function openThread(module: URL): Thread {
  const workerData = { module: module.href, credentials: hiddenCredentials() };
  const worker = new Worker(new URL('./thread-entry.ts', import.meta.url), { workerData });
  let asked = module.href;
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  worker.once('error', ended.reject);
  worker.once('exit', (code) => ended.reject(new Error(`The thread of ${asked} ended early with status ${code}.`)));
  return {
    run: async <Output>(name: string, input: unknown, signal?: AbortSignal): Promise<Output> => {
      signal?.throwIfAborted();
      asked = name;
      const { promise, resolve, reject } = Promise.withResolvers<Output>();
      const stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      worker.once('message', (reply: ThreadReply) => {
        if (reply.ok) resolve(reply.value as Output);
        else reject(fromThread(reply.error));
      });
      worker.postMessage({ name, input } satisfies ThreadTask);
      try {
        return await Promise.race([promise, ended.promise]);
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

/**
 * Runs an exported function of a module in a worker thread, so that the main loop stays free for heartbeats and leases.
 * Input and result must be plain data; state their types at the call. The signal ends the thread.
 */
export async function runInThread<Output>(
  task: { module: URL; name: string },
  input: unknown,
  signal?: AbortSignal,
): Promise<Output> {
  signal?.throwIfAborted();
  await using thread = openThread(task.module);
  return await thread.run<Output>(task.name, input, signal);
}

/** An error in the form that crosses a thread. */
export function toThread(error: unknown): ThreadError {
  if (error instanceof OfferlineError) {
    const { code, message, retryable, details } = error;
    return { known: true, code, message, retryable, details };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return { known: false, message: messageOf(error), stack, code: systemCode(error) };
}

/** The error again on this side. */
export function fromThread(error: ThreadError): Error {
  if (error.known) {
    return new OfferlineError(error.code, error.message, { retryable: error.retryable, details: error.details });
  }
  const rebuilt = new Error(error.message);
  if (error.stack !== undefined) rebuilt.stack = error.stack;
  return error.code === undefined ? rebuilt : Object.assign(rebuilt, { code: error.code });
}
