import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const LIST = 'oem;name;price\n;BOSCH;\nB1;Hose;1\nB2;Hose;2\nFilters;;\nB3;Filter;3\n— TRW: —;;\nT1;Pad;4\n';

test('a list whose brands stand in headings is proposed so; approved, each part has the brand above it', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s' } },
    feeds: { north: {} },
  });
  shop.deliver('north', 'a.csv', LIST.replace('Filters;;\n', ''));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({
    outcome: 'held',
    cause: 'columns',
    mapping: [{ key: 'brand', column: null, position: 0, sure: false }, { key: 'oem' }, { key: 'name' }],
    reason: expect.stringContaining('write `columns: { brand: { from: headings } }` under feeds.north'),
  });
  const { stdout } = await shop.offerline('approve', held.run, '--columns', '--reason', 'looked', '--wait', '--json');
  expect(JSON.parse(stdout) as RunAnswer).toMatchObject({ outcome: 'live', rows: { live: 4, skipped: 2 } });
  const [offer] = await service.offers();
  const rows = (await service.source(offer?.id ?? '')).trim().split('\n');
  expect(rows.slice(1).map((row) => row.split('\t').slice(0, 2).join(' '))).toEqual([
    'BOSCH B1',
    'BOSCH B2',
    'BOSCH B3',
    'TRW T1',
  ]);
});

test('the setting says so, too; a heading of a group leaves the brand, and an unknown maker is warned of', async () => {
  const service = await sandboxForTest();
  const feeds = { north: { columns: { brand: { from: 'headings' } } } };
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { coalesce: '0s' } }, feeds });
  const grouped = LIST.replace('B1;Hose', 'Hoses;;\nB1;Hose');
  shop.deliver('north', 'a.csv', `A0;Disc;1\n${grouped}`.replace(/^(A0.*\n)(oem.*\n)/, '$2$1'));
  expect(await shop.ingest('north')).toMatchObject({ rows: { live: 4, skipped: 4 }, issues: { 'brand-empty': 1 } });
  shop.deliver('north', 'b.csv', `${LIST.replace('Filters;;\n', '')}Qualitech;;\nQ1;Disc;2\n`);
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'live',
    rows: { live: 5 },
    issues: { 'heading-brand': 1 },
  });
});
