import { runInThread } from '../../threads/thread.ts';
import type { ReadInput } from './read.ts';
import type { ReadResult } from './read-text.ts';

/** Runs `readFile` in its own thread, so that the main loop stays free however large the file is. The signal ends the thread. */
export function readInWorker(input: ReadInput, signal?: AbortSignal): Promise<ReadResult> {
  return runInThread({ module: new URL('./read.ts', import.meta.url), name: 'readFile' }, input, signal);
}
