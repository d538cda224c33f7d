import { write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { openOds } from '../../../src/tables/ods/open-ods.ts';
import { openXls } from '../../../src/tables/xls/open-xls.ts';
import { readAll } from '../read-file.ts';
import { madeXls, sheetOf, workbookOf } from '../xls/made-xls.ts';

test('a list that SheetJS wrote is the same as its old workbook', async () => {
  const values = [
    ['Brand', 'Article', 'Price', 'From', 'In stock', 'Count'],
    ['BOSCH', '0 986 424 797', 12.5, 46_082, true, 4],
    ['Лемфёрдер & Co', '<x> "y"', 0.1 + 0.2, 46_083, false, 1e10],
    [null, null, null, null, null, null],
    ['MANN', '0123', 1_234_567.891, null, null, 123],
  ];
  const workbook = workbookOf({ Прайс: sheetOf(values, { 3: 'yyyy-mm-dd', 5: '0000000' }), Old: sheetOf([['x']]) });
  const ods = await readAll(openOds, write(workbook, { type: 'buffer', bookType: 'ods' }) as Buffer);
  expect(ods).toEqual(await readAll(openXls, madeXls(workbook)));
  expect(ods.rows.at(-1)).toEqual({ line: 5, cells: ['MANN', '0123', '1234567.891', '', '', '0000123'] });
});
