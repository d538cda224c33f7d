import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import type { OfferConfig } from '../config/schema.ts';
import type { DatasetPart } from '../ledger/schema.ts';
import { lineBatches } from '../lines.ts';
import { encodeOfferHeader, encodeOfferRow, encodeOfferText } from '../offer-file.ts';
import { partKey } from '../part-key.ts';
import { createPartSet } from '../part-set.ts';

/** One feed's rows as validation wrote them: `<supplier line>\t<cell>…`, with the keys of the cells. */
export type FeedRows = { feed: string; run: string; rowsPath: string; columns: string[] };

/** The feeds in winning order: the first to bring a part keeps it. */
export type ComposeInput = { feeds: FeedRows[]; offer: OfferConfig; uploadPath: string; indexPath: string };

export type Composed = { rows: number; bytes: number; parts: DatasetPart[] };

/**
 * Composes the rows of a login's feeds into the file that is uploaded, and an index that says of each uploaded row which
 * feed and supplier line it came from (`<feed>\t<line>\t<cell>…`, in upload order). A part that several feeds offer is
 * taken from the first; the others count as outranked. Rows stream; only the set of parts grows with them.
 */
export async function compose(input: ComposeInput): Promise<Composed> {
  const keys = Object.keys(input.offer.columns);
  const upload = createWriteStream(input.uploadPath);
  const index = createWriteStream(input.indexPath);
  const taken = createPartSet();
  const parts: DatasetPart[] = [];
  let rows = 0;
  upload.write(encodeOfferText(encodeOfferHeader(keys, input.offer), input.offer, true));
  for (const feed of input.feeds) {
    const part: DatasetPart = { feed: feed.feed, run: feed.run, rows: 0, outranked: 0 };
    const pick = columnPicker(feed.columns, keys);
    for await (const lines of lineBatches(feed.rowsPath)) {
      const texts: string[] = [];
      const places: string[] = [];
      for (const line of lines) {
        const [number = '', ...written] = line.split('\t');
        const cells = pick(written);
        if (taken.firstLine(partKey(cells[brandAt(keys)] ?? '', cells[oemAt(keys)] ?? ''), rows + 1) !== undefined) {
          part.outranked++;
          continue;
        }
        part.rows++;
        rows++;
        texts.push(encodeOfferRow(cells, input.offer));
        places.push(`${feed.feed}\t${number}\t${cells.join('\t')}\n`);
      }
      await write(upload, encodeOfferText(texts.join(''), input.offer, false));
      await write(index, places.join(''));
    }
    parts.push(part);
  }
  upload.end();
  index.end();
  await Promise.all([finished(upload), finished(index)]);
  return { rows, bytes: (await stat(input.uploadPath)).size, parts };
}
