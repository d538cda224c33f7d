import { Worker } from 'node:worker_threads';
import { messageOf, OfferlineError, systemCode, type ErrorCode } from './errors.ts';

/** An error as it crosses a thread: an OfferlineError keeps its code and details, anything else its stack and system code. */
type ThreadError =
  | { known: true; code: ErrorCode; message: string; retryable: boolean; details: Record<string, unknown> }
  | { known: false; message: string; stack: string | undefined; code: string | undefined };

export type ThreadReply = { ok: true; value: unknown } | { ok: false; error: ThreadError };

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
  const worker = new Worker(new URL('./thread-entry.ts', import.meta.url), {
    workerData: { module: task.module.href, name: task.name, input },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Output>();
  worker.once('message', (reply: ThreadReply) => {
    if (reply.ok) resolve(reply.value as Output);
    else reject(fromThread(reply.error));
  });
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The thread of ${task.name} ended early with status ${code}.`)));
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
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

function fromThread(error: ThreadError): Error {
  if (error.known) {
    return new OfferlineError(error.code, error.message, { retryable: error.retryable, details: error.details });
  }
  const rebuilt = new Error(error.message);
  if (error.stack !== undefined) rebuilt.stack = error.stack;
  return error.code === undefined ? rebuilt : Object.assign(rebuilt, { code: error.code });
}
