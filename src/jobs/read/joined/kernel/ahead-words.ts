/** The calls of a kernel that another thread may take: they change nothing but what their arguments name. */
export const CALLS = ['stageRows', 'joinRows', 'passRows'] as const;
export type AheadCall = (typeof CALLS)[number];

/** What two threads say to each other in shared words: the state, the call with its arguments, and what became of it. */
export const PLACES = { state: 0, call: 1, args: 2, next: 8, taken: 9, isFull: 10, outEnd: 11, withoutAny: 12 };
export const WORDS = 13;
/** Only the thread that offers a call takes it back; only the other one begins it. */
export const STATES = { idle: 0, offered: 1, begun: 2, done: 3, ended: 4 };

/** What the other thread needs: a kernel on the same memory, and where it finds what it shares and has room of its own. */
export type AheadInput = {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  shared: number;
  own: number;
  words: Int32Array;
};

/** How often a state is looked at before a thread goes to sleep until it changes: some 100 microseconds, which falling asleep and waking up take, too. */
const LOOKS = 2000;

/** Waits as long as the state is the one that is given. */
export function waitWhile(words: Int32Array, state: number): void {
  for (let look = 0; look < LOOKS; look += 1) {
    if (Atomics.load(words, PLACES.state) !== state) return;
    Atomics.pause();
  }
  while (Atomics.load(words, PLACES.state) === state) Atomics.wait(words, PLACES.state, state);
}
