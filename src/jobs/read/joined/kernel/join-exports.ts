/** The exports of kernel/join, where each is documented. Addresses and numbers are u32. */
export type JoinExports = {
  configure: (shared: number, own: number) => void;
  allocate: (bytes: bigint) => number;
  createIndex: (expected: number) => number;
  addPart: (index: number, high: number, low: number, value: number) => number;
  findPart: (index: number, high: number, low: number) => number;
  valueAt: (slot: number) => number;
  mark: (index: number, slot: number) => void;
  isMarked: (slot: number) => number;
  createStore: (bits: number, most: number) => number;
  keepCells: (store: number, from: number, length: number) => number;
  createPartner: () => number;
  stageRows: (these: number, most: number, staged: number, stagedEnd: number, from: number, to: number) => number;
  addStaged: (index: number, store: number, these: number, count: number, showsRepeated: number) => number;
  joinRows: (first: number, from: number, to: number, target: number, targetEnd: number) => number;
  markMet: (first: number) => void;
  passRows: (index: number, from: number, to: number) => number;
  ROW_BYTES: { value: number };
  SHARED_BYTES: { value: number };
  OWN_BYTES: { value: number };
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

/** Instantiates a kernel on a memory, which several may share. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): JoinExports {
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as JoinExports;
}

/** What a call said that takes rows: where the first one begins that it did not take, and what became of the others. */
export type RowsResult = { next: number; taken: number; isFull: boolean; outEnd: number; withoutAny: number };

/** What the last call of a kernel said, which answered `next`. */
export function resultOf({ taken, isFull, outEnd, withoutAny }: JoinExports, next: number): RowsResult {
  return {
    next: next >>> 0,
    taken: taken.value,
    isFull: isFull.value !== 0,
    outEnd: outEnd.value >>> 0,
    withoutAny: withoutAny.value,
  };
}

function abort(): never {
  throw new Error('The kernel that joins files was aborted.');
}
