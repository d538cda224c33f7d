import type { AnyFile } from '../../archive/kept-file.ts';
import { lineBatches } from '../../archive/lines.ts';
import { hashKey } from '../../parts/part-hash.ts';
import { partKey } from '../../parts/part-key.ts';
import { createPartSet } from '../../parts/part-set.ts';
import { readRejections } from '../errors/read-rejections.ts';

/** A dataset to choose from: its index, the `.errors` file of its upload, and its columns. */
export type CanaryTable = { indexPath: AnyFile; errorsPath: AnyFile | null; columns: string[] };

/** What choosing reads; plain data, because it runs in a thread. `seed`: other uploads try other rows. */
export type CanaryInput = { seed: string; rows: number; sent: CanaryTable; before: CanaryTable | null };

/** A part to search for, as it was sent. */
export type Canary = { brand: string; oem: string };

/** Parts that must be found, and parts that must not be: they were in the dataset before and are not in this one. */
export type Canaries = { live: Canary[]; removed: Canary[] };

/** One of each feed, at least so many together, and never more than the most. */
const LEAST = 3;
const MOST = 20;

/**
 * Chooses the parts by which a search shows which dataset it searches: the same ones for the same upload, spread over its
 * feeds and rows. Rejected rows are left out, and so are texts that a search may read as something other than a part.
 */
export async function chooseCanaries({ seed, rows, sent, before }: CanaryInput): Promise<Canaries> {
  const salt = seed.slice(0, 8);
  const other = before === null || isSame(before.indexPath, sent.indexPath) ? null : before;
  const held = createPartSet(other === null ? 0 : rows);
  const feeds = new Map<string, Pick>();
  for await (const batch of rowBatches(sent)) {
    for (const { feed, brand, oem, rejected } of batch) {
      const key = searchKey(brand, oem);
      if (other !== null) held.firstLine(key, 1);
      if (rejected) continue;
      let pick = feeds.get(feed);
      if (pick === undefined) feeds.set(feed, (pick = createPick(salt)));
      pick.offer({ brand, oem }, key);
    }
  }
  const removed = createPick(salt);
  if (other !== null) {
    for await (const batch of rowBatches(other)) {
      for (const { brand, oem, rejected } of batch) {
        const key = searchKey(brand, oem);
        // What is met for the first time is added, so that it is offered once.
        if (!rejected && held.firstLine(key, 1) === undefined) removed.offer({ brand, oem }, key);
      }
    }
  }
  return { live: spread([...feeds.values()].map((pick) => pick.best)), removed: removed.best.map(toCanary) };
}

function isSame(one: AnyFile, other: AnyFile): boolean {
  const nameOf = (file: AnyFile) => (typeof file === 'string' ? file : file.sha256);
  return nameOf(one) === nameOf(other);
}

/** A part as searches compare it: letters and digits only, since a search may read `12/3` as `123`. */
export function searchKey(brand: string, oem: string): string {
  const key = partKey(brand, oem);
  return /^[A-Z0-9\t]*$/.test(key) ? key : key.normalize('NFKC').replaceAll(/[^\p{L}\p{N}\t]+/gu, '');
}

/** A row of a dataset, of which it is known whether the service rejected it. */
export type TableRow = Canary & { feed: string; rejected: boolean };

/** The rows of a dataset, in batches; none where its columns have no brand or number. */
export async function* rowBatches({ indexPath, errorsPath, columns }: CanaryTable): AsyncGenerator<TableRow[]> {
  const { pending, keyOf } = await readRejections({ errorsPath, columns });
  // The header of a baseline is not ours: it may say `Brand`.
  const placeOf = (key: string) => columns.findIndex((column) => column.toLowerCase() === key);
  const [brandAt, oemAt] = [placeOf('brand'), placeOf('oem')];
  if (brandAt < 0 || oemAt < 0) return;
  for await (const lines of lineBatches(indexPath)) {
    yield lines.map((text) => {
      const [feed = '', , ...cells] = text.split('\t');
      const rejected = pending.size > 0 && pending.has(keyOf((column) => cells[columns.indexOf(column)]));
      return { feed, brand: cells[brandAt] ?? '', oem: cells[oemAt] ?? '', rejected };
    });
  }
}

type Weighed = Canary & { weight: number };

/** The parts of the least weight among those that are offered, the lightest first. */
type Pick = { best: readonly Weighed[]; offer: (canary: Canary, key: string) => void };

/** The span of a hash: a part that a search takes less surely weighs more than any that it surely takes. */
const HEAVIER = 2 ** 32;

function createPick(salt: string): Pick {
  const best: Weighed[] = [];
  const pair = { high: 0, low: 0 };
  const offer = (canary: Canary, key: string) => {
    hashKey(salt + key, pair);
    const heaviest = best.length < LEAST ? Infinity : best[LEAST - 1]!.weight;
    if (pair.high >= heaviest) return;
    const uncertainty = uncertaintyOf(canary);
    if (uncertainty === null) return;
    const weight = pair.high + uncertainty * HEAVIER;
    if (weight >= heaviest) return;
    const at = best.findIndex((other) => other.weight > weight);
    best.splice(at < 0 ? best.length : at, 0, { ...canary, weight });
    best.length = Math.min(best.length, LEAST);
  };
  return { best, offer };
}

const BRAND = /^[\p{L}\p{N}](?:[\p{L}\p{N} .&+'/-]*[\p{L}\p{N}])?$/u;
const NUMBER = /^[\p{L}\p{N}](?:[\p{L}\p{N} ./-]*[\p{L}\p{N}])?$/u;
const VIN_LENGTH = 17;

/** How sure a search is to take a brand and number as such: 0 surely, 1 it should, null it may take them for something else. */
function uncertaintyOf({ brand, oem }: Canary): 0 | 1 | null {
  if (!readsAsPart({ brand, oem }) || looksLikeVin(`${brand} ${oem}`)) return null;
  return /^[A-Za-z0-9]{5,16}$/.test(oem) && /^[A-Za-z0-9 -]+$/.test(brand) ? 0 : 1;
}

/** Whether a brand and a number, each by itself, are nothing but that to a search. */
export function readsAsPart({ brand, oem }: Canary): boolean {
  return BRAND.test(brand) && readsAsNumber(oem);
}

/** Whether a text by itself is nothing but a part's number to a search. */
export function readsAsNumber(oem: string): boolean {
  if (!NUMBER.test(oem) || !/\d/.test(oem)) return false;
  return oem.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= 3 && !looksLikeVin(oem);
}

/** Whether some words in a row could together be a VIN, which searches another set of parts. */
export function looksLikeVin(query: string): boolean {
  const lengths = query.split(/\s+/).map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, '').length);
  return lengths.some((_length, from) => {
    let length = 0;
    return lengths.slice(from).some((one) => (length += one) === VIN_LENGTH);
  });
}

function spread(feeds: (readonly Weighed[])[]): Canary[] {
  const light = (parts: Weighed[]) => parts.sort((a, b) => a.weight - b.weight);
  const first = light(feeds.flatMap((best) => best.slice(0, 1))).slice(0, MOST);
  const others = light(feeds.flatMap((best) => best.slice(1)));
  return [...first, ...others.slice(0, Math.max(0, LEAST - first.length))].map(toCanary);
}

function toCanary({ brand, oem }: Weighed): Canary {
  return { brand, oem };
}
