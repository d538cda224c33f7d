import type { AnyFile } from '../archive/kept-file.ts';
import { lineBatches } from '../archive/lines.ts';
import { own } from '../io/dictionary.ts';
import type { TablePart } from '../model.ts';
import { placeIn, type Place } from '../wording/files/place.ts';

/** The tables of the files that rows came from, by feed; the rows of one run have the feed ''. */
export type FeedTables = Record<string, TablePart[]>;

/**
 * Rows that were kept: a feed's accepted rows (`<line>\t<cell>…`) or a dataset's index (`<feed>\t<line>\t<cell>…`). `tables`: for
 * readers that show where a row stands; without them lines are those of the text that was made of a file.
 */
export type RowFile = { path: AnyFile; columns: string[]; kind: 'rows' | 'index'; tables?: FeedTables };

/** A kept row with the cells of the requested columns, in their order; missing cells are empty. */
export type KeptRow = Place & { feed: string; cells: string[] };

/** Reads the rows of a file in batches. */
export async function* keptRows(file: RowFile, columns: string[]): AsyncGenerator<KeptRow[]> {
  const ahead = file.kind === 'rows' ? 1 : 2;
  const places = columns.map((column) => {
    const at = file.columns.indexOf(column);
    return at < 0 ? -1 : at + ahead;
  });
  for await (const lines of lineBatches(file.path)) {
    yield lines.map((text) => {
      const cells = text.split('\t');
      const feed = ahead === 2 ? (cells[0] ?? '') : '';
      const { file: its, sheet, line } = placeOf(file, feed, Number(cells[ahead - 1]));
      return { feed, file: its, sheet, line, cells: places.map((at) => cells[at] ?? '') };
    });
  }
}

function placeOf({ tables = {} }: RowFile, feed: string, line: number): Place {
  return placeIn(own(tables, feed) ?? [], line);
}
