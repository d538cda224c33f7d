import type { CellChange } from '../../wording/columns/column-evidence.ts';

/** Brand and number of each row of a feed that is live, in batches; asked for only where a person accepted the columns. */
export type LiveParts = () => AsyncIterable<[brand: string, number: string][]>;

/** How many of the values of a column are live of the feed. */
export type LiveShare = { found: number; values: number };

/** Fewer rows say nothing. */
const LEAST_ROWS = 20;
/** From one delivery to the next most parts stay. */
const SAME = 0.5;
const OTHER = 0.05;

/** Whether values that are live stand in a column: surely its own, surely not, or neither. */
export function isSame({ found, values }: LiveShare): boolean {
  return values > 0 && found >= values * SAME;
}

/** The change of a column of whose values hardly one is live; null where that cannot be said. */
export function lossOf({ found, values }: LiveShare): CellChange | null {
  return values >= LEAST_ROWS && found < values * OTHER ? { share: 'live', found, values } : null;
}

/**
 * Counts how many of the brands of a file, and of the numbers of those brands, are live. Null where too little is live to say
 * so. Reads no more of what is live than it needs.
 */
export async function compareWithLive(
  rows: [brand: string, number: string][],
  parts: LiveParts,
): Promise<{ brand: LiveShare; oem: LiveShare } | null> {
  const wanted = rows
    .map(([brand, number]) => [keyOf(brand), keyOf(number)] as const)
    .filter(([, number]) => number !== '');
  const [brands, numbers] = [new Set(wanted.map(([brand]) => brand)), new Set(wanted.map(([, number]) => number))];
  const [liveBrands, liveNumbers] = [new Set<string>(), new Set<string>()];
  let live = 0;
  for await (const batch of parts()) {
    live += batch.length;
    for (const [brand, number] of batch) {
      const [brandKey, numberKey] = [keyOf(brand), keyOf(number)];
      if (brands.has(brandKey)) liveBrands.add(brandKey);
      if (numbers.has(numberKey)) liveNumbers.add(numberKey);
    }
    if (liveBrands.size === brands.size && liveNumbers.size >= numbers.size * SAME) break;
  }
  if (live < LEAST_ROWS) return null;
  const ofLiveBrands = wanted.filter(([brand]) => liveBrands.has(brand));
  const found = ofLiveBrands.filter(([, number]) => liveNumbers.has(number)).length;
  return {
    brand: { found: ofLiveBrands.length, values: wanted.length },
    oem: { found, values: ofLiveBrands.length },
  };
}

/** Case, punctuation and leading zeros change from one program to the next. */
function keyOf(cell: string): string {
  return cell
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^0+/, '')
    .toUpperCase();
}
