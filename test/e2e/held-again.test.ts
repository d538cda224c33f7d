import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const list = (...numbers: number[]) => `brand;oem\n${numbers.map((number) => `BOSCH;B1B00${number}\n`).join('')}`;

/** A shop of one feed, whose guards look at a drop of rows only. */
async function shopOf(feed: object) {
  const service = await sandboxForTest();
  const guard = { minRows: 0, maxRowDrop: '60%', maxRowGrowth: '10000%', maxPartsGone: '100%' };
  const feeds = { north: { guard, ...feed } };
  return install({ service: { baseUrl: service.url }, logins: { main: { coalesce: '0s', guard } }, feeds });
}

/** The kinds of the incidents that are open. */
async function open(shop: Installation): Promise<{ kind: string }[]> {
  return JSON.parse((await shop.offerline('incidents', '--json')).stdout) as { kind: string }[];
}

test('changes that are held or rejected stay so when nothing new comes, or what was taken comes again', async () => {
  const shop = await shopOf({
    delivery: { full: { pattern: 'full_*.csv' }, changes: { pattern: 'delta_{sequence}.csv' } },
  });
  shop.deliver('north', 'full_a.csv', list(1, 2, 3, 4));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'delta_1.csv', list(1, 5));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  shop.deliver('north', 'delta_3.csv', list(1, 7));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'order' });
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'nothing',
    reason: `delta_3.csv waits for a decision (run ${held.run}), and no new file is there`,
  });
  expect(await open(shop)).toMatchObject([{ kind: 'delivery' }]);
  shop.deliver('north', 'delta_1.csv', list(1, 5));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect(await open(shop)).toMatchObject([{ kind: 'delivery' }]);
  await shop.offerline('approve', held.run, '--reason', 'he sends no more', '--wait');
  expect(await open(shop)).toEqual([]);
  shop.deliver('north', 'delta_4.csv', '');
  const rejected = await shop.ingest('north');
  expect(rejected).toMatchObject({ outcome: 'rejected' });
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining(`delta_4.csv was rejected (run ${rejected.run})`) as string,
  });
  expect(await open(shop)).toMatchObject([{ kind: 'delivery' }]);
});

test('several files that are held or rejected are so again when nothing new comes', async () => {
  const source = { type: 'directory', path: './inbox/north', pattern: '*.csv', settle: '0s', take: 'all', count: 2 };
  const shop = await shopOf({ source });
  const deliver = (day: number, ...lists: string[]) => {
    for (const [at, text] of lists.entries()) shop.deliver('north', `${day}_${at}.csv`, text);
  };
  deliver(1, list(1, 2, 3), list(4, 5, 6));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 6 } });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  deliver(2, list(1), list(4));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'held' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'held' });
  expect(await open(shop)).toMatchObject([{ kind: 'delivery' }]);
  deliver(3, list(1, 2, 3), '');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'rejected' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'rejected' });
  expect(await open(shop)).toMatchObject([{ kind: 'delivery' }]);
});
