import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

type State = { feed: string; live: { rows: number } | null };

test('feeds shows what each feed has live now: less, once a feed of better priority has won some of its parts', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: { priority: 1 }, south: {} } });
  const live = async () => {
    const states = JSON.parse((await shop.offerline('feeds', '--json')).stdout) as State[];
    return Object.fromEntries(states.map((state) => [state.feed, state.live?.rows ?? null]));
  };
  shop.deliver('south', 's.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\nATE;3\nNONSUCH;4\n');
  await shop.ingest('south');
  // The service rejects the brand that it does not know.
  expect(await live()).toEqual({ north: null, south: 3 });

  shop.deliver('north', 'n.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\nLUK;5\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await live()).toEqual({ north: 3, south: 1 });
  expect((await shop.offerline('feeds')).stdout).toMatch(/^south +main +partial +1 /m);

  await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  expect(await live()).toEqual({ north: null, south: 3 });
});
