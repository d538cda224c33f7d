import { expect, test } from 'vitest';
import { GROUPS, type RowGroup } from '../../../src/jobs/rows/run-rows.ts';
import { rowsOfRun, type AskedRows } from '../../../src/jobs/rows/rows-of-run.ts';
import { install } from '../../support/installation.ts';
import { readerOf } from '../../support/reader.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

const TAGS = Array.from({ length: 21 }, (_, at) => `t${at}`).join(',');

/** A list with every verdict; its rows stand in lines of their own but for one, whose name has a line break. */
const SOUTH = Buffer.concat([
  Buffer.from('Price list of south\r\n\r\nbrand;oem;name;tags;note\r\n'),
  Buffer.from('Bosch;09861;won by north;;a\r\n'),
  Buffer.from('ATE;5;"two\r\nlines";;b\r\n'),
  Buffer.from(`SKF;9;too many;${TAGS};c\r\n`),
  Buffer.from('NO NAME;7;unknown there;;d\r\n'),
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
    accepted: 4,
    rejectedLocally: 2,
    duplicates: 1,
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
