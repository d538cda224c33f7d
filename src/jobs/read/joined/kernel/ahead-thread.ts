import { CALLS, PLACES, STATES, waitWhile, type AheadInput } from './ahead-words.ts';
import { instantiate } from './join-exports.ts';

/** The other side of src/jobs/read/joined/kernel/ahead.ts: takes one call after the other until it is told to end. */
export function takeCalls({ module, memory, shared, own, words }: AheadInput): void {
  const kernel = instantiate(module, memory);
  kernel.configure(shared, own);
  const { offered, begun, done, ended } = STATES;
  for (;;) {
    const state = Atomics.compareExchange(words, PLACES.state, offered, begun);
    if (state === ended) return;
    if (state !== offered) {
      waitWhile(words, state);
      continue;
    }
    const call: (...args: number[]) => number = kernel[CALLS[words[PLACES.call]!]!];
    words[PLACES.next] = call(...words.subarray(PLACES.args, PLACES.args + call.length));
    words[PLACES.taken] = kernel.taken.value;
    words[PLACES.isFull] = kernel.isFull.value;
    words[PLACES.outEnd] = kernel.outEnd.value;
    words[PLACES.withoutAny] = kernel.withoutAny.value;
    Atomics.compareExchange(words, PLACES.state, begun, done);
    Atomics.notify(words, PLACES.state);
  }
}
