import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import type { OfferConfig } from '../config/schema.ts';
import type { DatasetPart } from '../ledger/schema.ts';
import { lineBatches } from '../lines.ts';
import { encodeOfferHeader, encodeOfferRow, encodeOfferText } from '../offer-file.ts';
import { partKey } from '../part-key.ts';
import { createPartSet, type PartSet } from '../part-set.ts';

/** One feed's rows as validation wrote them: `<supplier line>\t<cell>…`, with the keys of the cells. */
export type FeedRows = { feed: string; run: string; rowsPath: string; columns: string[] };

/** The feeds in winning order: the first to bring a part keeps it. */
export type ComposeInput = { feeds: FeedRows[]; offer: OfferConfig; uploadPath: string; indexPath: string };

export type Composed = { rows: number; bytes: number; parts: DatasetPart[] };

/** Rows of one batch: as they are uploaded, and where each came from. */
type Batch = { text: string; places: string };

/**
 * Composes the rows of a login's feeds into the file that is uploaded, and an index that says of each uploaded row which
 * feed and supplier line it came from (`<feed>\t<line>\t<cell>…`, in upload order). A part that several feeds offer is
 * taken from the first; the others count as outranked. Rows stream; only the set of parts grows with them.
 */
export async function compose(input: ComposeInput): Promise<Composed> {
  const keys = Object.keys(input.offer.columns);
  const parts: DatasetPart[] = input.feeds.map(({ feed, run }) => ({ feed, run, rows: 0, outranked: 0 }));
  const index = new PassThrough();
  async function* upload(): AsyncGenerator<Buffer> {
    yield encodeOfferText(encodeOfferHeader(keys, input.offer), input.offer, true);
    for await (const batch of batches(input, keys, parts)) {
      if (!index.write(batch.places)) await new Promise((resolve) => index.once('drain', resolve));
      yield encodeOfferText(batch.text, input.offer, false);
    }
    index.end();
  }
  await Promise.all([
    pipeline(upload(), createWriteStream(input.uploadPath)),
    pipeline(index, createWriteStream(input.indexPath)),
  ]);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return { rows, bytes: (await stat(input.uploadPath)).size, parts };
}

async function* batches(input: ComposeInput, keys: string[], parts: DatasetPart[]): AsyncGenerator<Batch> {
  const taken = createPartSet();
  for (const [at, feed] of input.feeds.entries()) {
    const part = parts[at];
    if (part === undefined) continue;
    const pick = columnPicker(feed.columns, keys);
    for await (const lines of lineBatches(feed.rowsPath))
      yield takeRows(lines, part, { keys, pick, taken, offer: input.offer });
  }
}

type Taking = { keys: string[]; pick: (cells: string[]) => string[]; taken: PartSet; offer: OfferConfig };

function takeRows(lines: string[], part: DatasetPart, { keys, pick, taken, offer }: Taking): Batch {
  const brandAt = keys.indexOf('brand');
  const oemAt = keys.indexOf('oem');
  let text = '';
  let places = '';
  for (const line of lines) {
    const [number = '', ...written] = line.split('\t');
    const cells = pick(written);
    const key = partKey(cells[brandAt] ?? '', cells[oemAt] ?? '');
    if (taken.firstLine(key, 1) !== undefined) {
      part.outranked++;
      continue;
    }
    part.rows++;
    text += encodeOfferRow(cells, offer);
    places += `${part.feed}\t${number}\t${cells.join('\t')}\n`;
  }
  return { text, places };
}

/** Cells in the order of today's column keys; rows that were kept under other settings may lack some. */
function columnPicker(written: string[], keys: string[]): (cells: string[]) => string[] {
  if (written.join('\t') === keys.join('\t')) return (cells) => cells;
  const order = keys.map((key) => written.indexOf(key));
  return (cells) => order.map((at) => cells[at] ?? '');
}
