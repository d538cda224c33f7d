import { parentPort, workerData } from 'node:worker_threads';
import { hideFromNowOn } from '../wording/redact.ts';
import { resolveOwnModules } from './own-modules.ts';
import { toThread, type ThreadReply, type ThreadTask } from './thread.ts';

type Tasks = Record<string, (input: unknown) => unknown>;

const { module, credentials } = workerData as { module: string; credentials: string[] };
resolveOwnModules();
for (const credential of credentials) hideFromNowOn(credential);
/** The module is loaded in advance; if that fails, the first task reports it. */
const loading = (import(module) as Promise<Tasks>).then(
  (tasks) => () => tasks,
  (error: unknown) => () => {
    throw error;
  },
);

async function run({ name, input }: ThreadTask): Promise<ThreadReply> {
  try {
    const tasks = (await loading)();
    const task = tasks[name];
    if (task === undefined) throw new Error(`${module} has no function ${name}.`);
    return { ok: true, value: await task(input) };
  } catch (error) {
    return { ok: false, error: toThread(error) };
  }
}

async function answer(task: ThreadTask): Promise<void> {
  const reply = await run(task);
  try {
    parentPort?.postMessage(reply);
  } catch (error) {
    // A value that cannot be cloned cannot be sent to the other thread.
    parentPort?.postMessage({ ok: false, error: toThread(error) } satisfies ThreadReply);
  }
}

parentPort?.on('message', (task: ThreadTask) => void answer(task));
