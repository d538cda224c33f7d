import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { own } from '../../io/dictionary.ts';
import type { ErrorRow } from './errors-file.ts';
import { findLineWitness, rowNamed, type CertainRow, type LineWitness } from './line-witness.ts';
import type { Pending, Place } from './read-rejections.ts';

/** A rejection with the place that it was traced to and the uploaded cells. */
export type TracedRejection = {
  line: number | null;
  code: string | null;
  message: string;
  brand: string | null;
  oem: string | null;
  match: 'exact' | 'ambiguous' | 'none';
  cells: string[];
  /** Of an ambiguous one: the first places that fit, and how many do. */
  candidates?: { feed: string; line: number }[];
  fits?: number;
};

export type Traced = {
  /** Rejected rows per feed, each counted once however many errors it has. */
  rejectedRows: Record<string, number>;
  /** Rejections per feed. */
  rejections: Record<string, number>;
  /** Rejections that match no row or several; they are written to every feed, since any may be meant. */
  untraced: number;
  /** Unique tags of the rows that were not rejected, and of the rejected ones. */
  liveTags: string[];
  rejectedTags: string[];
  /** Why the `.errors` file cannot be used, or null: then nothing is known of rejections. */
  unreadable: string | null;
};

/** Candidates of an ambiguous rejection that are listed; all are counted. */
export const LISTED = 20;

type Emit = (feed: string, rejection: TracedRejection) => void;

/** Writes each feed's rejections with the places they were traced to, and counts them into `traced`. */
export async function writeRejections(
  pending: Map<string, Pending>,
  datasetRows: number,
  input: { columns: string[]; outputs: Record<string, string> },
  traced: Traced,
): Promise<void> {
  const feeds = Object.keys(input.outputs);
  const files = new Map(feeds.map((feed) => [feed, createWriteStream(own(input.outputs, feed) ?? '')]));
  const emit: Emit = (feed, rejection) => {
    files.get(feed)?.write(`${JSON.stringify(rejection)}\n`);
    traced.rejections[feed] = (traced.rejections[feed] ?? 0) + 1;
  };
  const witness = findLineWitness(certainRows(pending), datasetRows);
  for (const entry of pending.values()) {
    const rejected = new Map<number, string>();
    for (const error of entry.errors) {
      const place = placeOf(error, entry, witness);
      if (place === null) emitUncertain(error, entry, { feeds, columns: input.columns, traced, emit });
      else {
        rejected.set(place.row, place.feed);
        emit(place.feed, { ...described(error, place.cells, input.columns), line: place.line, match: 'exact' });
      }
    }
    for (const feed of rejected.values()) traced.rejectedRows[feed] = (traced.rejectedRows[feed] ?? 0) + 1;
  }
  for (const file of files.values()) file.end();
  await Promise.all([...files.values()].map((file) => finished(file)));
}

/** The one place that fits; among several the one that the line number names, if it does fit. */
function placeOf(error: ErrorRow, { places, count }: Pending, witness: LineWitness | null): Place | null {
  if (count === 1) return places[0] ?? null;
  if (witness === null) return null;
  const row = rowNamed(witness, error.leading);
  return places.find((place) => place.row === row) ?? null;
}

function certainRows(pending: Map<string, Pending>): CertainRow[] {
  return [...pending.values()].flatMap(({ errors, places, count }) => {
    const [place] = places;
    if (count !== 1 || place === undefined) return [];
    return errors.map(({ leading, ordinal }) => ({ leading, ordinal, row: place.row }));
  });
}

/** A rejection that may mean any of several rows: it goes to every feed that has such a row, or to all when none has. */
function emitUncertain(
  error: ErrorRow,
  { places, count, feeds: found }: Pending,
  { feeds, columns, traced, emit }: { feeds: string[]; columns: string[]; traced: Traced; emit: Emit },
): void {
  traced.untraced += 1;
  const rejection: TracedRejection = {
    ...described(error, null, columns),
    line: null,
    match: count === 0 ? 'none' : 'ambiguous',
    ...(count === 0
      ? {}
      : { candidates: places.slice(0, LISTED).map(({ feed, line }) => ({ feed, line })), fits: count }),
  };
  for (const feed of count === 0 ? feeds : found) emit(feed, rejection);
}

function described(error: ErrorRow, cells: string[] | null, columns: string[]) {
  return {
    code: error.code,
    message: error.message,
    brand: error.cells['brand'] ?? null,
    oem: error.cells['oem'] ?? null,
    cells: cells ?? columns.map((column) => error.cells[column] ?? ''),
  };
}
