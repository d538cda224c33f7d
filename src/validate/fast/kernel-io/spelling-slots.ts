import { foldHalf } from '../../../parts/part-key.ts';
import { spellingsIn, type SpellingTable } from '../../../parts/spellings.ts';
import { openKernel } from '../wasm/kernel.ts';

/** Where kernels find the table of spellings, and its number of slots less 1; an address of 0: there is none. */
export type PlacedSpellings = { address: number; mask: number; longest: number };

export const NO_SPELLINGS: PlacedSpellings = { address: 0, mask: 0, longest: 0 };

/** A slot in words, as kernel/spellings.ts has it: two hashes, where the text begins and ends. */
const SLOT_WORDS = 6;
/** Kernels copy texts in steps, and hash what is filled up with zeros. */
const STEP = 64;

/** How many slots a table has: at most half of them are used. */
function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, count * 2)));
}

/** How many bytes a table of spellings takes at most, with the texts of its brands. */
export function spellingBytes(table: SpellingTable): number {
  const count = [...spellingsIn(table)].length;
  return slotsFor(count) * SLOT_WORDS * 4 + Buffer.byteLength(table.text) + 4 * STEP;
}

/** Writes a table of spellings into the memory from an address that words may begin at; `module` hashes as it will look up. */
export function placeSpellings(
  table: SpellingTable,
  at: number,
  { memory, module }: { memory: WebAssembly.Memory; module: WebAssembly.Module },
): PlacedSpellings {
  const kernel = openKernel(module, memory);
  const bytes = Buffer.from(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const spellings = [...spellingsIn(table)];
  const slots = slotsFor(spellings.length);
  const scratch = at + slots * SLOT_WORDS * 4;
  let textAt = scratch;
  let longest = 0;
  const hashOf = (folded: string): [low: number, high: number] => {
    // Behind the texts so far: what is hashed is overwritten by the next one.
    kernel.hashSpelling(textAt, textAt + bytes.write(folded, textAt));
    return [kernel.hashLow.value >>> 0, kernel.hashHigh.value >>> 0];
  };
  const placed = new Map<string, number[]>();
  const placeBrand = (brand: string): number[] => {
    const hash = hashOf(foldHalf(brand));
    const length = bytes.write(brand, textAt);
    const words = [...hash, textAt, textAt + length];
    textAt += length;
    longest = Math.max(longest, length);
    placed.set(brand, words);
    return words;
  };
  for (const [spelling, brand] of spellings) {
    const found = placed.get(brand) ?? placeBrand(brand);
    const [low, high] = hashOf(spelling);
    let slot = (low & (slots - 1)) >>> 0;
    while (words[(at >>> 2) + slot * SLOT_WORDS + 5] !== 0) slot = (slot + 1) & (slots - 1);
    words.set([low, high, ...found], (at >>> 2) + slot * SLOT_WORDS);
  }
  return { address: at, mask: slots - 1, longest };
}
