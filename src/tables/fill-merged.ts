import { rename } from 'node:fs/promises';
import { openTextWriter } from '../io/text-writer.ts';
import type { MergedCells } from './merged-cells.ts';
import { writtenLines } from './written-lines.ts';

/** A longer text is a note beside the list, and no value of its rows. */
const LONGEST_VALUE = 250;
/** Covered rows that say how many cells such rows have of their own. */
const ROWS_LOOKED_AT = 20_000;
/** Characters that are kept before they are written. */
const KEPT = 1 << 20;

/**
 * Gives the values of merged cells to the rows of a text of tables that they cover; answers how many cells got one, and how large
 * the text is. A covered row is a row of the list when it has cells of its own; where covered rows usually have several, one with a
 * single cell is a heading and stays one. `most`: bytes that the text may have; more are handed to `refuse`.
 */
export async function fillMerged(
  path: string,
  merged: MergedCells[],
  { most, refuse }: { most: number; refuse: () => Error },
): Promise<{ filled: number; bytes: number }> {
  const least = (await usualCells(path, merged)) > 1 ? 2 : 1;
  const target = `${path}.filled`;
  let [filled, bytes, kept] = [0, 0, 0];
  {
    await using writer = await openTextWriter(target);
    for await (const { text, cells, covering } of coveredLines(path, merged)) {
      const own = covering.size === 0 ? 0 : ownCells(cells, covering);
      if (own >= least) filled += fill(cells, covering);
      const line = `${own >= least ? cells.join('\t') : text}\n`;
      writer.write(line);
      bytes += Buffer.byteLength(line);
      kept += line.length;
      if (bytes > most) throw refuse();
      if (kept > KEPT) {
        await writer.flush();
        kept = 0;
      }
    }
    await writer.flush();
  }
  await rename(target, path);
  return { filled, bytes };
}

/** What covers a column: its last row, and its text as it is written. */
type Covering = Map<number, { last: number; value: string }>;

type CoveredLine = { text: string; cells: string[]; covering: Covering };

/** Puts the values into the empty cells that they cover; answers how many. */
function fill(cells: string[], covering: Covering): number {
  let filled = 0;
  for (const [column, { value }] of covering) {
    while (cells.length <= column) cells.push('');
    if (cells[column] !== '') continue;
    cells[column] = value;
    filled++;
  }
  return filled;
}

function ownCells(cells: string[], covering: Covering): number {
  let own = 0;
  for (const [at, cell] of cells.entries()) if (cell !== '' && !covering.has(at)) own++;
  return own;
}

/** How many cells of their own most covered rows have; 0 where there are none. */
async function usualCells(path: string, merged: MergedCells[]): Promise<number> {
  const rows = new Map<number, number>();
  let seen = 0;
  for await (const { cells, covering } of coveredLines(path, merged)) {
    const own = covering.size === 0 ? 0 : ownCells(cells, covering);
    if (own === 0) continue;
    rows.set(own, (rows.get(own) ?? 0) + 1);
    if (++seen === ROWS_LOOKED_AT) break;
  }
  const [[usual] = [0]] = [...rows].sort(([, a], [, b]) => b - a);
  return usual;
}

/** The lines of a text, cut into cells where merged cells begin or cover them, with the cells of rows above that cover each. */
async function* coveredLines(path: string, merged: MergedCells[]): AsyncGenerator<CoveredLine, void> {
  const rising = merged.toSorted((a, b) => a.first - b.first);
  const covering: Covering = new Map();
  let [next, line, firstEnd] = [0, 0, Infinity];
  for await (const texts of writtenLines(path)) {
    for (const text of texts) {
      line++;
      if (firstEnd < line) {
        for (const [column, { last }] of covering) if (last < line) covering.delete(column);
        firstEnd = Math.min(...[...covering.values()].map(({ last }) => last));
      }
      const begins: MergedCells[] = [];
      for (; next < rising.length && rising[next]!.first <= line; next++) begins.push(rising[next]!);
      const cells = covering.size > 0 || begins.length > 0 ? text.split('\t') : [];
      const values = begins.map(({ column }) => cells[column] ?? '');
      yield { text, cells, covering };
      for (const [at, { column, last }] of begins.entries()) {
        const value = values[at]!;
        if (value.trim() === '' || value.length > LONGEST_VALUE) continue;
        covering.set(column, { last, value });
        firstEnd = Math.min(firstEnd, last);
      }
    }
  }
}
