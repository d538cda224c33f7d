import type { AnyFile } from '../../archive/kept-file.ts';
import { lineBatches } from '../../archive/lines.ts';
import { dictionary } from '../../io/dictionary.ts';
import { readRejections } from './read-rejections.ts';
import { LISTED, writeRejections, type Traced } from './write-rejections.ts';

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

/**
 * Traces every row of a `.errors` file to feed and supplier line by our columns: by the part when brand and article number
 * are there (a dataset holds each part once), else by all columns that the file repeats. Equal rows in several places are
 * ambiguous, unless a leading column proves to be the line number; nothing is guessed. A file that is not a table of errors
 * traces nothing and is `unreadable`. Memory grows with the rejections, not with the dataset.
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

function addTags(tags: Set<string>, cell: string, separator: string): void {
  for (const tag of cell.split(separator)) {
    const trimmed = tag.trim();
    if (trimmed !== '') tags.add(trimmed);
  }
}
