import { dictionary } from '../io/dictionary.ts';
import { keptRows, type RowFile } from './row-file.ts';

/** Whether the service rejected a part of what is live. */
export type IsRejected = (brand: string, oem: string) => boolean;

/** Counts the rows of rejected parts by feed; the rows of a feed's own file are counted under an empty name. */
export async function rejectedRows(file: RowFile, isRejected: IsRejected): Promise<Record<string, number>> {
  const counts = dictionary<number>();
  for await (const rows of keptRows(file, ['brand', 'oem'])) {
    for (const { feed, cells } of rows) {
      const [brand = '', oem = ''] = cells;
      if (isRejected(brand, oem)) counts[feed] = (counts[feed] ?? 0) + 1;
    }
  }
  return counts;
}
