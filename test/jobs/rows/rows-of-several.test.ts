import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GROUPS } from '../../../src/jobs/rows/run-rows.ts';
import { rowsOfRun } from '../../../src/jobs/rows/rows-of-run.ts';
import { install } from '../../support/installation.ts';
import { readBook } from '../../support/marked-book.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { readerOf } from '../../support/reader.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

const ZIP = rawZip([
  { name: 'bosch.csv', data: 'List of BOSCH\nbrand;oem;name\nBOSCH;0 986-1;Disc\nNONSUCH;7;Disc\nBOSCH;;no number\n' },
  { name: 'ate.csv', data: 'oem;brand\n5;ATE\n;ATE\n\n0986 1;bosch\n' },
]);

async function shopWithFiles() {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    feeds: { north: { entries: 'all' } },
  });
  shop.deliver('north', 'makers.zip', ZIP);
  return { shop, answer: await shop.ingest('north') };
}

test('each number of the account opens its rows, which name the file that they stand in', async () => {
  const { shop, answer } = await shopWithFiles();
  expect(answer).toMatchObject({
    outcome: 'partial',
    delivery: { name: 'makers.zip' },
    dialect: { format: 'files', sheet: null, charset: null },
    rows: { read: 6, accepted: 3, rejectedLocally: 2, duplicates: 1, rejectedRemotely: 1, live: 2 },
    files: [
      { file: 'ate.csv', read: 3, accepted: 2, rejectedLocally: 1, duplicates: 0, skipped: 1 },
      { file: 'bosch.csv', read: 3, accepted: 1, rejectedLocally: 1, duplicates: 1, skipped: 1 },
    ],
    rejections: [{ file: 'bosch.csv', line: 4, brand: 'NONSUCH', oem: '7' }],
  });
  const ctx = await readerOf(shop);
  for (const group of GROUPS)
    expect(await rowsOfRun(answer.run, { group }, ctx)).toMatchObject({
      total: answer.rows[group],
      matches: answer.rows[group],
      notes: [],
    });
  expect((await rowsOfRun(answer.run, { group: 'read' }, ctx)).rows).toMatchObject([
    {
      file: 'ate.csv',
      ofFiles: true,
      sheet: null,
      line: 2,
      verdict: 'live',
      supplierLine: { text: null, cells: ['5', 'ATE', ''] },
    },
    { file: 'ate.csv', line: 3, verdict: 'rejectedLocally', reasons: [{ code: 'oem-empty' }] },
    { file: 'ate.csv', line: 5, verdict: 'live' },
    { file: 'bosch.csv', line: 3, verdict: 'duplicate', winner: { file: 'ate.csv', line: 5 } },
    { file: 'bosch.csv', line: 4, verdict: 'rejectedRemotely' },
    { file: 'bosch.csv', line: 5, verdict: 'rejectedLocally' },
  ]);
  const shown = await shop.offerline('show', answer.run, '--rows', 'duplicates');
  expect(shown.stdout).toContain('bosch.csv, line 3  duplicate');
  expect((await shop.offerline('show', answer.run)).stdout).toContain(
    'of         ate.csv: 3 read = 2 accepted + 1 rejected here + 0 duplicates',
  );
});

test('trace, reports and the marked workbook name the file', async () => {
  const { shop, answer } = await shopWithFiles();
  expect((await shop.offerline('trace', 'ATE', '5')).stdout).toContain('ate.csv line 2');
  const { html, csv } = answer.reports!;
  const text = readFileSync(csv, 'utf8');
  expect(text).toContain('issue,oem-empty,error,,3,ate.csv,ATE');
  expect(text).toContain('rejection,');
  expect(text).toContain(',4,bosch.csv,NONSUCH,7');
  const page = readFileSync(html, 'utf8');
  expect(page).toContain('Files of the delivery');
  expect(page).toContain('ate.csv, line 3');
  expect(page).toContain('bosch.csv, line 4');
  const marked = join(shop.folder, 'marked.xlsx');
  expect(await shop.offerline('report', answer.run, '--format', 'xlsx', '--out', marked)).toMatchObject({ status: 0 });
  const [first, ...sheets] = await readBook(marked);
  expect(first!.rows.flat().join('\n')).toContain('ate.csv, line 3');
  expect(sheets).toMatchObject([
    {
      name: 'ate',
      rows: [
        ['oem', 'brand'],
        ['', 'ATE'],
      ],
      marks: [{ at: 'A2', color: 'red' }],
    },
    {
      name: 'bosch',
      rows: [
        ['brand', 'oem', 'name'],
        ['BOSCH', '0 986-1', 'Disc'],
        ['NONSUCH', '7', 'Disc'],
        ['BOSCH', '', 'no number'],
      ],
    },
  ]);
  expect(sheets[0]!.marks[0]!.comment).toContain('Line 3 of ate.csv');
});

test('the same archive again is unchanged; with a damaged file nothing of it is taken', async () => {
  const { shop, answer } = await shopWithFiles();
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  const broken = rawZip([
    { name: 'ate.csv', data: 'oem;brand\n6;ATE\n' },
    { name: 'bosch.csv', data: 'brand;oem\nBOSCH;1\n', crc: 1 },
  ]);
  shop.deliver('north', 'makers.zip', broken);
  const refused = await shop.ingest('north');
  expect(refused).toMatchObject({ outcome: 'rejected', now: { live: 2 } });
  expect(refused.reason).toContain('"bosch.csv"');
  expect(await shop.ingest('north', '--force')).toMatchObject({ outcome: 'rejected' });
  expect(answer.outcome).toBe('partial');
});
