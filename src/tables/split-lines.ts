import { rename } from 'node:fs/promises';
import { openTextWriter } from '../io/text-writer.ts';
import { unquoted, writtenCell } from './written-cell.ts';
import { writtenLines } from './written-lines.ts';

/** Rows that say whether the cells of a table are whole lines. */
const ROWS_LOOKED_AT = 1_000;
const LEAST_ROWS = 2;
/** This share of the rows has the usual number of cells; where that is two, all have. */
const MOST = 0.9;
/** What parts the cells of a line; a tab became a blank. */
const DELIMITERS = [';', ',', '|'];
/** Characters that are kept before they are written. */
const KEPT = 1 << 20;

/**
 * Parts the lines that a workbook's cells hold: a CSV file that was opened with another delimiter has all of each line in its first
 * cell. Answers the delimiter, or null when cells are no lines: then the text stays as it is. `most`: bytes that the text may have;
 * more are handed to `refuse`.
 */
export async function splitLines(
  path: string,
  { most, refuse }: { most: number; refuse: () => Error },
): Promise<{ delimiter: string; bytes: number } | null> {
  const found = await delimiterIn(path);
  if (found === null) return null;
  const { delimiter, width } = found;
  const target = `${path}.split`;
  let [bytes, kept] = [0, 0];
  {
    await using writer = await openTextWriter(target);
    for await (const texts of writtenLines(path)) {
      for (const text of texts) {
        const cells = text.trim() === '' ? [] : cellsOf(unquoted(text.trimEnd()), delimiter);
        const line = `${cells.map(writtenCell).join('\t')}${'\t'.repeat(Math.max(0, width - cells.length))}\n`;
        writer.write(text === '' ? '\n' : line);
        bytes += Buffer.byteLength(text === '' ? '\n' : line);
        kept += line.length;
        if (bytes > most) throw refuse();
      }
      if (kept > KEPT) {
        await writer.flush();
        kept = 0;
      }
    }
    await writer.flush();
  }
  await rename(target, path);
  return { delimiter, bytes };
}

/** The first rows of a text, each as its only cell is; null when a row has several cells already. */
async function loneCells(path: string): Promise<string[] | null> {
  const rows: string[] = [];
  for await (const texts of writtenLines(path)) {
    for (const text of texts) {
      if (text.trim() === '') continue;
      if (text.trimEnd().includes('\t')) return null;
      rows.push(unquoted(text.trimEnd()));
      if (rows.length === ROWS_LOOKED_AT) return rows;
    }
  }
  return rows;
}

/** The delimiter by which the first rows have the same number of cells, most of them; null when they are no lines. */
async function delimiterIn(path: string): Promise<{ delimiter: string; width: number } | null> {
  const rows = (await loneCells(path)) ?? [];
  if (rows.length < LEAST_ROWS) return null;
  const fits = DELIMITERS.flatMap((delimiter) => {
    const counts = new Map<number, number>();
    for (const row of rows) {
      const count = cellsOf(row, delimiter).length;
      counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const [[width, usual] = [0, 0]] = [...counts].sort(([, a], [, b]) => b - a);
    const isUsual = width > 2 ? usual >= rows.length * MOST : width === 2 && usual === rows.length;
    return isUsual ? [{ delimiter, width }] : [];
  });
  return fits.toSorted((a, b) => b.width - a.width)[0] ?? null;
}

/** The cells of a line; quotes around a cell may hold the delimiter, and are doubled within. */
function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const quoted = line[at] === '"' ? /^"((?:[^"]|"")*)"/.exec(line.slice(at)) : null;
    const end = quoted === null ? -1 : at + quoted[0].length;
    if (quoted !== null && (end === line.length || line[end] === delimiter)) {
      cells.push(quoted[1]!.replaceAll('""', '"'));
      at = end;
    } else {
      const next = line.indexOf(delimiter, at);
      cells.push(line.slice(at, next < 0 ? undefined : next));
      at = next < 0 ? line.length : next;
    }
    if (at === line.length) return cells;
    at += 1;
  }
}
