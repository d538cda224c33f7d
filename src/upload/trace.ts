import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { lineBatches } from '../lines.ts';
import { partKey } from '../part-key.ts';
import { readErrorsFile, type ErrorRow } from './errors-file.ts';

/** What tracing reads and where it writes; plain data, because it runs in a thread. */
export type TraceInput = {
  /** The service's `.errors` file, or null when it has none. */
  errorsPath: string | null;
  /** The dataset's index: `<feed>\t<supplier line>\t<cell>…`. */
  indexPath: string;
  columns: string[];
  tagSeparator: string;
  /** The list column whose values the service calls tags, if there is one. */
  tagColumn: string | null;
  /** Where the traced rejections of each feed are written as JSON Lines of TracedRejection. */
  outputs: Record<string, string>;
};

/** A rejection with the place that it was traced to and the uploaded cells. */
export type TracedRejection = {
  line: number | null;
  code: string | null;
  message: string;
  brand: string | null;
  oem: string | null;
  match: 'exact' | 'ambiguous' | 'none';
  cells: string[];
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
};

type Pending = { errors: ErrorRow[]; places: Place[] };
type Place = { feed: string; line: number; cells: string[] };

/**
 * Traces every row of a `.errors` file to feed and supplier line by our columns: by the part when brand and article number
 * are there (a dataset holds each part once), else by all columns that the file repeats. Equal rows in several places are
 * ambiguous; nothing is guessed. Memory grows with the rejections, not with the dataset.
 */
export async function traceRejections(input: TraceInput): Promise<Traced> {
  const { pending, keyOf } = await readRejections(input);
  const traced: Traced = { rejectedRows: {}, rejections: {}, untraced: 0, liveTags: [], rejectedTags: [] };
  const live = new Set<string>();
  const rejected = new Set<string>();
  const tagAt = input.tagColumn === null ? -1 : input.columns.indexOf(input.tagColumn);
  for await (const lines of lineBatches(input.indexPath)) {
    for (const text of lines) {
      const [feed = '', line = '', ...cells] = text.split('\t');
      const found =
        pending.size === 0 ? undefined : pending.get(keyOf((column) => cells[input.columns.indexOf(column)]));
      found?.places.push({ feed, line: Number(line), cells });
      if (tagAt >= 0) addTags(found === undefined ? live : rejected, cells[tagAt] ?? '', input.tagSeparator);
    }
  }
  await writeRejections(pending, input, traced);
  return { ...traced, liveTags: [...live].sort(), rejectedTags: [...rejected].sort() };
}

type Key = (cell: (column: string) => string | undefined) => string;

async function readRejections(input: TraceInput): Promise<{ pending: Map<string, Pending>; keyOf: Key }> {
  const pending = new Map<string, Pending>();
  let keyOf: Key = () => '';
  if (input.errorsPath === null) return { pending, keyOf };
  let first = true;
  for await (const row of readErrorsFile(input.errorsPath, input.columns)) {
    if (first) keyOf = keyBy(Object.keys(row.cells));
    first = false;
    const key = keyOf((column) => row.cells[column]);
    const entry = pending.get(key);
    if (entry === undefined) pending.set(key, { errors: [row], places: [] });
    else entry.errors.push(row);
  }
  return { pending, keyOf };
}

function keyBy(present: string[]): Key {
  if (present.includes('brand') && present.includes('oem')) {
    return (cell) => partKey(cell('brand') ?? '', cell('oem') ?? '');
  }
  return (cell) => present.map((column) => (cell(column) ?? '').replaceAll(/\s+/g, ' ').trim()).join('\t');
}

function addTags(tags: Set<string>, cell: string, separator: string): void {
  for (const tag of cell.split(separator)) {
    const trimmed = tag.trim();
    if (trimmed !== '') tags.add(trimmed);
  }
}

async function writeRejections(pending: Map<string, Pending>, input: TraceInput, traced: Traced): Promise<void> {
  const feeds = Object.keys(input.outputs);
  const files = new Map(feeds.map((feed) => [feed, createWriteStream(input.outputs[feed] ?? '')]));
  const emit = (feed: string, rejection: TracedRejection) => {
    files.get(feed)?.write(`${JSON.stringify(rejection)}\n`);
    traced.rejections[feed] = (traced.rejections[feed] ?? 0) + 1;
  };
  for (const { errors, places } of pending.values()) {
    const [only, ...others] = places;
    if (only !== undefined && others.length === 0) {
      traced.rejectedRows[only.feed] = (traced.rejectedRows[only.feed] ?? 0) + 1;
      for (const error of errors) emit(only.feed, describe(error, only, 'exact', input.columns));
      continue;
    }
    traced.untraced += errors.length;
    const match = only === undefined ? 'none' : 'ambiguous';
    const concerned = only === undefined ? feeds : [...new Set(places.map((place) => place.feed))];
    for (const error of errors) {
      for (const feed of concerned) emit(feed, describe(error, undefined, match, input.columns));
    }
  }
  for (const file of files.values()) file.end();
  await Promise.all([...files.values()].map((file) => finished(file)));
}

function describe(
  error: ErrorRow,
  place: Place | undefined,
  match: TracedRejection['match'],
  columns: string[],
): TracedRejection {
  return {
    line: place?.line ?? null,
    code: error.code,
    message: error.message,
    brand: error.cells['brand'] ?? null,
    oem: error.cells['oem'] ?? null,
    match,
    cells: place?.cells ?? columns.map((column) => error.cells[column] ?? ''),
  };
}
