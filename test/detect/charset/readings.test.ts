import { expect, test } from 'vitest';
import { detect } from '../../../src/detect/detect.ts';
import { comparisonLines } from '../../../src/wording/files/side-by-side.ts';
import { bytesFile, textFile } from '../../support/price-list.ts';

test('a sure dialect needs no comparison', async () => {
  expect((await detect(textFile('brand;oem;name\nATE;1;Колодки\n'))).readings).toEqual([]);
});

test('two delimiters that both make a table are shown on the same rows', async () => {
  const { sure, readings } = await detect(textFile('a;b,c\n\nd;e,f\ng;h,i\nj;k,l\n'));
  expect(sure).toBe(false);
  expect(comparisonLines(readings).join('\n')).toBe(`line 1:
  utf-8, delimiter ";"  a | b,c
  utf-8, delimiter ","  a;b | c
line 3:
  utf-8, delimiter ";"  d | e,f
  utf-8, delimiter ","  d;e | f
line 4:
  utf-8, delimiter ";"  g | h,i
  utf-8, delimiter ","  g;h | i`);
});

test('where charset and delimiter are both uncertain, each has a reading of its own', async () => {
  const { sure, readings } = await detect(bytesFile(Buffer.from('a;b,c\nd;e,\xc4\ng;h,i\nj;k,l\n', 'latin1')));
  expect(sure).toBe(false);
  const [best, otherCharset, otherDelimiter] = readings;
  expect(readings).toHaveLength(3);
  expect(otherCharset).toMatchObject({ delimiter: best!.delimiter });
  expect(otherCharset!.charset).not.toBe(best!.charset);
  expect(otherDelimiter).toMatchObject({ charset: best!.charset });
  expect(otherDelimiter!.delimiter).not.toBe(best!.delimiter);
});

test('rows that two charsets read differently are found wherever they are', async () => {
  const row = 'BOSCH;0986424797;Brake pads\n';
  const bytes = Buffer.concat([
    Buffer.from(`brand;oem;name\n${row.repeat(40_000)}`),
    Buffer.from('ATE;1;\xc4\n', 'latin1'),
    Buffer.from(row.repeat(10)),
  ]);
  const { sure, readings } = await detect(bytesFile(bytes));
  expect(sure).toBe(false);
  expect(readings).toHaveLength(2);
  const [one, two] = readings.map(({ rows }) => rows);
  expect(one).toHaveLength(3);
  expect(one?.[2]?.line).toBeNull();
  expect(one?.[2]?.cells.slice(0, 2)).toEqual(['ATE', '1']);
  expect(one?.[2]?.cells[2]).not.toBe(two?.[2]?.cells[2]);
});
