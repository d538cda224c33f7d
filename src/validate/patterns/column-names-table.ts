import { listedNames } from '../../columns/column-names.ts';
import { foldNames } from '../../columns/name-words.ts';
import { specificationWords } from '../../values/specification.ts';

/** How long each of the four tables is, with a bit for each hash. */
const TABLE_BYTES = 8192;
/** The table of whole names, whose hashes have more bits. */
const NAMES_BYTES = 65_536;
/** What a kernel hashes of a text: one that has anything else is for the slow path. */
const HASHED = /^[a-z0-9\u0430-\u045f]+$/;
/** More letters of a name hardly tell it from other words. */
const MOST = 5;

/**
 * With which Latin or Cyrillic letters a name of a column begins, which are a whole name, and with which a name ends that only ends words: a kernel that
 * finds none of them in a text knows that it names no column. Then all whole names (kernel/column-names.ts).
 */
export function columnNamesTable(): Uint8Array {
  const { whole, beginnings, endings } = listedNames();
  const words = specificationWords().map((word) => foldNames(word, ''));
  const table = new Uint8Array(TABLE_BYTES * 4);
  const parts = [0, 1, 2, 3].map((at) => table.subarray(at * TABLE_BYTES, (at + 1) * TABLE_BYTES));
  const [long, short, complete, ends] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  for (const name of [...beginnings, ...words]) {
    const letters = lettersOf(name);
    add(letters.length === MOST ? long : short, letters);
  }
  for (const name of whole) {
    const letters = lettersOf(name);
    add(letters.length === MOST ? long : letters.length === name.length ? complete : short, letters);
  }
  for (const name of endings) add(ends, lettersOf(Array.from(name).toReversed().join('')));
  return Buffer.concat([table, wholeNamesTable(whole)]);
}

/** All whole names that a kernel can hash, each as one bit. */
function wholeNamesTable(names: string[]): Uint8Array {
  const table = new Uint8Array(NAMES_BYTES);
  for (const name of names.filter((whole) => HASHED.test(whole))) {
    const hash = hashOf(name);
    const bit = (hash ^ (hash >>> 13)) & (NAMES_BYTES * 8 - 1);
    table[bit >> 3]! |= 1 << (bit & 7);
  }
  return table;
}

/** The first letters of a name, until one that is neither Latin nor Cyrillic. */
function lettersOf(name: string): string {
  return /^[a-z\u0430-\u045f]*/.exec(name)![0].slice(0, MOST);
}

function add(table: Uint8Array, letters: string): void {
  if (letters === '') return;
  const hash = hashOf(letters);
  const bit = (hash ^ (hash >>> 16)) & 0xffff;
  table[bit >> 3]! |= 1 << (bit & 7);
}

/** What a kernel compares of the name of a column with a text: the hash of its Latin letters, whatever case and accents they have. */
export function lettersHash(name: string): number {
  return hashOf(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z]/gu, ''),
  );
}

/** FNV-1a of the letters: Latin ones count from 1, all others as they are in Unicode. */
function hashOf(letters: string): number {
  let hash = 0x811c9dc5;
  for (const letter of letters) {
    const code = letter.charCodeAt(0);
    hash = Math.imul(hash ^ (code >= 97 && code <= 122 ? code - 96 : code), 0x01000193);
  }
  return hash;
}
