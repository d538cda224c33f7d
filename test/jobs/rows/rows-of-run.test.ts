import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { GROUPS, type RowGroup } from '../../../src/jobs/rows/run-rows.ts';
import { rowsOfRun, type AskedRows } from '../../../src/jobs/rows/rows-of-run.ts';
import { getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { controlOf } from '../../support/control.ts';
import { install, type Installation } from '../../support/installation.ts';
import { laneWorld } from '../lane-world.ts';
import { readerOf } from '../../support/reader.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

const TAGS = Array.from({ length: 21 }, (_, at) => `t${at}`).join(',');

/** A list with every verdict; its rows stand in lines of their own but for one, whose name has a line break. */
const SOUTH = Buffer.concat([
  Buffer.from('Price list of south\r\n\r\nbrand;oem;name;tags;note\r\n'),
  Buffer.from('Bosch;09861;won by north;;a\r\n'),
  Buffer.from('ATE;5;"two\r\nlines";;b\r\n'),
  Buffer.from(`SKF;9;too many;${TAGS};c\r\n`),
  Buffer.from('NONSUCH;7;unknown there;;d\r\n'),
  Buffer.from('ate;5 .;again;;e\r\n'),
  Buffer.from([...Buffer.from('LUK;6'), 0xff, ...Buffer.from(';x;;f\r\n')]),
  Buffer.from('\r\nMANN;W 712;Ölfilter;;g\r\nTotal;6\r\n'),
]);

async function shopOfTwo() {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    feeds: { north: { priority: 1 }, south: { dialect: { charset: 'utf-8' } } },
  });
  shop.deliver('north', 'n.csv', 'brand;oem;name\nBOSCH;0 986-1;Disc\nTRW;GDB1330;Pad\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('south', 's.csv', SOUTH);
  const answer = await shop.ingest('south');
  const ctx = await readerOf(shop);
  const rows = (group: RowGroup, more: Partial<AskedRows> = {}) => rowsOfRun(answer.run, { group, ...more }, ctx);
  return { shop, ctx, answer, rows };
}

test('each number of the account opens its rows, with what is known of them and the supplier’s own line', async () => {
  const { answer, rows } = await shopOfTwo();
  expect(answer.rows).toEqual({
    read: 7,
    expanded: 0,
    accepted: 4,
    rejectedLocally: 2,
    duplicates: 1,
    leftOut: 0,
    skipped: 4,
    outranked: 1,
    contributed: 3,
    rejectedRemotely: 1,
    live: 2,
    unexplained: 0,
  });
  for (const group of GROUPS) {
    const found = await rows(group);
    expect(found).toMatchObject({ group, total: answer.rows[group], matches: answer.rows[group], notes: [] });
    expect(found.rows).toHaveLength(answer.rows[group]);
    expect(found.supplierLines.missing).toBeNull();
  }
  expect((await rows('live')).rows).toMatchObject([
    {
      line: 5,
      sheet: null,
      file: 's.csv',
      key: { brand: 'ATE', oem: '5' },
      cells: { brand: 'ATE', oem: '5', name: 'two lines', tags: '' },
      verdict: 'live',
      winner: null,
      supplierLine: { text: 'ATE;5;"two\nlines";;b', cells: ['ATE', '5', 'two\r\nlines', '', 'b'] },
    },
    { line: 12, key: { brand: 'MANN', oem: 'W 712' }, reasons: [], supplierLine: { text: 'MANN;W 712;Ölfilter;;g' } },
  ]);
  expect((await rows('outranked')).rows).toMatchObject([
    { line: 4, verdict: 'outranked', winner: { feed: 'north', file: 'n.csv', sheet: null, line: 2 } },
  ]);
  expect((await rows('duplicates')).rows).toMatchObject([
    {
      line: 9,
      verdict: 'duplicate',
      key: { brand: 'ate', oem: '5 .' },
      reasons: [{ by: 'us', code: 'duplicate' }],
      winner: { feed: 'south', file: 's.csv', line: 5 },
    },
  ]);
  expect((await rows('rejectedRemotely')).rows).toMatchObject([
    { line: 8, verdict: 'rejectedRemotely', reasons: [{ by: 'service', code: 'BRAND_UNKNOWN', severity: 'error' }] },
  ]);
  expect((await rows('rejectedLocally')).rows).toMatchObject([
    { line: 7, reasons: [{ by: 'us', code: 'too-many-tags', column: 'tags', value: TAGS }] },
    { line: 10, reasons: [{ code: 'undecodable', column: 'oem' }], supplierLine: { text: 'LUK;6\uFFFD;x;;f' } },
  ]);
  expect((await rows('read')).rows.map(({ line, verdict }) => [line, verdict])).toEqual([
    [4, 'outranked'],
    [5, 'live'],
    [7, 'rejectedLocally'],
    [8, 'rejectedRemotely'],
    [9, 'duplicate'],
    [10, 'rejectedLocally'],
    [12, 'live'],
  ]);
  expect(
    (await rows('skipped')).rows.map(({ line, reasons, supplierLine }) => [line, reasons[0]?.code, supplierLine]),
  ).toEqual([
    [1, 'preamble', { text: 'Price list of south', cells: ['Price list of south'] }],
    [2, 'blank', { text: '', cells: [''] }],
    [11, 'blank', { text: '', cells: [''] }],
    [13, 'total', { text: 'Total;6', cells: ['Total', '6'] }],
  ]);
});

test('rows are searched by a part of brand and number in any spelling, or of the name, and paged', async () => {
  const { rows } = await shopOfTwo();
  const lines = async (group: RowGroup, more: Partial<AskedRows>) =>
    (await rows(group, more)).rows.map(({ line }) => line);
  expect(await lines('read', { search: 'bosch 09-8' })).toEqual([4]);
  expect(await lines('read', { search: 'w712' })).toEqual([12]);
  expect(await lines('read', { search: 'ÖLFILTER' })).toEqual([12]);
  expect(await lines('read', { search: 'ate' })).toEqual([5, 9]);
  expect(await lines('skipped', { search: 'price' })).toEqual([1]);
  expect(await rows('read', { search: 'nothing like it' })).toMatchObject({
    total: 7,
    matches: 0,
    rows: [],
    notes: [],
  });
  expect(await rows('read', { page: 2, size: 3 })).toMatchObject({
    page: 2,
    size: 3,
    matches: 7,
    rows: [{ line: 8 }, { line: 9 }, { line: 10 }],
  });
  expect(await lines('contributed', { page: 2, size: 2 })).toEqual([12]);
  expect(await rows('live', { supplierLines: false })).toMatchObject({ rows: [{ supplierLine: null }, {}] });
});

test('rows of a workbook and of records are those of the supplier, as cells', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    feeds: { north: { sheet: 'all' }, south: { records: '/prices/item' } },
  });
  const book = new exceljs.Workbook();
  const header = ['brand', 'oem', 'name'];
  book.addWorksheet('Brakes').addRows([['Brakes 2026'], header, ['BOSCH', 'B1', 'Disc'], ['NONSUCH', '7', 'Disc']]);
  book
    .addWorksheet('Filters')
    .addRows([header, ['MANN', 'W 712', 'Oil'], ['', 'X5', 'Air'], ['bosch', 'b-1', 'Again']]);
  shop.deliver('north', 'list.xlsx', Buffer.from(await book.xlsx.writeBuffer()));
  const workbook = await shop.ingest('north');
  const items = [
    ['ATE', '1'],
    ['', '2'],
    ['NONSUCH', '3'],
    ['ATE', '1.'],
  ];
  const xml = items.map(([brand, oem]) => `<item><brand>${brand}</brand><oem>${oem}</oem></item>`).join('');
  shop.deliver('south', 'list.xml', `<prices>${xml}</prices>`);
  const records = await shop.ingest('south');
  const ctx = await readerOf(shop);
  for (const { run, rows } of [workbook, records]) {
    for (const group of GROUPS)
      expect(await rowsOfRun(run, { group }, ctx)).toMatchObject({
        total: rows[group],
        matches: rows[group],
        notes: [],
      });
  }
  expect((await rowsOfRun(workbook.run, { group: 'read' }, ctx)).rows).toMatchObject([
    { sheet: 'Brakes', line: 3, verdict: 'live', supplierLine: { text: null, cells: ['BOSCH', 'B1', 'Disc'] } },
    { sheet: 'Brakes', line: 4, verdict: 'rejectedRemotely' },
    { sheet: 'Filters', line: 2, verdict: 'live', supplierLine: { cells: ['MANN', 'W 712', 'Oil'] } },
    { sheet: 'Filters', line: 3, verdict: 'rejectedLocally', cells: { brand: '', oem: 'X5', name: 'Air' } },
    { sheet: 'Filters', line: 4, verdict: 'duplicate', winner: { feed: 'north', sheet: 'Brakes', line: 3 } },
  ]);
  expect((await rowsOfRun(records.run, { group: 'read' }, ctx)).rows).toMatchObject([
    { line: 1, verdict: 'live', supplierLine: { text: null, cells: ['ATE', '1'] } },
    { line: 2, verdict: 'rejectedLocally', reasons: [{ code: 'brand-empty' }] },
    { line: 3, verdict: 'rejectedRemotely', supplierLine: { cells: ['NONSUCH', '3'] } },
    { line: 4, verdict: 'duplicate', winner: { line: 1 } },
  ]);
});

test('what is damaged or pruned is said in sentences, and the rest is shown', async () => {
  const { shop, ctx, answer, rows } = await shopOfTwo();
  damage(shop, answer.delivery!.sha256);
  const noDelivery = await rows('live');
  expect(noDelivery).toMatchObject({ matches: 2, rows: [{ line: 5, supplierLine: null }, { line: 12 }] });
  expect(noDelivery.supplierLines.missing).toMatch(/^The archive file .* is damaged/);
  expect(await rows('skipped')).toMatchObject({
    total: 4,
    matches: 4,
    rows: [{ line: 1, reasons: [{ code: 'preamble' }] }, {}, {}, {}],
    notes: [expect.stringMatching(/only the first of each kind are kept\.$/)],
  });
  const { rows_sha, issues_sha, rejections_sha } = await getRun(ctx.ledger.db, answer.run);
  damage(shop, rejections_sha!);
  expect(await rows('rejectedRemotely')).toMatchObject({
    total: 1,
    matches: 0,
    notes: [expect.stringContaining('To check the archive'), expect.stringContaining('which ones is known of 0')],
  });
  expect(await rows('live')).toMatchObject({ total: 2, matches: 3, rows: [{ verdict: 'contributed' }, {}, {}] });
  damage(shop, issues_sha!);
  expect(await rows('duplicates')).toMatchObject({ total: 1, matches: 0, notes: [expect.stringContaining('rerun')] });
  damage(shop, rows_sha!);
  expect(await rows('accepted')).toMatchObject({ total: 4, matches: 0, rows: [] });
  expect((await rows('accepted')).notes).toContainEqual(expect.stringMatching(/^The archive file .* is damaged/));
});

test('of a run whose bytes were pruned the sentence says when, and its rows are not known', async () => {
  const lane = await laneWorld();
  const { id } = await lane.deliver('1', '2');
  expect(await rowsOfRun(id, { group: 'live' }, lane.ctx)).toMatchObject({
    total: 2,
    matches: 2,
    rows: [{ line: 2, key: { brand: 'BOSCH', oem: '1' }, verdict: 'live' }, { line: 3 }],
    supplierLines: { missing: `Run ${id} has read no rows of a file.` },
  });
  const { rows_sha } = await getRun(lane.ctx.ledger.db, id);
  await lane.ctx.archive.remove(rows_sha!);
  await updateRun(lane.ctx.ledger.db, id, { bytes_pruned_at: lane.clock.time });
  expect(await rowsOfRun(id, { group: 'live' }, lane.ctx)).toMatchObject({
    total: 2,
    matches: 0,
    notes: [
      expect.stringMatching(/accepted rows of run .* were pruned on 2026-05-04 .* \(keep\.deliveries\)\.$/),
      expect.stringMatching(/is missing/),
    ],
  });
  await expect(rowsOfRun('nope', { group: 'live' }, lane.ctx)).rejects.toMatchObject({ code: 'not-found' });
});

test('rows that nobody can tell apart are not called live', async () => {
  const service = await sandboxForTest({ control: true });
  await controlOf(service.url).faults({
    fault: 'error-columns',
    columns: { Error: 'message' },
    omit: ['brand', 'oem'],
  });
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { coalesce: '0s' } } });
  shop.deliver('north', 'n.csv', 'brand;oem;name\nNONSUCH;1;Disc\nATE;2;Disc\nATE;3;Pad\n');
  const { run, rows } = await shop.ingest('north');
  expect(rows).toMatchObject({ contributed: 3, rejectedRemotely: 0, unexplained: 1, live: 2 });
  const ctx = await readerOf(shop);
  const live = await rowsOfRun(run, { group: 'live' }, ctx);
  expect(live).toMatchObject({ total: 2, matches: 3, rows: [{ verdict: 'contributed' }, {}, {}] });
  expect(live.notes).toEqual([expect.stringMatching(/^1 row of these may not be live/)]);
  expect(await rowsOfRun(run, { group: 'unexplained' }, ctx)).toMatchObject({
    total: 1,
    matches: 1,
    rows: [
      { line: null, verdict: 'unexplained', reasons: [{ by: 'service', message: expect.stringContaining('NONSUCH') }] },
    ],
  });
});

/** Puts other bytes into a file of the archive. */
function damage({ home }: Installation, sha256: string): void {
  const archive = join(home, 'archive');
  for (const name of readdirSync(archive, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(sha256)) writeFileSync(join(archive, name), 'damaged');
}
