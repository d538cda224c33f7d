import { utils, write, type BookType } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { madeOds, row, table, text } from '../tables/ods/made-ods.ts';

const TERMS = [['Payment', '30 days']];
const BRAKES = [
  ['Brakes 2026'],
  ['brand', 'oem', 'name'],
  ['BOSCH', '0986424797', 'Колодки'],
  ['NONSUCH', '7', 'Disc'],
];

/** A workbook of two sheets as SheetJS would save it. */
function workbook(bookType: BookType): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries({ Terms: TERMS, Brakes: BRAKES })) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  }
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

test.each([
  ['xls', 'biff8', 'Excel workbook (XLS)'],
  ['ods', 'ods', 'OpenDocument spreadsheet (ODS)'],
] as const)('an .%s goes live, and what is wrong with it names sheet and row', async (format, bookType, words) => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { guard: { maxRejected: '90%' } } } });
  shop.deliver('north', `list.${format}`, workbook(bookType));
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    status: 0,
    outcome: 'partial',
    dialect: { format, sheet: 'Brakes', charset: null, delimiter: null, header: true },
    rows: { read: 2, accepted: 2, live: 1, rejectedRemotely: 1 },
    rejections: [{ sheet: 'Brakes', line: 4, brand: 'NONSUCH', oem: '7' }],
  });
  expect((await shop.offerline('show', run.run)).stdout).toContain(`${words}, sheet “Brakes”, with header`);
});

test('a bomb and a document that is no workbook are refused by name', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const rows = `<table:table-row table:number-rows-repeated="1000000">${text('x', 'table:number-columns-repeated="1000"')}</table:table-row>`;
  shop.deliver('north', 'list.ods', madeOds({ tables: table(row(text('brand')) + rows) }));
  const bomb = await shop.ingest('north');
  expect(bomb).toMatchObject({ status: 3, outcome: 'rejected' });
  expect(bomb.reason).toContain('repeats rows and columns to more than 10000000 cells');
  shop.deliver('north', 'list.xls', workbook('biff8').subarray(0, 3_000));
  const cut = await shop.ingest('north');
  expect(cut).toMatchObject({ status: 3, outcome: 'rejected' });
});
