import type { Blob } from '../archive/archive.ts';
import type { OfferConfig } from '../config/schema/schema.ts';
import { encodeOfferHeader, encodeOfferRow, encodeOfferText } from './offer-file.ts';
import { openByteWriter } from './byte-writer.ts';

const TAB = 0x09;

/** Writes the uploaded file and its index side by side. */
export type DatasetWriter = AsyncDisposable & {
  /** Adds a row, `<line>\t<cell>…` with its line feed; `feed` is the name of its feed and a tab. */
  won: (feed: Buffer, bytes: Buffer, from: number, to: number) => void;
  flush: () => Promise<void>;
  /** Both files as they were written, with their hashes. Call once, at the end. */
  written: () => { upload: Blob; index: Blob };
};

/** Opens both files and writes the header of the one that is uploaded. Throws `disk-full`, as `flush` does. */
export async function openDatasetWriter(where: {
  uploadPath: string;
  indexPath: string;
  offer: OfferConfig;
}): Promise<DatasetWriter> {
  const { offer } = where;
  await using opened = new AsyncDisposableStack();
  const upload = opened.use(await openByteWriter(where.uploadPath));
  const index = opened.use(await openByteWriter(where.indexPath));
  const files = opened.move();
  // Kept rows have the format of a txt file in UTF-8, so their bytes can be copied.
  const isCopied = offer.layout === 'txt' && offer.charset === 'UTF-8';
  const header = encodeOfferText(encodeOfferHeader(Object.keys(offer.columns), offer), offer, true);
  upload.add(header, 0, header.length);
  return {
    won: (feed, bytes, from, to) => {
      index.add(feed, 0, feed.length);
      index.add(bytes, from, to);
      const cells = bytes.indexOf(TAB, from) + 1;
      if (isCopied) return upload.add(bytes, cells, to);
      const row = encodeOfferRow(bytes.toString('utf8', cells, to - 1).split('\t'), offer);
      const encoded = encodeOfferText(row, offer, false);
      upload.add(encoded, 0, encoded.length);
    },
    flush: async () => {
      await upload.flush();
      await index.flush();
    },
    written: () => ({ upload: upload.written(), index: index.written() }),
    [Symbol.asyncDispose]: () => files.disposeAsync(),
  };
}
