import { damageOf } from '../../archive/kept-file.ts';
import { keptRows, type RowFile } from '../../compose/row-file.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';

/** A catalogue has some thousands; more are no brands. */
const MOST_BRANDS = 20_000;

/** Reads the brands of the dataset that is live when they are first asked for; none where it cannot be read any more. */
export function liveBrands(dataset: RowFile): () => Promise<string[]> {
  let brands: Promise<string[]> | undefined;
  return () => (brands ??= brandsIn(dataset));
}

/** Brand and number of each row of a feed that is live; none where they cannot be read any more. */
export async function* liveParts(rows: KeptRows): AsyncGenerator<[brand: string, number: string][]> {
  try {
    for await (const batch of keptRows({ ...rows, kind: 'rows' }, ['brand', 'oem']))
      yield batch.map(({ cells: [brand = '', number = ''] }) => [brand, number]);
  } catch (error) {
    if (damageOf(error) === null) throw error;
  }
}

async function brandsIn(dataset: RowFile): Promise<string[]> {
  const brands = new Set<string>();
  try {
    for await (const rows of keptRows(dataset, ['brand'])) {
      for (const { cells } of rows) {
        const [brand = ''] = cells;
        // A copy: a part of a text would keep all of it in memory.
        if (!brands.has(brand) && brands.size < MOST_BRANDS) brands.add(Buffer.from(brand).toString());
      }
    }
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return [];
  }
  return [...brands];
}
