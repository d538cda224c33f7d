import { readFile } from 'node:fs/promises';

/**
 * The exports of kernel/, where each is documented. Addresses and numbers are u32; the globals say where reading continues.
 * All threads share one memory, and each slot has its own kernel.
 */
export type Kernel = {
  configure: (from: number) => void;
  indexBytes: (from: number, to: number, target: number) => number;
  transcode: (from: number, to: number, target: number, table: number) => number;
  open: (index: number, indexCount: number, out: number, entries: number) => void;
  parseRows: (at: number, to: number, firstLine: number) => number;
  resume: (out: number, entries: number) => void;
  hashKey: (from: number, to: number) => void;
  hashSpelling: (from: number, to: number) => void;
  findDuplicates: (entries: number, count: number, table: number, slots: number, target: number) => number;
  nameDuplicate: (entry: number, first: number, index: number, indexCount: number) => number;
  nameLeftOut: (entry: number, rule: number, index: number, indexCount: number) => number;
  cutEntry: (entry: number, index: number, indexCount: number) => number;
  cells: () => number;
  askCell: (leaf: number, from: number, to: number) => number;
  keepAnswer: (leaf: number, found: number) => void;
  keepNumber: (leaf: number, kind: number, value: number) => void;
  wrapCounts: () => number;
  breaks: { value: number };
  rowAt: { value: number };
  rowEnd: { value: number };
  line: { value: number };
  outAt: { value: number };
  entryAt: { value: number };
  findingAt: { value: number };
  warnings: { value: number };
  leftOut: { value: number };
  room: { value: number };
  hashLow: { value: number };
  hashHigh: { value: number };
};

export const PAGE = 65_536;
const MOST_PAGES = 65_536;

/** Compiles the kernel once; the module is handed to every thread. */
export async function compiledKernel(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./kernel.wasm', import.meta.url)));
}

/** Instantiates a kernel on a memory. */
export function openKernel(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernel {
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as Kernel;
}

function abort(): never {
  throw new Error('The kernel that reads large files was aborted.');
}

/** Creates a memory for kernels; unused pages take no space. */
export function createMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE), maximum: MOST_PAGES, shared: true });
}
