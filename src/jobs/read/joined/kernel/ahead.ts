import type { Thread } from '../../../../threads/thread.ts';
import {
  begin,
  CALLS,
  ENDED,
  finish,
  OFFERED,
  PLACES,
  STATES,
  tell,
  waitWhile,
  WORDS,
  wordsOf,
  type AheadInput,
  type RowsCall,
} from './ahead-words.ts';
import type { RowsResult } from './join-exports.ts';

/** A second thread with a kernel on the same memory. Jobs have numbers in turn, from 0 on; `JOBS` of them may be there at a time. */
export type Ahead = AsyncDisposable & {
  /** Offers a call of the kernel as the next job, and answers its number. Nothing that the call reads may change before `collect` or `withdraw`. */
  offer: (call: RowsCall, args: readonly number[]) => number;
  /** Whether this thread is to do a job now: the other one has not begun it, and will not. */
  begin: (job: number) => boolean;
  finish: (job: number, result: RowsResult) => void;
  isDone: (job: number) => boolean;
  /** Waits for a job that was begun, and answers what it did. */
  collect: (job: number) => RowsResult;
  /** Makes sure that a job is not done any more, or is over. */
  withdraw: (job: number) => void;
};

/** Has a thread do jobs until it is disposed of. Fails then if the thread did. */
export function openAhead(thread: Thread, input: Omit<AheadInput, 'words'>): Ahead {
  const words = new Int32Array(new SharedArrayBuffer(4 * WORDS));
  const ended = thread.run<void>('doJobs', { ...input, words } satisfies AheadInput);
  ended.catch(() => undefined);
  let offered = 0;
  const collect = (job: number) => {
    const at = wordsOf(job);
    waitWhile(words, at + PLACES.state, STATES.begun);
    Atomics.store(words, at + PLACES.state, STATES.idle);
    return {
      next: words[at + PLACES.next]! >>> 0,
      taken: words[at + PLACES.taken]!,
      isFull: words[at + PLACES.isFull] !== 0,
      outEnd: words[at + PLACES.outEnd]! >>> 0,
      withoutAny: words[at + PLACES.withoutAny]!,
    };
  };
  return {
    offer: (call, args) => {
      const at = wordsOf(offered);
      words[at + PLACES.call] = CALLS.indexOf(call);
      words.set(args, at + PLACES.args);
      Atomics.store(words, at + PLACES.state, STATES.offered);
      tell(words, OFFERED, offered + 1);
      offered += 1;
      return offered - 1;
    },
    begin: (job) => begin(words, job),
    finish: (job, result) => finish(words, job, result),
    isDone: (job) => Atomics.load(words, wordsOf(job) + PLACES.state) === STATES.done,
    collect,
    withdraw: (job) => {
      if (begin(words, job)) Atomics.store(words, wordsOf(job) + PLACES.state, STATES.idle);
      else collect(job);
    },
    [Symbol.asyncDispose]: async () => {
      await using _thread = thread;
      tell(words, OFFERED, ENDED);
      await ended;
    },
  };
}
