import type { RowsResult } from './join-exports.ts';

/** The calls of a kernel that another thread may take: they change nothing but what their arguments name. */
export const CALLS = ['stageRows', 'joinRows', 'passRows'] as const;
export type RowsCall = (typeof CALLS)[number];

/** So many jobs are there at most that are not accepted yet. */
export const JOBS = 4;

/** What two threads say to each other in shared words: how many jobs were offered, and for each place of a job the call, its arguments, and the result. */
export const OFFERED = 0;
export const ENDED = -1;
export const PLACES = { state: 0, call: 1, args: 2, next: 8, taken: 9, isFull: 10, outEnd: 11, withoutAny: 12 };
const JOB_WORDS = 16;
export const WORDS = JOB_WORDS * (JOBS + 1);
/** Who makes a job `begun` does it; until it is `idle` again, its place is not used for another one. */
export const STATES = { idle: 0, offered: 1, begun: 2, done: 3 };

/** Where the words of a job begin, by its number. */
export function wordsOf(job: number): number {
  return JOB_WORDS * (1 + (job % JOBS));
}

/** What is said of a job that could not be done: the rows are left to whoever goes on. */
export const NOTHING: RowsResult = { next: 0, taken: 0, isFull: false, outEnd: 0, withoutAny: 0 };

/** What the other thread needs: a kernel on the same memory, and where it finds what it shares and has room of its own. */
export type AheadInput = {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  shared: number;
  own: number;
  words: Int32Array;
};

/** How often a word is looked at before a thread goes to sleep until it changes: some microseconds, which falling asleep and waking up take, too. */
const LOOKS = 10_000;

/** Waits as long as a word has this value. */
export function waitWhile(words: Int32Array, word: number, value: number): void {
  for (let look = 0; look < LOOKS; look += 1) if (Atomics.load(words, word) !== value) return;
  while (Atomics.load(words, word) === value) Atomics.wait(words, word, value);
}

/** Changes a word, and wakes who waits for that. */
export function tell(words: Int32Array, word: number, value: number): void {
  Atomics.store(words, word, value);
  Atomics.notify(words, word);
}

/** Says what a job did that was begun. */
export function finish(words: Int32Array, job: number, { next, taken, isFull, outEnd, withoutAny }: RowsResult): void {
  const at = wordsOf(job);
  words.set([next, taken, Number(isFull), outEnd, withoutAny], at + PLACES.next);
  tell(words, at + PLACES.state, STATES.done);
}

/** Makes an offered job one that was begun here; false when it was not offered any more. */
export function begin(words: Int32Array, job: number): boolean {
  const { offered, begun } = STATES;
  return Atomics.compareExchange(words, wordsOf(job) + PLACES.state, offered, begun) === offered;
}
