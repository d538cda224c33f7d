import { join } from 'node:path';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Meter } from '../../gauge.ts';
import type { Detection, ListFile } from '../../model.ts';
import type { ScannedRow } from './scan-rows.ts';
import { scanText, sourceOfText } from './scan-text.ts';

/** Files that are read as one list: the folder in which they are, see `listFilePath`, and what was found of them. */
type ScannedFiles = {
  path: string;
  detection: Pick<Detection, 'columns' | 'width'> & { files: ListFile[] };
  settings: Pick<ReadSettings, 'limits'>;
  meter?: Meter | undefined;
  /** So many rows of each file at most, and a few more. */
  most?: number;
};

/** Where the text of one of several files is, in the folder of all. */
export function listFilePath(folder: string, at: number): string {
  return join(folder, `list-${at}`);
}

/**
 * The rows of several files, one file after the other, from the header of the first on: their cells stand under the columns of all, and
 * their lines are those of all. The headers of the others are left out.
 */
export async function* scanFiles({
  path,
  detection,
  settings,
  meter,
  most = Infinity,
}: ScannedFiles): AsyncGenerator<ScannedRow[]> {
  const { files, columns, width } = detection;
  for (const [at, file] of files.entries()) {
    const move = amongAll(file, Math.max(columns.length, width));
    const scanned = { path: listFilePath(path, at), detection: file.written, settings, meter };
    let isHeaderAhead = at > 0 && file.written.header;
    let count = 0;
    for await (const batch of scanText(scanned, sourceOfText(scanned))) {
      const rows: ScannedRow[] = [];
      for (const row of batch) {
        if (isHeaderAhead && row.gap === undefined) isHeaderAhead = false;
        else rows.push(move(row));
      }
      const wanted = rows.slice(0, most - count);
      count += wanted.length;
      yield wanted;
      if (count >= most) break;
    }
  }
}

/** Moves the rows of a file among those of all. One with another number of cells than its file has columns says so. */
function amongAll(file: ListFile, width: number): (row: ScannedRow) => ScannedRow {
  const move = underColumnsOfAll(file, width);
  const before = file.line - 1;
  return (row) => move({ ...row, line: row.line + before, lastLine: row.lastLine + before });
}

/** Puts the cells of the rows of a file under the columns of all. */
export function underColumnsOfAll({ written, places }: ListFile, width: number): (row: ScannedRow) => ScannedRow {
  const least = leastCells(written);
  const isInPlace = places.length === width && places.every((place, at) => place === at);
  return (row) => {
    if (row.gap !== undefined) return row;
    const moved = { ...row };
    const { length } = row.cells;
    if (!isInPlace || length !== width) moved.cells = cellsOfAll(row.cells, places, width);
    const isTooLong = length > places.length && row.cells.slice(places.length).some((cell) => cell.trim() !== '');
    if (length < least || isTooLong) moved.count = { cells: length, expected: least };
    else if (moved.cells.length > width) moved.cells.length = width;
    return moved;
  };
}

/** The cells of a row in the columns of all files, and behind them those that are in no column. */
function cellsOfAll(own: string[], places: number[], width: number): string[] {
  const cells = Array.from<string>({ length: width }).fill('');
  for (let at = 0; at < own.length; at += 1) {
    const place = places[at];
    if (place === undefined) cells.push(own[at]!);
    else cells[place] = own[at]!;
  }
  return cells;
}

/** How many cells a row of a file must have: up to its last column with a name. */
export function leastCells({ header, columns, width }: ListFile['written']): number {
  return header ? columns.findLastIndex((name) => name.trim() !== '') + 1 : width;
}
