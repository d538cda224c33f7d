import type { DatasetPart } from '../ledger/schema/schema.ts';
import type { AnyFile } from '../archive/kept-file.ts';
import { byteLines, type ByteLines } from '../archive/lines.ts';
import { count, type Meter } from '../gauge.ts';
import { hashKey, hashPart, type PartPlace } from '../parts/part-hash.ts';
import { partKey } from '../parts/part-key.ts';
import type { PartTable } from '../parts/part-set.ts';

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

const TAB = 0x09;
const LINE_FEED = 0x0a;

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
  const locate = partLocator(keys);
  const inOrder = orderer(feed.columns, keys);
  const hash = { high: 0, low: 0 };
  const place: PartPlace = { brand: 0, brandEnd: 0, oem: 0, oemEnd: 0 };
  for await (const lines of byteLines(feed.rowsPath)) {
    const { bytes, from, to } = inOrder(lines);
    const before = part.rows + part.outranked;
    for (let at = from; at < to;) {
      const end = locate(bytes, at, place);
      if (!hashPart(bytes, place, hash)) hashKey(keyAt(bytes, place), hash);
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

function keyAt(bytes: Buffer, { brand, brandEnd, oem, oemEnd }: PartPlace): string {
  return partKey(bytes.toString('utf8', brand, brandEnd), bytes.toString('utf8', oem, oemEnd));
}

/** Finds brand and article number in a row, and where the row ends. A missing cell is empty. */
function partLocator(keys: string[]): (bytes: Buffer, from: number, place: PartPlace) => number {
  // The cells come after the line number.
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => keys.indexOf(key) + (keys.includes(key) ? 1 : 0)) as [
    number,
    number,
  ];
  const last = Math.max(brandAt, oemAt);
  return (bytes, from, place) => {
    place.brand = place.brandEnd = place.oem = place.oemEnd = from;
    let start = from;
    let cell = 0;
    for (let at = from; ; at += 1) {
      const byte = bytes[at]!;
      if (byte !== TAB && byte !== LINE_FEED) continue;
      if (cell === brandAt && cell > 0) [place.brand, place.brandEnd] = [start, at];
      if (cell === oemAt && cell > 0) [place.oem, place.oemEnd] = [start, at];
      if (byte === LINE_FEED) return at + 1;
      if (cell === last) return bytes.indexOf(LINE_FEED, at) + 1;
      cell += 1;
      start = at + 1;
    }
  };
}

/** Rows that were kept under other settings get the current columns in the current order; missing cells are empty. */
function orderer(written: string[], keys: string[]): (lines: ByteLines) => ByteLines {
  if (written.join('\t') === keys.join('\t')) return (lines) => lines;
  const order = keys.map((key) => written.indexOf(key));
  return ({ bytes, from, to }) => {
    const rows = bytes.toString('utf8', from, to - 1).split('\n');
    const ordered = rows.map((row) => {
      const [number = '', ...cells] = row.split('\t');
      return `${[number, ...order.map((at) => cells[at] ?? '')].join('\t')}\n`;
    });
    const changed = Buffer.from(ordered.join(''));
    return { bytes: changed, from: 0, to: changed.length };
  };
}
