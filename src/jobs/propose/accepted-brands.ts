import { foldHalf } from '../../parts/part-key.ts';
import { rowBatches, type CanaryTable } from '../../upload/receipt/choose-canaries.ts';

/** What is looked for: folded brands, among the rows of a feed in these datasets. Plain data, because it runs in a thread. */
export type BrandsInput = { feed: string; brands: string[]; tables: CanaryTable[] };

/** Those of the brands of which a dataset has a row of the feed that was not rejected; stops as soon as that is so of all. */
export async function acceptedBrands({ feed, brands, tables }: BrandsInput): Promise<string[]> {
  const wanted = new Set(brands);
  const found = new Set<string>();
  for (const table of tables) {
    for await (const rows of rowBatches(table)) {
      for (const { feed: from, brand, rejected } of rows) {
        if (rejected || from !== feed) continue;
        const folded = foldHalf(brand);
        if (wanted.delete(folded)) found.add(folded);
      }
      if (wanted.size === 0) return [...found];
    }
  }
  return [...found];
}
