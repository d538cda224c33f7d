import { dictionary } from '../../io/dictionary.ts';
import { verifiedPath, type AnyFile } from '../../archive/kept-file.ts';
import { lineBatches } from '../../archive/lines.ts';
import { partKey } from '../../parts/part-key.ts';
import { OfferlineError } from '../../errors.ts';
import { readErrorsFile, type ErrorRow } from './errors-file.ts';
import { rowsNamed } from './line-witness.ts';
import { unquoted } from '../tables/service-table.ts';
import { LISTED, writeRejections } from './write-rejections.ts';

/** What tracing reads and where it writes; plain data, because it runs in a thread. */
export type TraceInput = {
  /** The service's `.errors` file, or null when it has none. */
  errorsPath: AnyFile | null;
  /** The dataset's index: `<feed>\t<supplier line>\t<cell>…`. */
  indexPath: AnyFile;
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
  /** Why the `.errors` file tells nothing, or null: then nothing is known of rejections. */
  unreadable: string | null;
};

/**
 * Rejections of equal cells, and where the dataset has such rows: how many, in which feeds, and the places of the first and
 * of those that a leading column may name.
 */
export type Pending = { errors: ErrorRow[]; places: Place[]; count: number; feeds: Set<string>; named: Set<number> };

/** A row of the dataset; `row` is its number in it, from 1. */
export type Place = { feed: string; line: number; row: number; cells: string[] };

/**
 * Traces every row of a `.errors` file to feed and supplier line by our columns: by the part when brand and article number
 * are there (a dataset holds each part once), else by all columns that the file repeats. Equal rows in several places are
 * ambiguous, unless a leading column proves to be the line number; nothing is guessed. Memory grows with the rejections, not with the dataset. A file that is no table of errors
 * traces nothing and is said to be `unreadable`.
 */
export async function traceRejections(input: TraceInput): Promise<Traced> {
  const { pending, keyOf, unreadable } = await readRejections(input);
  const traced: Traced = {
    rejectedRows: dictionary(),
    rejections: dictionary(),
    untraced: 0,
    liveTags: [],
    rejectedTags: [],
    unreadable,
  };
  const live = new Set<string>();
  const rejected = new Set<string>();
  let row = 0;
  const tagAt = input.tagColumn === null ? -1 : input.columns.indexOf(input.tagColumn);
  for await (const lines of lineBatches(input.indexPath)) {
    for (const text of lines) {
      const [feed = '', line = '', ...cells] = text.split('\t');
      const found =
        pending.size === 0 ? undefined : pending.get(keyOf((column) => cells[input.columns.indexOf(column)]));
      row += 1;
      if (found !== undefined) {
        found.count += 1;
        found.feeds.add(feed);
        const kept = found.count <= LISTED || found.named.has(row);
        if (kept) found.places.push({ feed, line: Number(line), row, cells });
      }
      if (tagAt >= 0) addTags(found === undefined ? live : rejected, cells[tagAt] ?? '', input.tagSeparator);
    }
  }
  await writeRejections(pending, row, input, traced);
  return { ...traced, liveTags: [...live].sort(), rejectedTags: [...rejected].sort() };
}

type Key = (cell: (column: string) => string | undefined) => string;

type Rejections = { pending: Map<string, Pending>; keyOf: Key; unreadable: string | null };

/** The rejections of a `.errors` file by the cells that it repeats; `keyOf` gives the key of a row of the dataset. */
export async function readRejections(input: Pick<TraceInput, 'errorsPath' | 'columns'>): Promise<Rejections> {
  const pending = new Map<string, Pending>();
  let keyOf: Key = () => '';
  if (input.errorsPath === null) return { pending, keyOf, unreadable: null };
  const path = await verifiedPath(input.errorsPath);
  try {
    for await (const row of readErrorsFile(path, input.columns)) {
      if (pending.size === 0) keyOf = keyBy(Object.keys(row.cells));
      const key = keyOf((column) => row.cells[column]);
      const entry = pending.get(key) ?? { errors: [], places: [], count: 0, feeds: new Set(), named: new Set() };
      pending.set(key, entry);
      entry.errors.push(row);
      for (const named of rowsNamed(row.leading)) entry.named.add(named);
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
