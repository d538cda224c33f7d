import type { Thread } from '../../../../threads/thread.ts';
import { CALLS, PLACES, STATES, waitWhile, WORDS, type AheadCall, type AheadInput } from './ahead-words.ts';
import type { RowsResult } from './join-exports.ts';

/** A second thread with a kernel on the same memory, which takes rows while this thread takes those before them. */
export type Ahead = AsyncDisposable & {
  /** Offers it a call of its kernel. Nothing that the call reads may change before `collect`. */
  offer: (call: AheadCall, args: readonly number[]) => void;
  /** Waits for the call that was offered, and answers what it did; null when it had not begun, which it will not do any more. */
  collect: () => RowsResult | null;
  /** The share of the rows at hand that keeps it as busy as this thread: from one call to the next it is larger if this thread was the later one. */
  readonly share: number;
};

const SHARE = { first: 1 / 2, least: 1 / 16, most: 15 / 16, step: 1 / 64 };

/** Has a thread take calls until it is disposed of. Fails then if the thread did. */
export function openAhead(thread: Thread, input: Omit<AheadInput, 'words'>): Ahead {
  const words = new Int32Array(new SharedArrayBuffer(4 * WORDS));
  const ended = thread.run<void>('takeCalls', { ...input, words } satisfies AheadInput);
  ended.catch(() => undefined);
  let share = SHARE.first;
  const tell = (state: number) => {
    Atomics.store(words, PLACES.state, state);
    Atomics.notify(words, PLACES.state);
  };
  return {
    offer: (call, args) => {
      words[PLACES.call] = CALLS.indexOf(call);
      words.set(args, PLACES.args);
      tell(STATES.offered);
    },
    collect: () => {
      const { idle, offered, begun, done } = STATES;
      // A thread that is not there yet, or not any more, does not keep this one waiting.
      const state = Atomics.compareExchange(words, PLACES.state, offered, idle);
      if (state === idle) return null;
      share = state === done ? Math.min(SHARE.most, share + SHARE.step) : Math.max(SHARE.least, share - SHARE.step);
      if (state === offered) return null;
      waitWhile(words, begun);
      Atomics.store(words, PLACES.state, idle);
      return {
        next: words[PLACES.next]! >>> 0,
        taken: words[PLACES.taken]!,
        isFull: words[PLACES.isFull] !== 0,
        outEnd: words[PLACES.outEnd]! >>> 0,
        withoutAny: words[PLACES.withoutAny]!,
      };
    },
    get share() {
      return share;
    },
    [Symbol.asyncDispose]: async () => {
      await using _thread = thread;
      tell(STATES.ended);
      await ended;
    },
  };
}
