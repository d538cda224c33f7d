import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

type Feed = { feed: string; live: { since: number } | null; now: { live: number | null; since: string } };

test('feeds and show name the same time since when the rows are live, also when another feed took some of them', async () => {
  const service = await sandboxForTest();
  const feeds = { north: { priority: 2 }, south: { priority: 1 } };
  const shop = install({ service: { baseUrl: service.url }, feeds });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\nBOSCH;3\n');
  const { run } = await shop.ingest('north');
  shop.deliver('south', 'b.csv', 'brand;oem\nBOSCH;3\nNONSUCH;4\nATE;5\nATE;6\nATE;7\nATE;8\nATE;9\n');
  await shop.ingest('south');

  const { stdout } = await shop.offerline('feeds', '--json');
  const [north] = JSON.parse(stdout) as Feed[];
  const shown = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as Feed;
  expect(north?.now).toMatchObject({ live: 2, since: shown.now.since });
  expect(north?.live?.since).toBe(Date.parse(shown.now.since));

  // What is said of one part names its upload once.
  const { stdout: part } = await shop.offerline('trace', 'NONSUCH', '4');
  expect(part.split('\n')[0]).toMatch(/^main: not live, the service rejected the row of south in upload \d+$/);
  expect((await shop.offerline('release', 'north', '--reason', 'x')).stderr).toContain('The feed north is not frozen.');
});
