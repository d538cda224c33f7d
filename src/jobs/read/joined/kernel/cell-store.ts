import { closeSync, openSync, writeSync } from 'node:fs';
import { refuseWrite } from '../../../../io/text-writer.ts';
import { readInto } from '../../../../io/read-pieces.ts';
import { given, type JoinKernel } from './join-kernel.ts';

/** Cells of rows as bytes, found again by a number: in the memory of a kernel up to a limit, the rest in a file. */
export type CellStore = Disposable & {
  /** Keeps bytes without a line break; answers where they are. */
  add: (bytes: Uint8Array, length: number) => number;
  /** Copies what is at a place to `target`, from `at` on; answers where it ends. There must be room for it. */
  copy: (place: number, target: Uint8Array, at: number) => number;
  /** The longest that was kept. */
  readonly longest: number;
  /** Where the kernel has it. */
  readonly address: number;
};

const LF = 10;
/** Bytes of a block, a power of two, and how many blocks stay in memory. */
const STORE = { block: 1 << 20, kept: 128 };
/** Bytes that are read of the file at once: what was kept together is mostly wanted together. */
const WINDOW = 8192;
/* The words of a store, and what `keepCells` answers for what does not fit, as kernel/join/cell-store.ts has them. */
const [LONGEST, BLOCKS] = [4, 5];
const NOT_KEPT = -1;

/** Creates a store; `path` is for what memory does not hold, and the caller removes it. */
export function createCellStore(kernel: JoinKernel, path: string, { block, kept } = STORE): CellStore {
  const { calls, memory, words } = kernel;
  const address = given(calls.createStore(Math.log2(block), kept));
  const at = address / 4;
  const staged = kernel.allocate(block);
  let spilled: { file: number; block: Uint8Array; used: number; written: number } | null = null;
  const window = { bytes: Buffer.alloc(0), start: 0 };
  const inMemory = block * kept;

  /** Keeps bytes in memory; -1 when they do not fit. */
  const addInMemory = (bytes: Uint8Array, length: number): number => {
    if (length >= block) return NOT_KEPT;
    memory().set(length === bytes.length ? bytes : bytes.subarray(0, length), staged);
    return calls.keepCells(address, staged, length);
  };

  const spill = () => {
    if (spilled === null || spilled.used === 0) return;
    try {
      for (let at = 0; at < spilled.used;)
        at += writeSync(spilled.file, spilled.block, at, spilled.used - at, spilled.written + at);
    } catch (error) {
      refuseWrite(path, error);
    }
    spilled.written += spilled.used;
    spilled.used = 0;
  };

  const addToFile = (bytes: Uint8Array, length: number): number => {
    spilled ??= { file: openFile(path), block: new Uint8Array(block), used: 0, written: 0 };
    if (spilled.used + length + 1 > spilled.block.length) spill();
    if (length + 1 > spilled.block.length) spilled.block = new Uint8Array(length + 1);
    const place = inMemory + spilled.written + spilled.used;
    spilled.block.set(bytes.subarray(0, length), spilled.used);
    spilled.block[spilled.used + length] = LF;
    spilled.used += length + 1;
    return place;
  };

  /** The bytes of the file from a place on, up to the line break behind what was kept there. */
  const fromFile = (place: number): Buffer => {
    const offset = place - window.start;
    const found = offset < 0 || offset >= window.bytes.length ? -1 : window.bytes.indexOf(LF, offset);
    if (found !== -1) return window.bytes.subarray(offset, found);
    for (let length = WINDOW; ; length *= 2) {
      const bytes = Buffer.allocUnsafe(length);
      const got = readInto(spilled!.file, bytes, 0, length, place);
      window.bytes = bytes.subarray(0, got);
      window.start = place;
      const lineEnd = window.bytes.indexOf(LF);
      if (lineEnd !== -1) return window.bytes.subarray(0, lineEnd);
      if (got < length) throw new Error(`${path} ends before what was kept in it.`);
    }
  };

  return {
    address,
    add: (bytes, length) => {
      const place = addInMemory(bytes, length);
      if (place !== NOT_KEPT) return place;
      const all = words();
      all[at + LONGEST] = Math.max(all[at + LONGEST]!, length);
      return addToFile(bytes, length);
    },
    copy: (place, target, to) => {
      if (place >= inMemory) {
        spill();
        const bytes = fromFile(place - inMemory);
        target.set(bytes, to);
        return to + bytes.length;
      }
      const all = words();
      const bytes = memory();
      let from = all[all[at + BLOCKS]! / 4 + Math.floor(place / block)]! + (place % block);
      let end = to;
      for (; bytes[from] !== LF; from += 1, end += 1) target[end] = bytes[from]!;
      return end;
    },
    get longest() {
      return words()[at + LONGEST]!;
    },
    [Symbol.dispose]: () => {
      if (spilled !== null) closeSync(spilled.file);
    },
  };
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w+');
  } catch (error) {
    return refuseWrite(path, error);
  }
}
