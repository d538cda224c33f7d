import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanSheet } from '../../../src/report/marked/sheets.ts';
import { endsWithMark, isResult, marked, markOf } from '../../../src/pull/result/mark.ts';
import { writeWorkbook } from '../../../src/tables/write-xlsx/write-workbook.ts';
import { readBook } from '../../support/marked-book.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { rawZip } from '../../support/raw-zip.ts';

const OURS = markOf('installation', 'north');

test('a marked workbook opens as before, and is known for a result', async () => {
  const path = join(tempFolder(), 'result.xlsx');
  await writeWorkbook(path, [cleanSheet({ name: 'prices.csv', read: 3, language: 'en' })], 'offerline');
  expect(isResult(path)).toBe(false);

  writeFileSync(path, marked(readFileSync(path), OURS));

  expect(isResult(path)).toBe(true);
  expect((await readBook(path))[0]!.rows).toEqual([
    ['prices.csv: nothing to correct'],
    ['Your file was read completely (3 rows); no mistakes were found in it.'],
  ]);
});

test('the mark of each feed and each installation is its own', async () => {
  const marks = [OURS, markOf('installation', 'south'), markOf('another', 'north')];
  expect(new Set(marks).size).toBe(3);
  const chunks = async function* () {
    for (const byte of marked(rawZip([]), OURS)) yield Buffer.from([byte]);
  };
  expect(await endsWithMark(chunks(), OURS)).toBe(true);
  expect(await endsWithMark(chunks(), marks[1]!)).toBe(false);
});

test.each([['brand;oem\n'], [''], [OURS]])('a file with the content %j is no result', (content) => {
  const path = join(tempFolder(), 'prices.csv');
  writeFileSync(path, content);
  expect(isResult(path)).toBe(false);
  expect(() => marked(Buffer.from(content), OURS)).toThrow('does not end as an archive does');
});

test('a workbook is marked once', () => {
  expect(() => marked(marked(rawZip([]), OURS), OURS)).toThrow('does not end as an archive does');
});
