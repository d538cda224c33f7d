import type { DatasetPart } from '../ledger/schema/schema.ts';
import type { AnyFile } from '../archive/kept-file.ts';
import { byteLines } from '../archive/lines.ts';
import { count, type Meter } from '../gauge.ts';
import type { PartTable } from '../parts/part-set.ts';
import { createOrderer, createPartReader } from './part-reader.ts';

/** One feed's rows as validation wrote them: `<supplier line>\t<cell>…`, with the keys of the cells. */
export type FeedRows = {
  feed: string;
  run: string;
  rowsPath: AnyFile;
  columns: string[];
  /** Rows of the run that other feeds had won when these were kept, where they are not all of its rows. */
  outranked?: number;
};

/** Where rows go, each `<line>\t<cell>…` with its line feed. */
export type RowSink = {
  /** Called for a row that wins its part. `feed` is the name of its feed and a tab. */
  won: (feed: Buffer, bytes: Buffer, from: number, to: number) => void;
  /** Called for a row whose part another row has won: the one with number `winner`, from 0. */
  lost: (winner: number, bytes: Buffer, from: number, to: number) => void;
  /** Called and awaited after each batch of rows, so that memory stays bounded. */
  flush: () => Promise<void>;
};

/**
 * Adds the rows of a feed whose parts no earlier feed has; `keys` are the columns as configured now. Returns what the feed
 * contributes.
 */
export async function addFeed(
  feed: FeedRows,
  keys: string[],
  known: PartTable,
  sink: RowSink,
  meter?: Meter,
): Promise<DatasetPart> {
  const part: DatasetPart = { feed: feed.feed, run: feed.run, rows: 0, outranked: feed.outranked ?? 0 };
  const name = Buffer.from(`${feed.feed}\t`);
  const readPart = createPartReader(keys);
  const inOrder = createOrderer(feed.columns, keys);
  const hash = { high: 0, low: 0 };
  for await (const lines of byteLines(feed.rowsPath)) {
    const { bytes, from, to } = inOrder(lines);
    const before = part.rows + part.outranked;
    for (let at = from; at < to;) {
      const end = readPart(bytes, at, hash);
      const first = known.firstLineOf(hash, known.size + 1);
      if (first === undefined) {
        part.rows += 1;
        sink.won(name, bytes, at, end);
      } else {
        part.outranked += 1;
        sink.lost(first - 1, bytes, at, end);
      }
      at = end;
    }
    count(meter, part.rows + part.outranked - before);
    await sink.flush();
  }
  return part;
}
