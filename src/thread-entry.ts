import { parentPort, workerData } from 'node:worker_threads';
import { toThread, type ThreadReply } from './thread.ts';

const { module, name, input } = workerData as { module: string; name: string; input: unknown };

async function run(): Promise<ThreadReply> {
  try {
    const exported = (await import(module)) as Record<string, (input: unknown) => unknown>;
    const task = exported[name];
    if (task === undefined) throw new Error(`${module} has no function ${name}.`);
    return { ok: true, value: await task(input) };
  } catch (error) {
    return { ok: false, error: toThread(error) };
  }
}

const reply = await run();
try {
  parentPort?.postMessage(reply);
} catch (error) {
  // What cannot be cloned cannot cross.
  parentPort?.postMessage({ ok: false, error: toThread(error) } satisfies ThreadReply);
}
