import { closeSync, openSync, writeSync } from 'node:fs';
import { refuseWrite } from '../../../io/text-writer.ts';
import { readInto } from '../../../io/read-pieces.ts';

/** Cells of rows as bytes, found again by a number: in memory up to a limit, the rest in a file. */
export type CellStore = Disposable & {
  /** Keeps bytes without a line break; answers where they are. */
  add: (bytes: Uint8Array, length: number) => number;
  /** Copies what is at a place to `target`, from `at` on; answers where it ends. There must be room for it. */
  copy: (place: number, target: Uint8Array, at: number) => number;
  /** The longest that was kept. */
  readonly longest: number;
  /** Bytes so far, with what stands between them. */
  readonly bytes: number;
};

const LF = 10;
/** Bytes of a block, and how many of them stay in memory. */
const STORE = { block: 1 << 20, kept: 128 };
/** Bytes that are read of the file at once: what was kept together is mostly wanted together. */
const WINDOW = 8192;

/** Creates a store; `path` is for what memory does not hold, and the caller removes it. */
export function createCellStore(path: string, { block, kept } = STORE): CellStore {
  const blocks: Uint8Array[] = [];
  let [end, longest] = [0, 0];
  let spilled: { file: number; block: Uint8Array; used: number; written: number } | null = null;
  const window = { bytes: Buffer.alloc(0), start: 0 };
  const inMemory = block * kept;

  const addInMemory = (bytes: Uint8Array, length: number): number => {
    if (end + length + 1 > blocks.length * block) {
      end = blocks.length * block;
      blocks.push(new Uint8Array(block));
    }
    const [place, last] = [end, blocks[blocks.length - 1]!];
    let to = end % block;
    for (let at = 0; at < length; at += 1, to += 1) last[to] = bytes[at]!;
    last[to] = LF;
    end += length + 1;
    return place;
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
    add: (bytes, length) => {
      longest = Math.max(longest, length);
      const isFull = spilled !== null || length >= block || (blocks.length === kept && end + length + 1 > inMemory);
      return isFull ? addToFile(bytes, length) : addInMemory(bytes, length);
    },
    copy: (place, target, at) => {
      if (place >= inMemory) {
        spill();
        const bytes = fromFile(place - inMemory);
        target.set(bytes, at);
        return at + bytes.length;
      }
      const bytes = blocks[Math.floor(place / block)]!;
      let to = at;
      for (let from = place % block; bytes[from] !== LF; from += 1, to += 1) target[to] = bytes[from]!;
      return to;
    },
    get longest() {
      return longest;
    },
    get bytes() {
      return spilled === null ? end : inMemory + spilled.written + spilled.used;
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
