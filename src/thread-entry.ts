import { parentPort, workerData } from 'node:worker_threads';
import { toThread, type ThreadReply } from './thread.ts';

const { module, name, input } = workerData as { module: string; name: string; input: unknown };

async function run(): Promise<ThreadReply> {
  try {
    const exported = (await import(module)) as Record<string, (input: unknown) => unknown>;
    return { ok: true, value: await exported[name]?.(input) };
  } catch (error) {
    return { ok: false, error: toThread(error) };
  }
}

parentPort?.postMessage(await run());
