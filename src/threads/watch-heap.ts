import { getHeapStatistics } from 'node:v8';
import { systemCode } from '../errors.ts';
import type { OwnWorker } from './start-worker.ts';

/** Milliseconds between two looks; objects of some 50 MB are made in this time. */
const INTERVAL = 25;
/** Of what V8 lets a thread have; beyond that it ends the process, when a single object does not fit any more. */
const SAFE_SHARE = 0.6;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const MEGABYTE = 1 << 20;

/** How many of so many megabytes a thread may have in this process. */
export function allowedMemory(memory: number): number {
  return Math.min(memory, Math.floor((getHeapStatistics().heap_size_limit * SAFE_SHARE) / MEGABYTE));
}

/** Watches a thread while it works on a task; calls back when its objects take more than so many megabytes. */
export function watchHeap(worker: OwnWorker, memory: number, tell: (error: Error) => void): Disposable {
  const most = allowedMemory(memory) * MEGABYTE;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const used = await worker.heap();
    isLooking = false;
    if (used !== null && used > most) tell(Object.assign(new Error('out of memory'), { code: OUT_OF_MEMORY }));
  };
  const timer = setInterval(() => void look(), INTERVAL).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Whether a thread was ended because its objects took too much memory: by us, or by V8. */
export function isOutOfMemory(error: unknown): boolean {
  return systemCode(error) === OUT_OF_MEMORY;
}
