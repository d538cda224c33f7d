import type { SeenSignals, SignalExample, SignalFinding } from '../model.ts';
import type { Sample, SampledCell, SampledPart } from './sample.ts';

/** A part with its price in both deliveries. */
export type PricePair = { part: SampledPart; before: number; after: number; ratio: number };

/** What is known of the prices of a delivery and of those before. */
type Compared = {
  newer: { seen: SeenSignals; sample: Sample | null };
  before: SeenSignals | null;
  pairs: PricePair[];
  jumped: PricePair[];
  /** Price cells that are the number of a part of the older delivery, of those that were looked up. */
  swapped: { cells: SampledCell[]; of: number };
};

/** A statistic of fewer parts says nothing. */
export const LEAST_PARTS = 10;
/** This share of the parts whose price is another by the same power of ten is no chance. */
const SCALED_SHARE = 0.05;
/** How near to a power of ten a ratio is, and how near those of a cluster usually are (in powers of ten: 1.26 and 1.12 times). */
const NEAR = 0.1;
const USUALLY_NEAR = 0.05;
const POWERS = [-3, -2, -1, 1, 2, 3];
/** This share of prices that jumped is worth a word when no better one is found. */
const JUMPED_SHARE = 0.2;
/** All, but for a few. */
const NEARLY_ALL = 0.95;
const MOST = 0.5;
const EXAMPLES = 3;

/** What is strange about the prices of a delivery. Pure. */
export function findPrices(compared: Compared, older: Sample | null): SignalFinding[] {
  const swapped = findSwapped(compared);
  if (swapped !== null) return [swapped];
  const found = [findUnreadable(compared), findEqual(compared, older), findChange(compared)];
  return found.filter((finding) => finding !== null);
}

/** Prices and article numbers have changed places. */
function findSwapped({ swapped: { cells, of } }: Compared): SignalFinding | null {
  if (cells.length < LEAST_PARTS || cells.length < of * MOST) return null;
  const examples = inFileOrder(cells).map((cell) => example(cell, null, cell.cell));
  return { code: 'prices-swapped', parts: cells.length, of, examples };
}

/** The column of prices is gone, or most of its cells are no prices, which they were before. */
function findUnreadable({ newer, before }: Compared): SignalFinding | null {
  const { price, rows: of } = newer.seen;
  const was = before?.price ?? null;
  if (price === null && was === null) return null;
  const lost = price === null ? of : price.unreadable + (was === null ? 0 : price.notGiven);
  const wasSo = was !== null && was.unreadable + was.notGiven >= Math.max(1, before!.rows) * MOST;
  if (lost < LEAST_PARTS || lost < of * MOST || wasSo) return null;
  return { code: 'prices-unreadable', rows: lost, of, cells: price?.examples ?? [], examples: [] };
}

/** Nearly all parts cost the same, and did not before. */
function findEqual({ newer }: Compared, older: Sample | null): SignalFinding | null {
  const usual = usualPrice(newer.sample);
  if (usual === null || usual.parts < usual.of * NEARLY_ALL) return null;
  const was = usualPrice(older);
  if (was !== null && was.parts >= was.of * NEARLY_ALL) return null;
  const equal = [...newer.sample!.parts].filter(([, { price }]) => price === usual.price);
  const examples = equal
    .sort(([, a], [, b]) => a.line - b.line)
    .slice(0, EXAMPLES)
    .map(([key, part]) => example(part, shown(older?.parts.get(key)?.price ?? null), shown(part.price) ?? ''));
  return { code: 'prices-equal', ...usual, examples };
}

/** The price that most parts have; null for too few parts. */
function usualPrice(sample: Sample | null): { price: number; parts: number; of: number } | null {
  const counts = new Map<number, number>();
  let of = 0;
  for (const { price } of sample?.parts.values() ?? []) {
    if (price === null) continue;
    of += 1;
    counts.set(price, (counts.get(price) ?? 0) + 1);
  }
  if (of < LEAST_PARTS) return null;
  const [price, parts] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
  return { price, parts, of };
}

/** A change of the currency, of the decimal mark, or of the prices as such: the first that explains it. */
function findChange({ newer, before, pairs, jumped }: Compared): SignalFinding | null {
  const [was, is] = [before?.price?.currency ?? null, newer.seen.price?.currency ?? null];
  if (was !== null && is !== null && was !== is) {
    return { code: 'currency-changed', before: was, after: is, examples: examplesOf(pairs) };
  }
  if (pairs.length < LEAST_PARTS) return null;
  const scaled = POWERS.map((power) => ({ power, found: clusterAt(power, pairs) })).sort(
    (a, b) => b.found.length - a.found.length,
  )[0]!;
  const of = pairs.length;
  if (scaled.found.length >= Math.max(LEAST_PARTS, of * SCALED_SHARE)) {
    const { power, found } = scaled;
    return { code: 'prices-scaled', factor: 10 ** power, parts: found.length, of, examples: examplesOf(found) };
  }
  if (jumped.length < Math.max(LEAST_PARTS, of * JUMPED_SHARE)) return null;
  const ratio = median(jumped.map((pair) => pair.ratio));
  return { code: 'prices-jumped', ratio, parts: jumped.length, of, examples: examplesOf(jumped) };
}

/** The parts whose price is another by this power of ten; none when their ratios are spread, as those of other changes are. */
function clusterAt(power: number, pairs: PricePair[]): PricePair[] {
  const found = pairs.filter(({ ratio }) => Math.abs(Math.log10(ratio) - power) < NEAR);
  if (found.length === 0) return found;
  const off = Math.abs(Math.log10(median(found.map(({ ratio }) => ratio))) - power);
  return off < USUALLY_NEAR ? found : [];
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function examplesOf(pairs: PricePair[]): SignalExample[] {
  return pairs.slice(0, EXAMPLES).map(({ part, before, after }) => example(part, shown(before), shown(after) ?? ''));
}

function inFileOrder<T extends { line: number }>(parts: T[]): T[] {
  return parts.toSorted((a, b) => a.line - b.line).slice(0, EXAMPLES);
}

function example(
  { line, brand, oem }: { line: number; brand: string; oem: string },
  before: string | null,
  after: string,
): SignalExample {
  return { sheet: null, line, brand, oem, before, after };
}

/** An amount without the noise of binary fractions. */
function shown(amount: number | null): string | null {
  return amount === null ? null : String(Number(amount.toFixed(4)));
}
