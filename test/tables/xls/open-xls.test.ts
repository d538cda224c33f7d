import { utils } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { openXls } from '../../../src/tables/xls/open-xls.ts';
import { readAll, refusedFor } from '../read-file.ts';
import { begin, END, label, ole, record, stream5, words } from './biff.ts';
import { madeXls, sheetOf, workbookOf } from './made-xls.ts';

const ROWS = [
  ['Brand', 'Article', 'Price', 'From', 'In stock', 'Count'],
  ['BOSCH', '0 986 424 797', 12.5, 46_082, true, 4],
  ['Лемфёрдер & Co', '  <x> "y"\n', 0.1 + 0.2, 46_082.5, false, 1e10],
  [null, null, null, null, null, null],
  ['MANN', '0123', { t: 'e' as const, v: 0x2a }, null, null, 123],
];

test('a list of Excel 97: numbers by their formats, dates, errors, digits that are text', async () => {
  const sheet = sheetOf(ROWS, { 3: 'dd.mm.yyyy hh:mm', 5: '0000000' });
  const { tables, rows, notes } = await readAll(openXls, madeXls(workbookOf({ Прайс: sheet })));
  expect(tables).toEqual([{ name: 'Прайс', hidden: false }]);
  expect(rows).toEqual([
    { line: 1, cells: ['Brand', 'Article', 'Price', 'From', 'In stock', 'Count'] },
    { line: 2, cells: ['BOSCH', '0 986 424 797', '12.5', '2026-03-01', 'TRUE', '0000004'] },
    { line: 3, cells: ['Лемфёрдер & Co', '  <x> "y"\n', '0.3', '2026-03-01 12:00', 'FALSE', '10000000000'] },
    { line: 5, cells: ['MANN', '0123', '#N/A', '', '', '0000123'] },
  ]);
  expect(notes).toEqual([]);
});

test('dates of workbooks whose time begins in 1904', async () => {
  const workbook = workbookOf({ List: sheetOf([[44_620]], { 0: 'yyyy-mm-dd' }) });
  workbook.Workbook = { WBProps: { date1904: true } };
  expect((await readAll(openXls, madeXls(workbook))).rows).toEqual([{ line: 1, cells: ['2026-03-01'] }]);
});

test('merged cells, results of formulas, hidden sheets, rows and columns', async () => {
  const sheet = sheetOf([['Price list'], ['a', 'b', { t: 'n', v: 2, f: '1+1' }, { t: 's', v: 'x', f: '"x"' }]]);
  sheet['!merges'] = [utils.decode_range('A1:C1')];
  sheet['!cols'] = [{}, { hidden: true, wch: 10 }];
  sheet['!rows'] = [{}, { hidden: true }];
  const workbook = workbookOf({ List: sheet, Old: sheetOf([['x']]) });
  workbook.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 2 }] };
  const bytes = madeXls(workbook);
  const { tables, rows } = await readAll(openXls, bytes);
  expect(tables).toEqual([
    { name: 'List', hidden: false },
    { name: 'Old', hidden: true },
  ]);
  expect(rows.map(({ cells }) => cells)).toEqual([['Price list'], ['a', 'b', '2', 'x']]);
  expect((await readAll(openXls, bytes, 1)).notes).toEqual(['The sheet "Old" is hidden; it was read.']);
});

const SHEET5 = {
  Цены: [
    record(0x7d, words(0, 0, 2000, 0, 0)),
    record(0x7d, words(1, 1, 2000, 0, 1)),
    record(0x0208, words(1, 0, 2, 0, 0, 0, 0x20, 0)),
    label(0, 0, 'Артикул'),
    label(1, 0, '0123'),
    label(1, 1, 'Фильтр'),
    Buffer.concat([begin(32), label(1, 0, 'of a chart'), END]),
  ],
};
const CELLS5 = [['Артикул'], ['0123', 'Фильтр']];

test('a list of Excel 5 in a code page; what of it is hidden is said, charts are not read', async () => {
  const bytes = ole({ Book: stream5([record(0x42, words(1251))], SHEET5) });
  const { tables, rows, notes } = await readAll(openXls, bytes);
  expect(tables).toEqual([{ name: 'Цены', hidden: false }]);
  expect(rows.map(({ cells }) => cells)).toEqual(CELLS5);
  expect(notes).toEqual(['The sheet "Цены" has 1 hidden row and 1 hidden column (B) with cells; they were read.']);
});

test('the charset that the settings name replaces a code page that is wrong or missing', async () => {
  for (const own of [[record(0x42, words(1252))], []]) {
    const { tables, rows } = await readAll(openXls, ole({ Book: stream5(own, SHEET5) }), 0, {
      charset: 'windows-1251',
    });
    expect(tables).toEqual([{ name: 'Цены', hidden: false }]);
    expect(rows.map(({ cells }) => cells)).toEqual(CELLS5);
  }
});

test('a workbook that names no code page is read in that of its fonts', async () => {
  const font = (letters: number) =>
    record(0x31, words(200, 0, 8, 400, 0), [0, 2, letters, 0, 5], Buffer.from('Arial', 'latin1'));
  const cells = async (...own: Buffer[]) =>
    (await readAll(openXls, ole({ Book: stream5(own, SHEET5) }))).rows.map(({ cells: row }) => row);
  expect(await cells(font(0), font(204))).toEqual(CELLS5);
  expect(await cells(record(0x42, words(1251)), font(238))).toEqual(CELLS5);
  expect(await cells(font(0))).not.toEqual(CELLS5);
});

test('a stream without a container, as scripts write it', async () => {
  const plain = Buffer.concat([begin(16, 0), label(0, 0, 'OC 90'), label(2, 1, 'x'), END]);
  expect(await readAll(openXls, plain)).toMatchObject({
    tables: [{ name: 'Sheet1', hidden: false }],
    rows: [
      { line: 1, cells: ['OC 90'] },
      { line: 3, cells: ['', 'x'] },
    ],
  });
  expect((await readAll(openXls, stream5([record(0x42, words(1251))], SHEET5))).rows).toHaveLength(2);
});

const DAMAGED = 'list is a damaged or cut-off workbook. Open it in Excel, save it as .xlsx and send it again.';
const ENCRYPTED = 'list is encrypted. Save the workbook without a password and send it again.';
const filePass = record(0x2f, words(1, 1, 1), Buffer.alloc(48));

test.each([
  ['a password', ole({ Book: stream5([filePass], SHEET5) }), 'workbook-encrypted', ENCRYPTED],
  ['a password of newer Excel', ole({ EncryptedPackage: Buffer.alloc(5000) }), 'workbook-encrypted', ENCRYPTED],
  ['a stream that is cut', ole({ Book: stream5([], SHEET5).subarray(0, -20) }), 'workbook-broken', DAMAGED],
  ['nothing in its stream', ole({ Book: Buffer.alloc(5000) }), 'workbook-broken', DAMAGED],
  [
    'another document',
    ole({ WordDocument: Buffer.alloc(5000) }),
    'no-table',
    'list is an old Office file without a workbook. Ask for the price list as .xlsx or CSV.',
  ],
  [
    'records of Excel 4',
    ole({ Book: record(0x0409, words(0, 16, 0)) }),
    'workbook-broken',
    'list is a workbook of Excel 4 or older. Save it as .xlsx and send it again.',
  ],
  [
    'no sheet of cells',
    ole({ Book: Buffer.concat([begin(5), END]) }),
    'no-table',
    'list is a workbook without a sheet of cells. Ask for the price list again.',
  ],
])('a file with %s is refused by name', async (_what, bytes, code, message) => {
  expect(await refusedFor(openXls, bytes)).toEqual({ code, message });
});

test('a file that is cut anywhere is refused', async () => {
  const whole = madeXls(workbookOf({ List: sheetOf(Array.from({ length: 300 }, (_row, at) => ['BOSCH', at, 12.5])) }));
  for (const share of [0.2, 0.5, 0.9]) {
    expect(await refusedFor(openXls, whole.subarray(0, whole.length * share))).toMatchObject({
      code: 'workbook-broken',
    });
  }
});
