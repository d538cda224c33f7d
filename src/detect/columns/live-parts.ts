import type { CellChange } from '../../wording/columns/column-evidence.ts';

/** Brand and number of each row of a feed that is live, in batches; asked for only where a person accepted the columns. */
export type LiveParts = () => AsyncIterable<[brand: string, number: string][]>;

/** How many of the values of a column are live of the feed; `elsewhere`: rows that have one in another column instead. */
export type LiveShare = { found: number; values: number; elsewhere: number };

/** A row of a file: its brand and number, and the other cells. */
export type RowToCompare = { brand: string; number: string; others: string[] };

/** Fewer rows say nothing. */
const LEAST_ROWS = 20;
/** From one delivery to the next most parts stay. */
const SAME = 0.5;
const OTHER = 0.2;
const LEAST_MOVED = 5;
const MOVED = 0.25;
/** Shorter cells are numbers of many things. */
const SHORTEST_NUMBER = 4;
/** When nearly all of them are known to be live, no more is looked for. */
const NEARLY_ALL = 0.95;

/** Whether values that are live stand in a column: surely its own, surely not, or neither. */
export function isSame({ found, values, elsewhere }: LiveShare): boolean {
  return values > 0 && found >= values * SAME && !isMoved(elsewhere, values);
}

/** Cells stand in another column now, in more rows than by chance. */
function isMoved(elsewhere: number, values: number): boolean {
  return elsewhere >= Math.max(LEAST_MOVED, values * MOVED);
}

/** The change of a column of whose values hardly one is live; null where that cannot be said. */
export function lossOf({ found, values, elsewhere }: LiveShare): CellChange | null {
  const isLost = found < values * OTHER || isMoved(elsewhere, values);
  return values >= LEAST_ROWS && isLost ? { share: 'live', found, values } : null;
}

/**
 * Counts how many of the brands of a file, and of the numbers of those brands, are live. Null where too little is live to say
 * so. Reads no more of what is live than it needs.
 */
export async function compareWithLive(
  rows: RowToCompare[],
  parts: LiveParts,
): Promise<{ brand: LiveShare; oem: LiveShare } | null> {
  const wanted = rows
    .map(({ brand, number, others }) => ({
      brand: keyOf(brand),
      number: keyOf(number),
      others: others.map(keyOf).filter((cell) => cell.length >= SHORTEST_NUMBER && /\d/.test(cell)),
    }))
    .filter(({ number }) => number !== '');
  const brands = new Set(wanted.map(({ brand }) => brand));
  const own = new Set(wanted.map(({ number }) => number));
  const numbers = new Set([...own, ...wanted.flatMap(({ others }) => others)]);
  const [liveBrands, liveNumbers] = [new Set<string>(), new Set<string>()];
  let [live, known] = [0, 0];
  for await (const batch of parts()) {
    live += batch.length;
    for (const [brand, number] of batch) {
      const [brandKey, numberKey] = [keyOf(brand), keyOf(number)];
      if (brands.has(brandKey)) liveBrands.add(brandKey);
      if (!numbers.has(numberKey) || liveNumbers.has(numberKey)) continue;
      liveNumbers.add(numberKey);
      if (own.has(numberKey)) known += 1;
    }
    if (liveBrands.size === brands.size && known >= own.size * NEARLY_ALL) break;
  }
  if (live < LEAST_ROWS) return null;
  const ofLiveBrands = wanted.filter(({ brand }) => liveBrands.has(brand));
  const found = ofLiveBrands.filter(({ number }) => liveNumbers.has(number)).length;
  const elsewhere = ofLiveBrands.filter(
    ({ number, others }) => !liveNumbers.has(number) && others.some((cell) => liveNumbers.has(cell)),
  ).length;
  return {
    brand: { found: ofLiveBrands.length, values: wanted.length, elsewhere: 0 },
    oem: { found, values: ofLiveBrands.length, elsewhere },
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
