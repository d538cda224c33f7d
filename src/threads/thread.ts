import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { keepIdle, takeIdle } from './idle-workers.ts';
import type { ThreadError, ThreadReply } from './messages.ts';
import { startWorker } from './start-worker.ts';
import { watchHeap } from './watch-heap.ts';

/** A thread that runs the functions of a module, one at a time. */
export type Thread = AsyncDisposable & {
  run: <Output>(name: string, input: unknown, signal?: AbortSignal) => Promise<Output>;
};

/**
 * Starts a thread for the exported functions of a module. Start it before it is needed: starting takes longer than many of
 * its tasks. Inputs and results must be plain data. A signal aborts the current task; the thread must not be used afterwards.
 */
export function openThread(module: URL): Thread {
  const worker = startWorker(module);
  return {
    run: async <Output>(name: string, input: unknown, signal?: AbortSignal): Promise<Output> =>
      valueOf(await worker.run({ module, name }, input, signal)) as Output,
    [Symbol.asyncDispose]: worker.end,
  };
}

/**
 * Runs an exported function of a module in a worker thread, so that the main loop stays free for heartbeats and leases.
 * Input and result must be plain data; state their types at the call. The signal ends the thread. A thread that has finished is kept
 * for a while for the next task, whichever it is: starting one takes longer than most tasks. `memory`: megabytes that its objects may
 * take (`allowedMemory`); with more the thread ends, and nothing else does (`isOutOfMemory`).
 */
export async function runInThread<Output>(
  task: { module: URL; name: string; memory?: number },
  input: unknown,
  signal?: AbortSignal,
): Promise<Output> {
  signal?.throwIfAborted();
  const worker = takeIdle() ?? startWorker(task.module);
  const full = new AbortController();
  using _watch = task.memory === undefined ? null : watchHeap(worker, task.memory, (error) => full.abort(error));
  const either = signal === undefined ? full.signal : AbortSignal.any([signal, full.signal]);
  const reply = await worker.run(task, input, either).catch(async (error: unknown) => {
    await worker.end();
    throw error;
  });
  if (reply.heap > LARGEST_KEPT || !keepIdle(worker)) await worker.end();
  return valueOf(reply) as Output;
}

/** Starts a thread for a task that comes soon, while its input is still being gathered. */
export function prepareThread(module: URL): void {
  const worker = startWorker(module);
  if (!keepIdle(worker)) void worker.end();
}

/** Bytes of objects above which a thread is not kept: what a large file left behind would stay in memory. */
const LARGEST_KEPT = 64 * 1024 * 1024;

function valueOf(reply: ThreadReply): unknown {
  if (!reply.ok) throw fromThread(reply.error);
  return reply.value;
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
