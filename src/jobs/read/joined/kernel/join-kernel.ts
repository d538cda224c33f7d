import { readFile } from 'node:fs/promises';
import { refusal } from '../../../../io/refusal.ts';
import { openThread } from '../../../../threads/thread.ts';
import { createMemory } from '../../../../validate/fast/wasm/kernel.ts';
import { openAhead, type Ahead } from './ahead.ts';
import { instantiate, type JoinExports } from './join-exports.ts';

/** The kernel that joins files, and its memory, which grows: what `memory` and `words` give is valid until the next call that may need more. */
export type JoinKernel = AsyncDisposable & {
  calls: JoinExports;
  /** What threads share. */
  shared: WebAssembly.Memory;
  memory: () => Buffer;
  words: () => Uint32Array;
  /** Gives out memory; throws when there is none left. */
  allocate: (bytes: number) => number;
  /** A second thread, and how many bytes of rows are a job; null where there is only this one. */
  second: (Second & { ahead: Ahead }) | null;
};

type Second = { least: number };

/** What is in the memory at first: it grows with what is allocated. */
const FIRST_BYTES = 1 << 20;

/** Opens a kernel with a memory of its own, for all files of a delivery; with a second thread if `second` is given. */
export async function openJoinKernel(second: Second | null = null): Promise<JoinKernel> {
  const module = await WebAssembly.compile(await readFile(new URL('./join.wasm', import.meta.url)));
  const shared = createMemory(FIRST_BYTES);
  const calls = instantiate(module, shared);
  let bytes = Buffer.from(shared.buffer);
  let words = new Uint32Array(shared.buffer);
  const renew = () => {
    const { buffer } = shared;
    if (bytes.buffer === buffer) return;
    bytes = Buffer.from(buffer);
    words = new Uint32Array(buffer);
  };
  const allocate = (length: number) => given(calls.allocate(BigInt(length)));
  const areas = { shared: allocate(calls.SHARED_BYTES.value), own: () => allocate(calls.OWN_BYTES.value) };
  calls.configure(areas.shared, areas.own());
  const thread = second === null ? null : openThread(new URL('./ahead-thread.ts', import.meta.url));
  const ahead = thread && openAhead(thread, { module, memory: shared, shared: areas.shared, own: areas.own() });
  return {
    calls,
    shared,
    memory: () => {
      renew();
      return bytes;
    },
    words: () => {
      renew();
      return words;
    },
    allocate,
    second: ahead && { ahead, ...second! },
    [Symbol.asyncDispose]: async () => {
      await ahead?.[Symbol.asyncDispose]();
    },
  };
}

/** An address that the kernel gave out; throws `file-rejected` when it had no memory left. */
export function given(address: number): number {
  if (address === 0) throw tooMany();
  return address >>> 0;
}

function tooMany(): Error {
  const message =
    'The files that are joined have more parts than fit into 4 GB of memory. Ask the supplier for one file that has these columns.';
  return refusal('reading-too-large', message);
}
