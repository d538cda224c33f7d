import { stat } from 'node:fs/promises';
import type { OfferConfig } from '../config/schema.ts';
import type { DatasetPart } from '../ledger/schema.ts';
import { lineBatches } from '../lines.ts';
import { encodeOfferHeader, encodeOfferRow, encodeOfferText } from '../offer-file.ts';
import { partKey } from '../part-key.ts';
import { createPartSet, type PartSet } from '../part-set.ts';
import { openTextWriter, type TextWriter } from '../text-writer.ts';

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
 * taken from the first; the others count as outranked. Rows stream; only the set of parts grows with them. Throws
 * `disk-full`.
 */
export async function compose(input: ComposeInput): Promise<Composed> {
  const keys = Object.keys(input.offer.columns);
  const parts: DatasetPart[] = input.feeds.map(({ feed, run }) => ({ feed, run, rows: 0, outranked: 0 }));
  await using upload = await openUpload(input);
  await using index = await openTextWriter(input.indexPath);
  upload.write(encodeOfferHeader(keys, input.offer));
  for await (const batch of batches(input, keys, parts)) {
    upload.write(batch.text);
    index.write(batch.places);
    await upload.flush();
    await index.flush();
  }
  await upload.flush();
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return { rows, bytes: (await stat(input.uploadPath)).size, parts };
}

function openUpload({ uploadPath, offer }: ComposeInput): Promise<TextWriter> {
  let first = true;
  return openTextWriter(uploadPath, (text) => {
    const bytes = encodeOfferText(text, offer, first);
    first = false;
    return bytes;
  });
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
