import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const EVERY_SECOND = { schedule: { cron: '* * * * * *' } };

test('a paused feed is not run, what it contributed stays in the dataset, and resuming catches up', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: {}, south: EVERY_SECOND } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  shop.deliver('south', 'a.csv', 'brand;oem\nATE;1\n');
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  expect(await shop.offerline('pause', 'south', '--reason', 'system change')).toMatchObject({ status: 0 });
  expect(await shop.offerline('ingest', 'south')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/feed south has been paused since .*: system change/),
  });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', dataset: { feeds: { north: 1, south: 1 } } });
  shop.deliver('south', 'b.csv', 'brand;oem\nATE;2\n');

  const up = shop.start('up');
  await until(() => (up.stderr().includes('ready') ? true : undefined));
  expect(await feeds(shop)).toMatchObject([
    { paused: null },
    { feed: 'south', paused: { kind: 'feed', reason: 'system change' } },
  ]);
  expect(await shop.offerline('resume', 'south', '--reason', 'done')).toMatchObject({ status: 0 });
  await until(async () => ((await service.offers()).length === 3 ? true : undefined));
});

test('a paused login uploads nothing until it is resumed', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  await shop.offerline('ingest', 'north');
  await shop.offerline('pause', 'main', '--reason', 'stock-taking');
  shop.start('up');
  await until(async () => ((await feeds(shop))[0]?.candidate === null ? undefined : true));
  expect(await service.offers()).toEqual([]);
  await shop.offerline('resume', 'main', '--reason', 'done');
  await until(async () => ((await feeds(shop))[0]?.lastRun?.outcome === 'live' ? true : undefined));
});

test('mistakes are named', async () => {
  const shop = install({ logins: { north: {} }, feeds: { north: { login: 'north' } } });
  const ambiguous = await shop.offerline('pause', 'north', '--reason', 'x');
  expect(ambiguous).toMatchObject({ status: 2, stderr: expect.stringContaining('say login:north or feed:north') });
  expect(await shop.offerline('pause', 'nobody', '--reason', 'x')).toMatchObject({ status: 2 });
  expect(await shop.offerline('resume', 'feed:north', '--reason', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not paused'),
  });
});

type State = { candidate: unknown; lastRun: { outcome: string | null } | null };

async function feeds(shop: ReturnType<typeof install>): Promise<State[]> {
  return JSON.parse((await shop.offerline('feeds', '--json')).stdout) as State[];
}
