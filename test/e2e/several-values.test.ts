import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const ROWS = Array.from({ length: 12 }, (_, at) => `BOSCH;A${10_000 + at * 37},B${20_000 + at * 91};Hose;new|sale\n`);
const LIST = `brand;oem;name;tags\n${ROWS.join('')}BOSCH;C30000;Pad;new,old|sale\n`;

test('several numbers in one cell are asked about, and each is found and accounted for once the answer is set', async () => {
  const service = await sandboxForTest();
  const config = { service: { baseUrl: service.url }, logins: { main: { coalesce: '0s' } }, feeds: { north: {} } };
  const shop = install(config);
  shop.deliver('north', 'a.csv', LIST);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({
    status: 3,
    outcome: 'held',
    cause: 'cells',
    rows: { read: 0, expanded: 0 },
    upload: null,
  });
  expect(held.reason).toContain('such as "A10000,B20000" (line 2)');
  expect(await service.offers()).toEqual([]);
  expect((await shop.offerline('show', held.run)).stdout).toContain(
    '`numbers: { separator: ",", take: each }` under feeds.north',
  );
  const refused = await shop.offerline('approve', held.run, '--reason', 'right as it is');
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('names the setting that says what its cells mean');

  shop.configure({ ...config, feeds: { north: { numbers: { separator: ',', take: 'each' } } } });
  const { stdout } = await shop.offerline('rerun', held.run, '--from', 'validate', '--wait', '--json');
  const live = JSON.parse(stdout) as RunAnswer;
  expect(live).toMatchObject({ outcome: 'live', rows: { read: 13, expanded: 12, accepted: 25, live: 25 } });
  expect(live.issues).toEqual({ 'tag-with-separator': 1 });
  expect((await shop.offerline('show', live.run)).stdout).toContain('\nrows       13 read + 12 expanded = 25 accepted');
  expect((await shop.offerline('trace', 'BOSCH', 'B20091')).stdout).toMatch(/north +live .* a\.csv line 3/);
  expect(readFileSync(live.reports!.html, 'utf8')).toContain('+ more offers, of rows with several numbers');
});
