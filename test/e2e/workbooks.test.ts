import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import type { LoginTrace } from '../../src/jobs/queries/trace-part.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

/** A workbook with these sheets, as Excel would save it. */
async function workbook(sheets: Record<string, (string | number)[][]>): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) book.addWorksheet(name).addRows(rows);
  return Buffer.from(await book.xlsx.writeBuffer());
}

const HEADER = ['brand', 'oem', 'name'];
const BRAKES = [['Brakes 2026'], HEADER, ['BOSCH', '0986424797', 'Pads "front"'], ['NONSUCH', '7', 'Disc']];
const FILTERS = [HEADER, ['MANN-FILTER', 'W 712/75', 'Oil filter'], ['', '5', ''], ['BOSCH', '0 986 424 797', 'again']];

test('a workbook goes live, and what is wrong with it names sheet and row everywhere', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { guard: { maxRejected: '90%' } } } });
  shop.deliver('north', 'list.xlsx', await workbook({ Terms: [['Payment', '30 days']], Brakes: BRAKES }));
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    status: 0,
    outcome: 'partial',
    dialect: { format: 'xlsx', sheet: 'Brakes', charset: null, delimiter: null, header: true },
    rows: { read: 2, accepted: 2, live: 1, rejectedRemotely: 1 },
    skipped: [{ kind: 'preamble', rows: 1, examples: [{ sheet: 'Brakes', line: 1, value: 'Brakes 2026' }] }],
    rejections: [{ sheet: 'Brakes', line: 4, brand: 'NONSUCH', oem: '7', match: 'exact' }],
  });
  const csv = readFileSync(run.reports!.csv, 'utf8');
  expect(csv).toContain('rejection,BRAND_UNKNOWN,error,Brakes,4,list.xlsx');

  const traced = await shop.offerline('trace', 'NONSUCH', '7', '--json');
  const [main] = (JSON.parse(traced.stdout) as { logins: LoginTrace[] }).logins;
  expect(main).toMatchObject({ feeds: [{ verdict: 'rejected-remotely', sheet: 'Brakes', line: 4 }] });
  expect((await shop.offerline('trace', 'NONSUCH', '7')).stdout).toContain('list.xlsx Brakes!4');
  expect((await shop.offerline('show', run.run)).stdout).toContain(
    'Excel workbook (XLSX), sheet “Brakes”, with header',
  );
});

test('of several sheets with offers the settings name the one that is read, or all', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { guard: { maxRejected: '90%' } } } });
  shop.deliver('north', 'list.xlsx', await workbook({ Brakes: BRAKES, Filters: FILTERS }));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ status: 3, outcome: 'held', dialect: { sheet: 'Brakes' } });
  expect(held.reason).toContain('Several sheets hold offers: "Brakes", "Filters". Set feeds.north.sheet');

  const all = install({
    service: { baseUrl: service.url },
    logins: { main: { guard: { maxRejected: '90%', maxRowDrop: '10%' } } },
    feeds: { north: { sheet: 'all' } },
  });
  const path = all.deliver('north', 'list.xlsx', await workbook({ Brakes: BRAKES, Filters: FILTERS }));
  const checked = await all.offerline('check', path, '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({
    outcome: 'accepted',
    dialect: { format: 'xlsx', sheet: null },
    rows: { read: 5, accepted: 3, rejectedLocally: 1, duplicates: 1 },
    sample: [
      { code: 'brand-empty', sheet: 'Filters', line: 3 },
      {
        code: 'duplicate',
        sheet: 'Filters',
        line: 4,
        message: 'The part in line 4 was already offered in line 3 of the sheet "Brakes"; the first one is used.',
      },
    ],
  });
  expect(await all.ingest('north')).toMatchObject({
    outcome: 'partial',
    rows: { accepted: 3, live: 2 },
    rejections: [{ sheet: 'Brakes', line: 4 }],
  });
  all.deliver('north', 'list.xlsx', await workbook({ Brakes: BRAKES.slice(0, 3), Filters: FILTERS.slice(0, 1) }));
  expect(await all.ingest('north')).toMatchObject({
    outcome: 'held',
    diff: {
      brands: [
        { brand: 'MANN-FILTER', examples: [{ change: 'removed', sheet: 'Filters', line: 2 }] },
        { brand: 'NONSUCH', examples: [{ change: 'removed', sheet: 'Brakes', line: 4 }] },
      ],
    },
  });
  const traced = await all.offerline('trace', 'MANN-FILTER', 'W712/75');
  expect(traced.stdout).toContain('list.xlsx Filters!2');
});

test('a workbook of formulas whose results were not saved is rejected with what to do', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: {} } });
  const book = new ExcelJS.Workbook();
  const rows = FILTERS.slice(1).map(([brand], at) => [brand, { formula: `"A"&${at}` }]);
  book.addWorksheet('Prices').addRows([HEADER.slice(0, 2), ...rows]);
  shop.deliver('north', 'list.xlsx', Buffer.from(await book.xlsx.writeBuffer()));
  const rejected = await shop.ingest('north');
  expect(rejected).toMatchObject({ status: 3, outcome: 'rejected', upload: null });
  expect(rejected.reason).toContain('without a saved result; such cells are empty. Open the workbook, save it');
});

test('a sheet that the settings name and the workbook lacks rejects the file', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: { sheet: 'Prices*' } } });
  shop.deliver('north', 'list.xlsx', await workbook({ Brakes: BRAKES }));
  const rejected = await shop.ingest('north');
  expect(rejected).toMatchObject({ status: 3, outcome: 'rejected' });
  expect(rejected.reason).toContain('list.xlsx has no sheet "Prices*" (feeds.north.sheet). Its sheets: "Brakes".');
});
