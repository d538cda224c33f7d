import { CFB, utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { readWorkbook } from '../../../src/tables/xls/read-workbook.ts';
import { dbf } from './made-dbf.ts';

const LIMITS = { fileSize: 1e9, cellLength: 1_000, rowLength: 10_000 };

async function read(bytes: Buffer, codePage: number | null = null) {
  const sheets = await readWorkbook({ bytes, name: 'list', codePage, limits: LIMITS });
  return sheets.map(({ name, hidden, rows, merged }) => ({ name, hidden, merged, rows: [...rows()].flat() }));
}

const ROWS = [
  ['brand', 'oem', 'name', 'price'],
  ['BOSCH', '0986424797', 'Колодки', 12.5],
  ['ATE', '0001', 'Диск', 7],
];
const TEXTS = ROWS.map((row, at) => ({ line: at + 1, cells: row.map(String) }));

test('a binary workbook has its sheets, hidden ones too, its numbers as they are shown, and merged cells', async () => {
  const [first, second] = [utils.aoa_to_sheet(ROWS), utils.aoa_to_sheet([['old'], ['rows']])];
  first['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
  first['D2'] = { t: 'n', v: 12.5, z: '0.00' };
  const book = utils.book_new();
  utils.book_append_sheet(book, first, 'Прайс');
  utils.book_append_sheet(book, second, 'Old');
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  const [prices, old] = await read(write(book, { type: 'buffer', bookType: 'xlsb' }) as Buffer);
  expect(prices).toMatchObject({ name: 'Прайс', hidden: false, merged: [{ column: 0, first: 2, last: 3 }] });
  expect(prices!.rows.map(({ cells }) => cells)).toEqual([
    ['brand', 'oem', 'name', 'price'],
    ['BOSCH', '0986424797', 'Колодки', '12.50'],
    ['ATE', '0001', 'Диск', '7'],
  ]);
  expect(old).toMatchObject({ name: 'Old', hidden: true });
});

test.each([
  ['ibm866', 0x65, null],
  ['windows-1251', 0xc9, null],
  ['windows-1251', 0, 1251],
  ['ibm866', 0xc9, 866],
  ['utf-8', 0, 65_001],
])('a dBase table in %s (driver %i, code page %o) is read without its deleted rows', async (charset, driver, known) => {
  const [table] = await read(dbf(charset, driver), known);
  expect(table!.rows.map(({ cells }) => cells)).toEqual([
    ['BRAND', 'ARTIKUL', 'NAIM', 'CENA'],
    ['BOSCH', '0986424797', 'Колодки', '12.5'],
    ['ATE', '0001', 'Диск', '7'],
  ]);
});

test('texts in a file beside the table are empty: it was not sent', async () => {
  const table = dbf('ibm866');
  // The third column becomes a memo.
  table.write('M', 32 + 32 * 2 + 11, 'latin1');
  const [sheet] = await read(table);
  expect(sheet!.rows.map(({ cells }) => cells[2])).toEqual(['NAIM', '', '']);
});

test.each([
  ['a dBase table', dbf('utf-8').subarray(0, -20)],
  ['SYLK', Buffer.from('ID;PWXL\r\nC;Y1;X1;K"brand"\r\nC;Y2;X1;K"BO')],
])('%s that is cut is refused', async (_, bytes) => {
  await expect(read(Buffer.from(bytes))).rejects.toThrow('is a damaged workbook: it ends before its last row');
});

test('a binary workbook with a sheet that ends early is refused', async () => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(ROWS), 'Прайс');
  const zip = CFB.read(write(book, { type: 'buffer', bookType: 'xlsb' }) as Buffer, { type: 'buffer' });
  const sheet = CFB.find(zip, '/xl/worksheets/sheet1.bin') as { content: Uint8Array };
  for (const bytes of [3, 40]) {
    sheet.content = sheet.content.subarray(0, -bytes);
    const cut = CFB.write(zip, { type: 'buffer', fileType: 'zip' }) as Buffer;
    await expect(read(cut)).rejects.toThrow('is a damaged workbook: a sheet of it ends early');
  }
});

test('SYLK is read in the charset that is known', async () => {
  const cells = ROWS.flatMap((row, y) =>
    row.map((value, x) => `C;Y${y + 1};X${x + 1};K${typeof value === 'number' ? value : `"${value}"`}`),
  );
  for (const [charset, known] of [
    ['windows-1251', 1251],
    ['utf-8', 65_001],
  ] as const) {
    const [sheet] = await read(
      Buffer.from(encodeBytes(['ID;PWXL;N;E', ...cells, 'E', ''].join('\r\n'), charset)),
      known,
    );
    expect(sheet!.rows).toEqual(TEXTS);
  }
});

test.each([
  ['a table that is cut', dbf('utf-8').subarray(0, 100)],
  ['a zip that is none', Buffer.from('PK\x03\x04rest')],
  ['SYLK of nothing', Buffer.from('ID;PWXL\r\nE\r\n')],
])('%s is refused in words, or has no rows', async (_, bytes) => {
  const answer = await read(bytes).then(
    (sheets) => sheets.flatMap(({ rows }) => rows),
    (error: { code: string }) => error.code,
  );
  expect([[], 'file-rejected']).toContainEqual(answer);
});
