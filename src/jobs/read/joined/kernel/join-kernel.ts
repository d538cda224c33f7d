import { readFile } from 'node:fs/promises';
import { refusal } from '../../../../io/refusal.ts';

/** The exports of kernel/join, where each is documented. Addresses and numbers are u32. */
type Exports = {
  memory: { readonly buffer: ArrayBuffer };
  allocate: (bytes: bigint) => number;
  createIndex: (expected: number) => number;
  addPart: (index: number, high: number, low: number, value: number) => number;
  findPart: (index: number, high: number, low: number) => number;
  valueAt: (slot: number) => number;
  mark: (index: number, slot: number) => number;
  isMarked: (index: number, slot: number) => number;
  createStore: (bits: number, most: number) => number;
  keepCells: (store: number, from: number, length: number) => number;
  createPartner: () => number;
  indexRows: (index: number, store: number, from: number, to: number, showsRepeated: number) => number;
  joinRows: (first: number, from: number, to: number, target: number, targetEnd: number) => number;
  passRows: (index: number, from: number, to: number) => number;
  settings: { value: number };
  folded: { value: number };
  letters: { value: number };
  safe: { value: number };
  broughtColumns: { value: number };
  taken: { value: number };
  isFull: { value: number };
  keyed: { value: number };
  repeated: { value: number };
  outEnd: { value: number };
  withoutAny: { value: number };
};

/** The kernel that joins files, and its memory, which grows: what `memory` and `words` give is valid until the next call that may need more. */
export type JoinKernel = {
  calls: Exports;
  memory: () => Buffer;
  words: () => Uint32Array;
  /** Gives out memory; throws when there is none left. */
  allocate: (bytes: number) => number;
};

/** Opens a kernel with a memory of its own, for all files of a delivery. */
export async function openJoinKernel(): Promise<JoinKernel> {
  const module = await WebAssembly.compile(await readFile(new URL('./join.wasm', import.meta.url)));
  const calls = new WebAssembly.Instance(module, { env: { abort } }).exports as unknown as Exports;
  let bytes = Buffer.from(calls.memory.buffer);
  let words = new Uint32Array(calls.memory.buffer);
  const renew = () => {
    const { buffer } = calls.memory;
    if (bytes.buffer === buffer) return;
    bytes = Buffer.from(buffer);
    words = new Uint32Array(buffer);
  };
  return {
    calls,
    memory: () => {
      renew();
      return bytes;
    },
    words: () => {
      renew();
      return words;
    },
    allocate: (length) => given(calls.allocate(BigInt(length))),
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

function abort(): never {
  throw new Error('The kernel that joins files was aborted.');
}
