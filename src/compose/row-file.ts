import type { AnyFile } from '../archive/kept-file.ts';
import { lineBatches } from '../archive/lines.ts';

/** Rows that were kept: a feed's accepted rows (`<line>\t<cell>…`) or a dataset's index (`<feed>\t<line>\t<cell>…`). */
export type RowFile = { path: AnyFile; columns: string[]; kind: 'rows' | 'index' };

/** A kept row with the cells of the requested columns, in their order; missing cells are empty. */
export type KeptRow = { feed: string; line: number; cells: string[] };

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
      return { feed, line: Number(cells[ahead - 1]), cells: places.map((at) => cells[at] ?? '') };
    });
  }
}
