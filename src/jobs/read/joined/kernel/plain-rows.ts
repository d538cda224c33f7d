import type { Detection } from '../../../../model.ts';
import type { HashPair } from '../../../../parts/part-hash.ts';
import { singleByteCharset } from '../../../../validate/fast/chunk/bytes.ts';
import { charsetTable } from '../../../../validate/fast/wasm/charset-table.ts';
import type { ScanDialect } from '../../../../validate/scan/text-view.ts';
import { markBytes } from '../byte-row.ts';
import type { PlainKeys } from '../row-keys.ts';
import type { JoinKernel } from './join-kernel.ts';
import { rowsTaker, type RowsPass } from './take-rows.ts';

/** How the rows of a file are cut and compared; `cells`: how many a plain row has. */
export type PlainFile = {
  dialect: ScanDialect;
  keys: PlainKeys | null;
  cells: { least: number; most: number };
  /** Rows up to this line are left to the slow path. */
  headerLine: number;
};

/** Takes plain rows at once: those that the kernel cuts and compares as the slow path does. The kernel has nothing else to do until it is disposed of. */
export type PlainRows = Disposable & {
  /** Rows up to this line are left to the slow path. */
  headerLine: number;
  /** Hands over the bytes at hand in [from, to). */
  load: (bytes: Buffer, from: number, to: number) => void;
  /** Takes rows from a place on; answers where the first row begins that is not plain or not whole. */
  take: (at: number, to: number) => number;
  /** How many rows were taken at once, and whether more would have been if there had been room for what they bring. */
  readonly taken: number;
  readonly isFull: boolean;
};

/** The words of the settings, as kernel/join/settings.ts has them. */
const WORDS = { header: 7, headerEnd: 8, hasHeaderHash: 9, headerHigh: 10, headerLow: 11, charset: 12 };
const NO_COLUMN = 0xffffffff;
const LF = 10;

/** Prepares a kernel for the rows of a file, until the next one; null when none of them would be plain. */
export function plainRows(
  kernel: JoinKernel,
  { dialect, keys, cells, headerLine }: PlainFile,
  pass: RowsPass,
): PlainRows | null {
  const marks = markBytes(dialect);
  if (marks === null || keys === null) return null;
  const { oem, brand } = keys;
  const least = Math.max(cells.least, oem + 1, (brand ?? 0) + 1);
  const { calls } = kernel;
  const words = [...marks, least, cells.most, oem, brand ?? NO_COLUMN, 0, 0, 0, 0, 0, 0, 0, 0];
  kernel.words().set(words, calls.settings.value / 4);
  kernel.memory().set(new Uint8Array(keys.folded.buffer), calls.folded.value);
  kernel.memory().set(keys.letters, calls.letters.value);
  const input = { at: 0, size: 0 };
  const taker = rowsTaker(kernel, pass);
  let isNew = false;
  let last = { next: 0, taken: 0, isFull: false };
  return {
    headerLine,
    load: (bytes, from, to) => {
      taker.forget();
      isNew = true;
      if (to >= input.size) {
        input.size = bytes.length + 1;
        input.at = kernel.allocate(input.size);
      }
      const memory = kernel.memory();
      bytes.copy(memory, input.at + from, from, to);
      memory[input.at + to] = LF;
    },
    take: (at, to) => {
      const [from, end] = [input.at + at, input.at + to];
      if (isNew) taker.expect(from, end);
      isNew = false;
      last = taker.take(from, end);
      return last.next - input.at;
    },
    get taken() {
      return last.taken;
    },
    get isFull() {
      return last.isFull;
    },
    [Symbol.dispose]: taker.forget,
  };
}

/** The line up to which the rows of a file are left to the slow path. */
export function linesBefore({ header, headerLine }: Pick<Detection, 'header' | 'headerLine'>): number {
  return header ? headerLine : headerLine - 1;
}

function setWord({ calls, words }: JoinKernel, word: number, value: number): void {
  words()[calls.settings.value / 4 + word] = value;
}

/** Leaves rows with the part of the header out. */
export function setHeaderPart(kernel: JoinKernel, { high, low }: HashPair): void {
  setWord(kernel, WORDS.headerHigh, high);
  setWord(kernel, WORDS.headerLow, low);
  setWord(kernel, WORDS.hasHeaderHash, 1);
}

/** Leaves rows with the bytes of the header to the slow path. */
export function setHeaderBytes(kernel: JoinKernel, bytes: Buffer): void {
  const at = keepBytes(kernel, bytes);
  setWord(kernel, WORDS.header, at);
  setWord(kernel, WORDS.headerEnd, at + bytes.length);
}

/** Says in which charset the file is. */
export function setCharset(kernel: JoinKernel, charset: string): void {
  const characters = charset === 'utf-8' ? null : singleByteCharset(charset);
  setWord(kernel, WORDS.charset, characters === null ? 0 : keepBytes(kernel, charsetTable(characters)));
}

/** Puts bytes into the memory of a kernel for as long as it exists; answers where. */
export function keepBytes(kernel: JoinKernel, bytes: Uint8Array): number {
  const at = kernel.allocate(bytes.length);
  kernel.memory().set(bytes, at);
  return at;
}
