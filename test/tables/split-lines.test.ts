import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeTables } from '../../src/tables/write-tables.ts';
import { repetitions } from '../support/repetitions.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { madeFile } from './made-file.ts';

const LIMITS = { fileSize: 1e6, cellLength: 1000, rowLength: 10_000 };

/** The lines of a sheet with these rows, from row 1 on, and the delimiter at which they were split. */
async function written(rows: string[][]) {
  const path = join(tempFolder(), 'table.txt');
  const file = madeFile({ List: Object.fromEntries(rows.map((cells, at) => [at + 1, cells])) });
  const { bytes, delimiter } = await writeTables(file, [0], { path, limits: LIMITS });
  const text = await readFile(path, 'utf8');
  expect(bytes).toBe(Buffer.byteLength(text));
  return { delimiter, lines: text.split('\n').slice(0, -1) };
}

test('lines of a CSV file in the cells of a sheet are parted', async () => {
  const rows = [['id,brand,oem,price'], ['0,Bosch,A0123,"9,50"'], ['1,"MAHLE ""KNECHT""",A1,8']];
  expect(await written(rows)).toEqual({
    delimiter: ',',
    lines: ['id\tbrand\toem\tprice', '0\tBosch\tA0123\t9,50', '1\t"MAHLE ""KNECHT"""\tA1\t8'],
  });
});

test('a line stays in its row, and one that is another has other cells', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => [`BOSCH;${at};x`]);
  const { delimiter, lines } = await written([...rows, ['Total']]);
  expect(delimiter).toBe(';');
  expect(lines[19]).toBe('BOSCH\t19\tx');
  expect(lines[20]).toBe('Total\t\t');
});

test.each([
  ['a row has several cells', [['brand,oem,name'], ['ATE,1,x', '2'], ['ATE,2,y']]],
  ['rows have commas here and there', [['Brake pads, front'], ['Discs'], ['Hoses, 2 m, black']]],
  ['one of two halves is missing', [['number'], ['A1,B2'], ['A3,B4']]],
  ['there is one row', [['brand,oem,name']]],
])('cells are no lines where %s', async (_why, rows) => {
  expect((await written(rows)).delimiter).toBeNull();
});

test('whatever cells a line has, they are found again', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'B', '1', ',', '"', ' ', 'ж'), minLength: 1, maxLength: 6 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 5 }), async (rows) => {
      const { lines } = await written(rows.map((cells) => [cells.map(quoted).join(',')]));
      const expected = rows.map((cells) => cells.map((text) => (text.includes('"') ? quoted(text) : text)).join('\t'));
      expect(lines).toEqual(expected);
    }),
    { numRuns: repetitions(50) },
  );
});
