import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readSpellings } from '../../../src/app/lists/read-spellings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function read(bytes: string | Buffer) {
  const path = join(tempFolder(), 'brands.csv');
  writeFileSync(path, bytes);
  return readSpellings(path);
}

const PAIRS = ['VAG,VW', 'Mann Filter,MANN-FILTER', 'ЛУКОИЛ,ЛУКОЙЛ', 'Lemfoerder,LEMFÖRDER'];

test.each([
  ['commas', PAIRS.join('\n')],
  ['semicolons, CRLF and a last line break', `${PAIRS.join('\r\n').replaceAll(',', ';')}\r\n`],
  ['tabs', PAIRS.join('\n').replaceAll(',', '\t')],
  [
    'quotes',
    PAIRS.map((line) =>
      line
        .split(',')
        .map((cell) => `"${cell}"`)
        .join(','),
    ).join('\n'),
  ],
  ['a byte order mark', `\uFEFF${PAIRS.join('\n')}`],
  ['UTF-16', iconv.encode(PAIRS.join('\r\n'), 'utf-16')],
  ['a header', `Spelling,Brand\n${PAIRS.join('\n')}`],
  [
    'a header the other way round',
    `brand;spelling\n${PAIRS.map((line) => line.split(',').toReversed().join(';')).join('\n')}`,
  ],
  ['blank lines and empty cells', `\n${PAIRS.join(',,\n\n')}`],
])('spellings and brands are read with %s', async (_how, bytes) => {
  const { rows, problems } = await read(bytes);
  expect(rows.map(({ spelling, brand }) => `${spelling},${brand}`)).toEqual(PAIRS);
  expect(problems).toEqual([]);
});

test('a line alone is a table as well', async () => {
  expect(await read('VAG,VW')).toEqual({ rows: [{ line: 1, spelling: 'VAG', brand: 'VW' }], problems: [] });
});

test('a charset of one byte is found', async () => {
  const bytes = iconv.encode('Написание;Бренд\nЛукоил;ЛУКОЙЛ\nЛадья;ЛАДА\nБелмаг-Авто;БЕЛМАГ\n', 'windows-1251');
  expect((await read(bytes)).rows).toEqual([
    { line: 2, spelling: 'Лукоил', brand: 'ЛУКОЙЛ' },
    { line: 3, spelling: 'Ладья', brand: 'ЛАДА' },
    { line: 4, spelling: 'Белмаг-Авто', brand: 'БЕЛМАГ' },
  ]);
});

test('lines that are no spelling and its brand are named with their line', async () => {
  const { rows, problems } = await read('VAG;VW\nonly\n;VW\nA;B;C\nMB;MERCEDES-BENZ\n"open;x\n');
  expect(rows.map(({ line }) => line)).toEqual([1, 5]);
  expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '2: "only" is no spelling and its brand; write both, such as "VAG,VW"',
    '3: ";VW" is no spelling and its brand; write both, such as "VAG,VW"',
    '4: the line has 3 cells, and only a spelling and its brand belong into it; quote cells with the delimiter in them',
    expect.stringContaining('6: A quote that opens in this line is never closed'),
  ]);
});

test('what is no text is refused', async () => {
  await expect(
    read(Buffer.from([0x50, 0x4b, 3, 4, ...Array.from({ length: 200 }, (_, at) => at % 9)])),
  ).rejects.toThrow('save it as CSV');
});
