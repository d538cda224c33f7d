import type { Blob } from '../archive/archive.ts';
import type { OfferConfig } from '../config/schema/schema.ts';
import type { DatasetPart } from '../ledger/schema/schema.ts';
import type { MergedTags } from '../model.ts';
import { createPartSet } from '../parts/part-set.ts';
import type { Meter } from '../gauge.ts';
import { openTagMerger } from './merge-tags.ts';
import { openDatasetWriter, type DatasetWriter } from './dataset-writer.ts';
import { addFeed, type FeedRows, type RowSink } from './add-feed.ts';

/** The feeds in winning order: the first to bring a part keeps it. */
export type ComposeInput = {
  feeds: FeedRows[];
  offer: OfferConfig;
  /** Whose tags are used for a part that several feeds offer. */
  tags: 'winner' | 'union';
  /** The expected number of rows of all feeds, so that the table of parts need not grow. */
  expected: number;
  uploadPath: string;
  indexPath: string;
  /** Counts the rows of all feeds. */
  meter?: Meter;
};

/** The composed dataset. `merged` is null when the winner's tags are used; `upload` and `index` are the written files. */
export type Composed = {
  rows: number;
  bytes: number;
  parts: DatasetPart[];
  merged: MergedTags | null;
  upload: Blob;
  index: Blob;
};

/**
 * Composes the rows of a login's feeds into the file that is uploaded, and an index that says of each uploaded row which
 * feed and supplier line it came from (`<feed>\t<line>\t<cell>…`, in upload order). A part that several feeds offer is
 * taken from the first; the others count as outranked, and only their tags are kept where tags are united. Rows stream as
 * bytes; only the table of parts grows with them. Throws `disk-full`.
 */
export async function compose(input: ComposeInput): Promise<Composed> {
  await using output = await openDatasetWriter(input);
  if (input.tags === 'winner') {
    const parts = await addFeeds(input, { ...output, lost: () => undefined });
    await output.flush();
    return composed(output, parts, null);
  }
  await using merger = await openTagMerger(input);
  const parts = await addFeeds(input, merger);
  const merged = await merger.finish(output);
  return composed(output, parts, merged);
}

async function addFeeds(input: ComposeInput, sink: RowSink): Promise<DatasetPart[]> {
  const known = createPartSet(input.expected);
  const parts: DatasetPart[] = [];
  const keys = Object.keys(input.offer.columns);
  for (const feed of input.feeds) parts.push(await addFeed(feed, keys, known, sink, input.meter));
  return parts;
}

function composed(output: DatasetWriter, parts: DatasetPart[], merged: MergedTags | null): Composed {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const { upload, index } = output.written();
  return { rows, bytes: upload.bytes, parts, merged, upload, index };
}
