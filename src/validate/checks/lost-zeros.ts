import type { AnyFile } from '../../archive/kept-file.ts';
import { lineBatches } from '../../archive/lines.ts';
import type { Issue } from '../../model.ts';
import { partKey } from '../../parts/part-key.ts';
import { createIssue } from '../issues/create-issue.ts';

/** Accepted rows as `validate` writes them, with the keys of their cells. */
export type KeptRows = { path: AnyFile; columns: string[] };

/** A row that may have lost zeros, or kept them. */
type Numbered = { line: number; number: string; key: string };

/** A spreadsheet treats only pure digits as an amount; anything else keeps its zeros. */
const WITH_ZERO = /^0+[1-9]\d*$/;
const WITHOUT_ZERO = /^[1-9]\d*$/;

/** Parts that are remembered, in 16 bytes each; the rest of a larger delivery is not compared. */
const MOST_PARTS = 2_000_000;

/**
 * Finds the rows whose number is that of a row in the earlier delivery without its leading zeros, and yields their issues in
 * file order. A part that the file has in both spellings has lost nothing.
 */
export async function* findLostZeros(current: KeptRows, earlier: KeptRows): AsyncGenerator<Issue> {
  const parts = await partsWithZeros(earlier);
  if (parts.hashes.length === 0) return;
  let lost = 0;
  for await (const { number, key } of numbered(current)) {
    const at = indexOf(parts.hashes, key);
    if (at === -1) continue;
    if (WITH_ZERO.test(number)) parts.kept[at] = 1;
    else lost += 1;
  }
  if (lost === 0) return;
  for await (const { line, number, key } of numbered(current)) {
    const at = WITHOUT_ZERO.test(number) ? indexOf(parts.hashes, key) : -1;
    if (at === -1 || parts.kept[at] === 1) continue;
    yield createIssue('leading-zero-lost', { line, column: 'oem', value: number }, {});
  }
}

async function partsWithZeros(rows: KeptRows) {
  const hashes: number[] = [];
  for await (const { number, key } of numbered(rows)) {
    if (WITH_ZERO.test(number) && hashes.push(hash(key)) === MOST_PARTS) break;
  }
  return { hashes: Float64Array.from(hashes).sort(), kept: new Uint8Array(hashes.length) };
}

/** The rows whose number is only digits; `key` is the key of the part without leading zeros. */
async function* numbered({ path, columns }: KeptRows): AsyncGenerator<Numbered> {
  const [brandAt, oemAt] = [columns.indexOf('brand') + 1, columns.indexOf('oem') + 1];
  for await (const lines of lineBatches(path)) {
    for (const row of lines) {
      const cells = row.split('\t');
      const [brand, number] = [cells[brandAt] ?? '', cells[oemAt] ?? ''];
      if (!WITH_ZERO.test(number) && !WITHOUT_ZERO.test(number)) continue;
      yield { line: Number(cells[0]), number, key: partKey(brand, number.replace(/^0+/, '')) };
    }
  }
}

function indexOf(hashes: Float64Array, key: string): number {
  const wanted = hash(key);
  let [low, high] = [0, hashes.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = hashes[middle]!;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Two lanes of multiplications, combined to the 53 bits that a number holds exactly: enough for millions of parts. */
function hash(key: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < key.length; at += 1) {
    const unit = key.charCodeAt(at);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 4_294_967_296 * (b & 0x1fffff) + (a >>> 0);
}
