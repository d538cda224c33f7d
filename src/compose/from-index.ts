import type { AnyFile } from '../archive/kept-file.ts';
import type { OfferConfig } from '../config/schema/schema.ts';
import { lineBatches } from '../archive/lines.ts';
import { encodeOfferHeader, encodeOfferRow, encodeOfferText } from './offer-file.ts';
import { openByteWriter } from './byte-writer.ts';

/** The index of a dataset, and where to write the file made from it; plain data, because it runs in a thread. */
export type FromIndex = { index: AnyFile; path: string };

/** Writes the rows of a feed in a dataset in the format of its accepted rows; returns how many there are. */
export async function feedRowsFromIndex({ index, path, feed }: FromIndex & { feed: string }): Promise<number> {
  await using file = await openByteWriter(path);
  let rows = 0;
  for await (const lines of lineBatches(index)) {
    const mine = lines.filter((line) => line.startsWith(`${feed}\t`));
    const text = Buffer.from(mine.map((line) => `${line.slice(feed.length + 1)}\n`).join(''));
    file.add(text, 0, text.length);
    await file.flush();
    rows += mine.length;
  }
  return rows;
}

/** Writes the file that was uploaded, from the index that says where each of its rows came from. */
export async function datasetFromIndex({ index, path, offer }: FromIndex & { offer: OfferConfig }): Promise<void> {
  await using file = await openByteWriter(path);
  const write = (text: string, first: boolean) => {
    const bytes = encodeOfferText(text, offer, first);
    file.add(bytes, 0, bytes.length);
  };
  write(encodeOfferHeader(Object.keys(offer.columns), offer), true);
  for await (const lines of lineBatches(index)) {
    write(lines.map((line) => encodeOfferRow(line.split('\t').slice(2), offer)).join(''), false);
    await file.flush();
  }
  await file.flush();
}
