import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { lineBatches } from '../lines.ts';
import { partKey } from '../part-key.ts';
import { OfferlineError } from '../errors.ts';
import { readErrorsFile, type ErrorRow } from './errors-file.ts';
import { unquoted } from './service-table.ts';

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
  /** Why the `.errors` file tells nothing, or null: then nothing is known of rejections. */
  unreadable: string | null;
};

/** Rejections of equal cells, and where the dataset has such rows: the first place, and the feeds of all. */
type Pending = { errors: ErrorRow[]; first: Place | null; places: number; feeds: Set<string> };
type Place = { feed: string; line: number; cells: string[] };

/**
 * Traces every row of a `.errors` file to feed and supplier line by our columns: by the part when brand and article number
 * are there (a dataset holds each part once), else by all columns that the file repeats. Equal rows in several places are
 * ambiguous; nothing is guessed. Memory grows with the rejections, not with the dataset. A file that is no table of errors
 * traces nothing and is said to be `unreadable`.
 */
export async function traceRejections(input: TraceInput): Promise<Traced> {
  const { pending, keyOf, unreadable } = await readRejections(input);
  const traced: Traced = { rejectedRows: {}, rejections: {}, untraced: 0, liveTags: [], rejectedTags: [], unreadable };
  const live = new Set<string>();
  const rejected = new Set<string>();
  const tagAt = input.tagColumn === null ? -1 : input.columns.indexOf(input.tagColumn);
  for await (const lines of lineBatches(input.indexPath)) {
    for (const text of lines) {
      const [feed = '', line = '', ...cells] = text.split('\t');
      const found =
        pending.size === 0 ? undefined : pending.get(keyOf((column) => cells[input.columns.indexOf(column)]));
      if (found !== undefined) {
        found.first ??= { feed, line: Number(line), cells };
        found.places += 1;
        found.feeds.add(feed);
      }
      if (tagAt >= 0) addTags(found === undefined ? live : rejected, cells[tagAt] ?? '', input.tagSeparator);
    }
  }
  await writeRejections(pending, input, traced);
  return { ...traced, liveTags: [...live].sort(), rejectedTags: [...rejected].sort() };
}

type Key = (cell: (column: string) => string | undefined) => string;

type Rejections = { pending: Map<string, Pending>; keyOf: Key; unreadable: string | null };

async function readRejections(input: TraceInput): Promise<Rejections> {
  const pending = new Map<string, Pending>();
  let keyOf: Key = () => '';
  if (input.errorsPath === null) return { pending, keyOf, unreadable: null };
  try {
    for await (const row of readErrorsFile(input.errorsPath, input.columns)) {
      if (pending.size === 0) keyOf = keyBy(Object.keys(row.cells));
      const key = keyOf((column) => row.cells[column]);
      const entry = pending.get(key);
      if (entry === undefined) pending.set(key, { errors: [row], first: null, places: 0, feeds: new Set() });
      else entry.errors.push(row);
    }
    return { pending, keyOf, unreadable: null };
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'service-reply') throw error;
    return { pending: new Map(), keyOf, unreadable: error.message };
  }
}

function keyBy(present: string[]): Key {
  if (present.includes('brand') && present.includes('oem')) {
    return (cell) => partKey(plain(cell('brand')), plain(cell('oem')));
  }
  return (cell) => present.map((column) => plain(cell(column))).join('\t');
}

/** Whether the service quotes cells is not documented, so quotes around a whole cell count on neither side. */
function plain(cell: string | undefined): string {
  return unquoted((cell ?? '').replaceAll(/\s+/g, ' ').trim()).trim();
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
  for (const { errors, first, places, feeds: found } of pending.values()) {
    if (first !== null && places === 1) {
      traced.rejectedRows[first.feed] = (traced.rejectedRows[first.feed] ?? 0) + 1;
      for (const error of errors) emit(first.feed, describe(error, first, 'exact', input.columns));
      continue;
    }
    traced.untraced += errors.length;
    const match = first === null ? 'none' : 'ambiguous';
    for (const error of errors) {
      for (const feed of first === null ? feeds : found) emit(feed, describe(error, undefined, match, input.columns));
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
