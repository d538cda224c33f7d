import {
  begin,
  CALLS,
  ENDED,
  finish,
  NOTHING,
  OFFERED,
  PLACES,
  waitWhile,
  wordsOf,
  type AheadInput,
} from './ahead-words.ts';
import { instantiate, resultOf } from './join-exports.ts';

/** The other side of src/jobs/read/joined/kernel/ahead.ts: does the jobs that nobody else has begun, until it is told to end. */
export function doJobs({ module, memory, shared, own, words }: AheadInput): void {
  const kernel = instantiate(module, memory);
  kernel.configure(shared, own);
  for (let job = 0; ; job += 1) {
    waitWhile(words, OFFERED, job);
    if (Atomics.load(words, OFFERED) === ENDED) return;
    if (!begin(words, job)) continue;
    const at = wordsOf(job);
    const call: (...args: number[]) => number = kernel[CALLS[words[at + PLACES.call]!]!];
    try {
      const next = call(...words.subarray(at + PLACES.args, at + PLACES.args + call.length));
      finish(words, job, resultOf(kernel, next));
    } catch (error) {
      // The thread that waits for the job goes on alone.
      finish(words, job, NOTHING);
      throw error;
    }
  }
}
