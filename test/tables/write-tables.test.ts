import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowScanner } from '../../src/validate/scan/scan-rows.ts';
import { RowCells } from '../../src/tables/row-cells.ts';
import type { TableFile } from '../../src/tables/table-file.ts';
import { writeTables } from '../../src/tables/write-tables.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { madeFile, type Sheets } from './made-file.ts';
import { repetitions } from '../support/repetitions.ts';

const LIMITS = { fileSize: 1e6, cellLength: 1000, rowLength: 10_000 };

async function written(sheets: Sheets, tables = [0], options: { fileSize?: number; most?: number } = {}) {
  const path = join(tempFolder(), 'table.txt');
  const { most, ...limits } = options;
  const result = await writeTables(madeFile(sheets), tables, {
    path,
    limits: { ...LIMITS, ...limits },
    ...(most === undefined ? {} : { most }),
  });
  return { ...result, text: await readFile(path, 'utf8') };
}

test('a row stands in the line of its number, with as many cells as the widest row', async () => {
  const { text, parts, bytes } = await written({
    List: { 2: ['Prices'], 4: ['brand', 'oem', 'price'], 5: ['ATE', '', '1'] },
  });
  expect(text).toBe('\nPrices\t\t\n\nbrand\toem\tprice\nATE\t\t1\n');
  expect(parts).toEqual([{ sheet: 'List', line: 1 }]);
  expect(bytes).toBe(text.length);
});

test('a sheet begins below the one before it', async () => {
  const { text, parts } = await written(
    { a: { 1: ['x'], 3: ['y'] }, '.hidden': { 1: ['z'] }, b: { 2: ['w'] } },
    [0, 2],
  );
  expect(text).toBe('x\n\ny\n\nw\n');
  expect(parts).toEqual([
    { sheet: 'a', line: 1 },
    { sheet: 'b', line: 4 },
  ]);
});

test('line breaks become vertical tabs, tabs become blanks, quotes are doubled', async () => {
  const { text } = await written({ a: { 1: ['two\r\nlines', 'a\tb', '5" hose', '"'] } });
  expect(text).toBe('two\vlines\ta b\t"5"" hose"\t""""\n');
});

test('only so many rows are written, and not more text than is allowed', async () => {
  const sheet = { a: { 1: ['x'], 2: ['y'], 3: ['z'] } };
  expect((await written(sheet, [0], { most: 2 })).text).toBe('x\ny\n');
  await expect(written({ a: { 1: ['x'.repeat(60)] } }, [0], { fileSize: 50 })).rejects.toThrow(
    'The tables of the file are more than 50 bytes of text (limits.fileSize).',
  );
});

/** A run of tabs and line breaks as it is written. */
function asWritten(run: string): string {
  return /[^\t]/.test(run) ? '\v' : ' ';
}

/** A file of one sheet whose rows have these cells by column. */
function sheet(...rows: Record<number, string>[]): TableFile {
  const cells = new RowCells();
  const read = rows.map((row, at) => {
    for (const [column, text] of Object.entries(row)) cells.put(Number(column), text);
    return Object.assign(cells.take(), { line: at + 1 });
  });
  return { ...madeFile({ a: {} }), rows: () => Readable.from(read.map((row) => [row])) as never };
}

async function text(file: TableFile, options: { mostCells?: number } = {}) {
  const path = join(tempFolder(), 'table.txt');
  const { emptyColumns } = await writeTables(file, [0], { path, limits: LIMITS, ...options });
  const rows = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  return { rows: rows.map((row) => row.split('\t')), emptyColumns };
}

test('columns up to the 200th keep their places, those that are empty behind it are left out', async () => {
  const { rows, emptyColumns } = await text(
    sheet({ 0: 'brand', 9: 'oem', 300: 'stray' }, { 0: 'ATE', 16_383: 'last' }, { 0: 'ATE', 280: 'later', 300: 'x' }),
  );
  expect(emptyColumns).toBe(16_384 - 200 - 3);
  expect(rows.map((row) => row.length)).toEqual([203, 203, 203]);
  expect(rows.map((row) => [row[0], row[9]].concat(row.slice(200)))).toEqual([
    ['brand', 'oem', '', 'stray', ''],
    ['ATE', '', '', '', 'last'],
    ['ATE', '', 'later', 'x', ''],
  ]);
});

test('columns of which each is filled somewhere keep their places', async () => {
  const header = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, `c${at}`]));
  const { rows, emptyColumns } = await text(sheet({ 280: 'Prices' }, header, { 299: 'x' }));
  expect(emptyColumns).toBe(0);
  expect(rows.map((row) => [row.length, row.indexOf('Prices'), row.indexOf('c299'), row.indexOf('x')])).toEqual([
    [300, 280, -1, -1],
    [300, -1, 299, -1],
    [300, -1, -1, 299],
  ]);
});

test('cells have a limit in all, empty ones too', async () => {
  const rows = Array.from({ length: 20 }, () => ({ 0: 'A', 99: 'x' }));
  expect((await text(sheet(...rows), { mostCells: 2_000 })).rows).toHaveLength(20);
  await expect(text(sheet(...rows), { mostCells: 1_999 })).rejects.toThrow(
    'The tables of the file have more than 1,999 cells, most of them empty. Delete the empty columns',
  );
});

test('whatever is in the cells, reading the text gives them back', async () => {
  const anyCell = fc.string({ unit: fc.constantFrom(...Array.from('ab1"\';,|\t\n\r\u2028é😀')), maxLength: 6 });
  const anyRows = fc.array(fc.array(anyCell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const { text, delimiter } = await written({ a: Object.fromEntries(rows.map((cells, at) => [at + 1, cells])) });
      // Rows of one cell each that hold lines, such as `a;b`, are parted into their cells, which is tested with split-lines.
      fc.pre(delimiter === null);
      const scanner = createRowScanner(
        { delimiter: '\t', quote: '"', escape: '"', newline: '\n' },
        { firstLine: 1, rowLength: 10_000, width: null, looseQuotes: false },
      );
      const read = [...scanner.push(text), ...scanner.end()].filter(({ gap }) => gap === undefined);
      const width = Math.max(...rows.map(({ length }) => length));
      const given = rows.map((cells, at) => ({
        line: at + 1,
        cells: Array.from({ length: width }, (_, place) =>
          (cells[place] ?? '').replaceAll(/[\t\r\n\u2028]+/g, asWritten),
        ),
      }));
      expect(
        read
          .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
          .map(({ line, cells }) => ({ line, cells })),
      ).toEqual(given.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')));
    }),
    { numRuns: repetitions(200) },
  );
});
