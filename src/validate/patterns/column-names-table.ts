import { listedNames } from '../../columns/column-names.ts';
import { specificationWords } from '../../values/specification.ts';

/** A letter is a number from 1 to 26, and 0 where there is none. */
const LETTERS = 27;
const ROWS = Math.ceil(LETTERS ** 3 / 8);

/** How long each half of the table is. */
const NAME_BITS_BYTES = Math.ceil(ROWS / 64) * 64;

/**
 * With which three Latin letters a name of a column begins, a bit for each, then with which three it ends that only ends words: a kernel
 * that finds neither in a text knows that it names no column (kernel/column-names.ts). Shorter names stand for all that begin or end so.
 */
export function columnNamesTable(): Uint8Array {
  const { whole, beginnings, endings } = listedNames();
  const words = specificationWords().map((word) => word.replaceAll(/[^a-z]/g, ''));
  const table = new Uint8Array(NAME_BITS_BYTES * 2);
  for (const name of [...whole, ...beginnings, ...words]) {
    const letters = name.slice(0, 3);
    if (/^[a-z]+$/.test(letters)) for (const three of completions(letters, (end) => letters + end)) add(table, three);
  }
  const last = table.subarray(NAME_BITS_BYTES);
  for (const name of endings) {
    const letters = name.slice(-3);
    if (/^[a-z]+$/.test(letters))
      for (const three of completions(letters, (begin) => begin + letters)) add(last, three);
  }
  return table;
}

const ALL = ['`', ...'abcdefghijklmnopqrstuvwxyz'.split('')];

/** The rows of three that have some letters; the sign before `a` stands for none. */
function completions(letters: string, with_: (others: string) => string): string[] {
  let others = [''];
  for (let more = letters.length; more < 3; more += 1)
    others = others.flatMap((other) => ALL.map((one) => other + one));
  return others.map(with_);
}

function add(table: Uint8Array, three: string): void {
  const [a, b, c] = [0, 1, 2].map((at) => three.charCodeAt(at) - 96) as [number, number, number];
  const bit = (a * LETTERS + b) * LETTERS + c;
  table[bit >> 3]! |= 1 << (bit & 7);
}
