import { open } from 'node:fs/promises';
import type { AnyFile } from '../archive/kept-file.ts';
import { lineBatches } from '../archive/lines.ts';
import { hashKey } from '../parts/part-hash.ts';
import { partKey } from '../parts/part-key.ts';

/**
 * A part of a delivery with its price and stock, null where its cell gives none. `line` is that of the text that the file was read as.
 */
export type SampledPart = { line: number; brand: string; oem: string; price: number | null; stock: number | null };

/** A row whose price cell is taken for an article number. */
export type SampledCell = { line: number; brand: string; oem: string; cell: string };

/**
 * Parts of a delivery by their keys: all, or those with the smallest keys, up to `limit`. Two samples hold the same parts
 * below the smaller of their limits, so that what is compared is a random part of what both deliveries have.
 */
export type Sample = {
  parts: Map<number, SampledPart>;
  cells: Map<number, SampledCell>;
  limit: number;
  cellLimit: number;
};

/** Parts of a delivery that are kept: 50,000 are compared to within half a percent. */
export const MOST_PARTS = 50_000;
/** Price cells that are looked up as article numbers. */
export const MOST_CELLS = 2_000;

const PAIR = { high: 0, low: 0 };

/** The key of a part, a number below 2⁵³: a hash of brand and article number as duplicates are found by. Pure. */
export function sampleKey(brand: string, oem: string): number {
  hashKey(partKey(brand, oem), PAIR);
  return PAIR.high * 2 ** 21 + (PAIR.low >>> 11);
}

/** Keeps the values with the smallest keys, in twice their memory at most. */
export type SmallestKeys<T> = {
  /** Whether a value of this key would be kept now. */
  takes: (key: number) => boolean;
  add: (key: number, value: T) => void;
  /** The kept ones in the order of their keys, and the key from which on values were left out. */
  end: () => { entries: [key: number, value: T][]; limit: number };
};

/** Creates a collection that keeps `most` values: those with the smallest keys, the first of equal ones. */
export function keepSmallest<T>(most: number): SmallestKeys<T> {
  let entries: [number, T][] = [];
  let limit = Infinity;
  const cut = () => {
    const unique = new Map<number, T>();
    for (const [key, value] of entries) if (!unique.has(key)) unique.set(key, value);
    entries = [...unique].sort(([a], [b]) => a - b);
    if (entries.length <= most) return;
    limit = entries[most]![0];
    entries = entries.slice(0, most);
  };
  return {
    takes: (key) => key < limit,
    add: (key, value) => {
      if (key >= limit) return;
      entries.push([key, value]);
      if (entries.length >= most * 2) cut();
    },
    end: () => {
      cut();
      return { entries, limit };
    },
  };
}

const PART = 'p';
const CELL = 'c';

/** Writes a sample as lines of our own, in the order of the keys: equal deliveries make equal files. */
export async function writeSample(
  path: string,
  parts: SmallestKeys<SampledPart>,
  cells: SmallestKeys<SampledCell>,
): Promise<void> {
  const [kept, swapped] = [parts.end(), cells.end()];
  await using file = await open(path, 'w');
  await file.write(`${JSON.stringify({ version: 1, limit: kept.limit, cellLimit: swapped.limit })}\n`);
  for (let at = 0; at < kept.entries.length; at += BATCH) {
    const lines = kept.entries
      .slice(at, at + BATCH)
      .map(([key, { line, brand, oem, price, stock }]) => [PART, key, line, brand, oem, price ?? '', stock ?? '']);
    await file.write(lines.map((line) => `${line.join('\t')}\n`).join(''));
  }
  const lines = swapped.entries.map(([key, { line, brand, oem, cell }]) => [CELL, key, line, brand, oem, cell]);
  await file.write(lines.map((line) => `${line.join('\t')}\n`).join(''));
}

const BATCH = 5_000;

/** Reads what `writeSample` wrote. Fails with `archive` when a kept file is damaged. */
export async function readSample(file: AnyFile): Promise<Sample> {
  const sample: Sample = { parts: new Map(), cells: new Map(), limit: Infinity, cellLimit: Infinity };
  let isHead = true;
  for await (const lines of lineBatches(file)) {
    for (const text of lines) {
      if (isHead) {
        // Infinity is null in JSON.
        const head = JSON.parse(text) as { limit: number | null; cellLimit: number | null };
        sample.limit = head.limit ?? Infinity;
        sample.cellLimit = head.cellLimit ?? Infinity;
        isHead = false;
        continue;
      }
      const [kind, key, line, brand = '', oem = '', first = '', second = ''] = text.split('\t');
      const of = { line: Number(line), brand, oem };
      if (kind === PART) sample.parts.set(Number(key), { ...of, price: numberOf(first), stock: numberOf(second) });
      else if (kind === CELL) sample.cells.set(Number(key), { ...of, cell: first });
    }
  }
  return sample;
}

function numberOf(cell: string): number | null {
  return cell === '' ? null : Number(cell);
}
