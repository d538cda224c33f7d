import { expect, test } from 'vitest';
import { GROUPS, type RowGroup } from '../../../src/jobs/rows/run-rows.ts';
import { rowsOfRun, type AskedRows } from '../../../src/jobs/rows/rows-of-run.ts';
import type { RunAnswer } from '../../../src/model.ts';
import { install } from '../../support/installation.ts';
import { readerOf } from '../../support/reader.ts';

const EACH = { numbers: { separator: ';', take: 'each' }, dialect: { delimiter: ',' } };

/** What the rows of a run are listed as: line, number, verdict and codes. */
async function listing(shop: ReturnType<typeof install>, { run }: RunAnswer, asked: AskedRows) {
  const found = await rowsOfRun(run, asked, await readerOf(shop));
  const rows = found.rows.map(({ line, key, verdict, reasons }) =>
    [line, key.oem, verdict, ...reasons.map(({ code }) => code)].join(' '),
  );
  return { ...found, rows };
}

test('of a cell with several numbers each is listed with what became of it', async () => {
  const rule = { name: 'old', when: { oem: { matches: '^9' } }, leaveOut: true };
  const shop = install({
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    feeds: { north: { ...EACH, rules: [rule] } },
  });
  const list = [
    'brand,oem,name',
    'BOSCH,1000;1001,Pads',
    'LAND ROVER,2000,Disc',
    'BOSCH,1001;1002;10 00,Pads',
    'Land Rover,2001;2000;9000,Disc',
    'BOSCH,3000;n/a;1002,Hose',
    ',4000;4001,Pin',
    '',
  ].join('\n');
  shop.deliver('north', 'list.csv', list);
  const answer = await shop.ingest('north');
  expect(answer.rows).toMatchObject({
    read: 6,
    expanded: 7,
    accepted: 6,
    duplicates: 4,
    leftOut: 1,
    rejectedLocally: 2,
    live: 6,
  });
  for (const group of GROUPS) {
    const { matches, total, notes } = await listing(shop, answer, { group });
    const listed = group === 'read' ? 6 + 7 : answer.rows[group];
    expect({ group, matches, total, notes }).toEqual({ group, matches: listed, total: answer.rows[group], notes: [] });
  }
  const rows = async (group: RowGroup, more: Partial<AskedRows> = {}) =>
    (await listing(shop, answer, { group, ...more })).rows;
  const read = await rows('read');
  expect(read).toEqual([
    '2 1000 live',
    '2 1001 live',
    '3 2000 live',
    '4 1002 live',
    '4 1001 duplicate duplicate',
    '4 10 00 duplicate duplicate',
    '5 2001 live',
    '5 2000 duplicate duplicate',
    '5 9000 leftOut left-out',
    '6 3000 live',
    '6 n/a rejectedLocally placeholder-value',
    '6 1002 duplicate duplicate',
    '7 4000;4001 rejectedLocally brand-empty',
  ]);
  for (const page of [1, 2, 3, 4, 5])
    expect(await rows('read', { page, size: 3 })).toEqual(read.slice(3 * page - 3, 3 * page));
  expect(await rows('duplicates')).toEqual(read.filter((row) => row.includes('duplicate')));
  expect(await rows('read', { search: 'bosch 1002' })).toEqual(['4 1002 live', '6 1002 duplicate duplicate']);
});

test('of a cell with several numbers in changes each that a later row has is a duplicate, and no other', async () => {
  const shop = install({
    feeds: {
      north: {
        ...EACH,
        source: { type: 'directory', path: 'inbox/north', pattern: '*.csv', settle: '0s' },
        delivery: { full: { pattern: 'list*.csv' }, changes: { pattern: 'delta*.csv' } },
      },
    },
  });
  shop.deliver('north', 'list.csv', 'brand,oem,name\nBOSCH,1000,Pads\nBOSCH,2000,Disc\n');
  await shop.ingest('north');
  const delta = ['brand,oem,name', 'bosch,1000;1001;1002,A', 'BOSCH,1001,B', 'BOSCH,10-00;1003,C', ''].join('\n');
  shop.deliver('north', 'delta-1.csv', delta);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    outcome: 'live',
    rows: { read: 3, expanded: 3, duplicates: 2, accepted: 5 },
    issues: { 'changed-again': 2 },
  });
  const duplicates = await rowsOfRun(answer.run, { group: 'duplicates' }, await readerOf(shop));
  expect(duplicates).toMatchObject({
    total: 2,
    matches: 2,
    notes: [],
    rows: [
      {
        line: 2,
        key: { brand: 'bosch', oem: '1000' },
        reasons: [{ message: 'The part in line 2 is in line 4, too; the last row of a part counts.' }],
        winner: { line: 4 },
      },
      {
        line: 2,
        key: { brand: 'bosch', oem: '1001' },
        reasons: [{ message: 'The part in line 2 is in line 3, too; the last row of a part counts.' }],
        winner: { line: 3 },
      },
    ],
  });
  expect(await listing(shop, answer, { group: 'read' })).toMatchObject({
    matches: 6,
    rows: [
      '2 1002 live',
      '2 1000 duplicate changed-again',
      '2 1001 duplicate changed-again',
      '3 1001 live',
      '4 10-00 live',
      '4 1003 live',
    ],
  });
});
