import type { Detection } from '../../../../model.ts';
import type { HashPair } from '../../../../parts/part-hash.ts';
import { singleByteCharset } from '../../../../validate/fast/chunk/bytes.ts';
import { charsetTable } from '../../../../validate/fast/wasm/charset-table.ts';
import type { ScanDialect } from '../../../../validate/scan/text-view.ts';
import { markBytes } from '../byte-row.ts';
import type { PlainKeys } from '../row-keys.ts';
import type { AheadCall } from './ahead-words.ts';
import type { RowsResult } from './join-exports.ts';
import type { JoinKernel } from './join-kernel.ts';

/** How the rows of a file are cut and compared; `cells`: how many a plain row has. */
export type PlainFile = {
  dialect: ScanDialect;
  keys: PlainKeys | null;
  cells: { least: number; most: number };
  /** Rows up to this line are left to the slow path. */
  headerLine: number;
};

/** Takes plain rows at once: those that the kernel cuts and compares as the slow path does. */
export type PlainRows = {
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

/** What is done with the rows between two addresses. */
export type Pass = {
  /** Takes them in this thread; answers where the first row begins that was not taken. */
  take: (from: number, to: number) => number;
  /**
   * The same in the second thread, if there is one; it changes nothing that this one reads. `accept` does when all rows before these were taken, and
   * answers what was taken in the end.
   */
  ahead: {
    call: AheadCall;
    args: (from: number, to: number) => readonly number[];
    accept: (result: RowsResult) => Omit<RowsResult, 'outEnd' | 'withoutAny'>;
  } | null;
};

/** Prepares a kernel for the rows of a file, until the next one; null when none of them would be plain. */
export function plainRows(
  kernel: JoinKernel,
  { dialect, keys, cells, headerLine }: PlainFile,
  { take, ahead }: Pass,
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
  const { second } = kernel;
  second?.ahead.collect();
  /** Where the rows begin that the second thread takes, 0 when it takes none; whether it was asked since bytes were handed over. */
  const asked = { from: 0, isOver: true };
  let taken = 0;
  let isFull = false;
  const takeHere = (from: number, to: number) => {
    const next = take(from, to) >>> 0;
    taken += calls.taken.value;
    isFull = calls.isFull.value !== 0;
    return next;
  };
  /** Has the second thread take the last rows. They may not begin with a row, which shows when those before them were taken. */
  const ask = (from: number, to: number) => {
    asked.isOver = true;
    if (second === null || ahead === null || to - from < second.least) return;
    const its = kernel.memory().indexOf(LF, from + Math.floor((to - from) * (1 - second.ahead.share))) + 1;
    if (its >= to) return;
    second.ahead.offer(ahead.call, ahead.args(its, to));
    asked.from = its;
  };
  const takeAll = (from: number, to: number) => {
    if (from >= asked.from) asked.from = 0;
    if (asked.from === 0) return takeHere(from, to);
    const next = takeHere(from, asked.from);
    if (next !== asked.from) return next;
    asked.from = 0;
    const result = second!.ahead.collect();
    if (result === null) return takeHere(next, to);
    const accepted = ahead!.accept(result);
    taken += accepted.taken;
    isFull = accepted.isFull;
    return accepted.taken === 0 ? next : accepted.next;
  };
  return {
    headerLine,
    load: (bytes, from, to) => {
      second?.ahead.collect();
      Object.assign(asked, { from: 0, isOver: false });
      if (to >= input.size) {
        input.size = 2 * to;
        input.at = kernel.allocate(input.size);
      }
      const memory = kernel.memory();
      bytes.copy(memory, input.at + from, from, to);
      memory[input.at + to] = LF;
    },
    take: (at, to) => {
      taken = 0;
      if (!asked.isOver) ask(input.at + at, input.at + to);
      return takeAll(input.at + at, input.at + to) - input.at;
    },
    get taken() {
      return taken;
    },
    get isFull() {
      return isFull;
    },
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
