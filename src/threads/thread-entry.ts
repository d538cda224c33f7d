import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { inSpan, isTraced, underTrace } from '../trace.ts';
import { hideFromNowOn } from '../wording/redact.ts';
import { resolveOwnModules } from './own-modules.ts';
import type { ThreadReply, ThreadTask } from './messages.ts';
import { toThread } from './thread.ts';

type Tasks = Record<string, (input: unknown) => unknown>;

resolveOwnModules();
/** The first module is loaded in advance; if that fails, its first task reports it. */
import((workerData as { module: string }).module).catch(() => undefined);

async function run({ module, name, input, credentials, traceparent }: ThreadTask): Promise<ThreadReply> {
  try {
    for (const credential of credentials) hideFromNowOn(credential);
    const tasks = (await import(module)) as Tasks;
    const task = tasks[name];
    if (task === undefined) throw new Error(`${module} has no function ${name}.`);
    const work = async () => task(input);
    const value = isTraced() ? await underTrace(traceparent, () => inSpan(name, {}, work)) : await work();
    return { ok: true, value, heap: heap() };
  } catch (error) {
    return { ok: false, error: toThread(error), heap: heap() };
  }
}

/** Bytes of objects and of the memory that they hold outside the heap. */
function heap(): number {
  const { used_heap_size: used, external_memory: outside } = getHeapStatistics();
  return used + outside;
}

async function answer(task: ThreadTask): Promise<void> {
  const reply = await run(task);
  try {
    parentPort?.postMessage(reply);
  } catch (error) {
    // A value that cannot be cloned cannot be sent to the other thread.
    parentPort?.postMessage({ ok: false, error: toThread(error), heap: heap() } satisfies ThreadReply);
  }
}

parentPort?.on('message', (task: ThreadTask) => void answer(task));
