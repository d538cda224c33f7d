import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

test('a dataset that the service fails is taken apart by feed, until the culprit is alone', async () => {
  const service = await sandboxForTest({ settings: { limits: { distinctTags: 3 } } });
  const feeds = { north: {}, south: {}, west: {} };
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { coalesce: '2s' } }, feeds });
  shop.deliver('north', 'n.csv', 'brand;oem;tags\nBOSCH;1;a\n');
  shop.deliver('south', 's.csv', 'brand;oem;tags\nATE;2;b,c,d,e,f\n');
  shop.deliver('west', 'w.csv', 'brand;oem;tags\nSKF;3;a\n');
  const runs = await Promise.all(
    Object.keys(feeds).map(async (feed) => {
      const { stdout } = await shop.offerline('ingest', feed, '--json');
      return (JSON.parse(stdout) as { run: string }).run;
    }),
  );
  shop.start('up');
  const answers = await Promise.all(
    runs.map((run) =>
      until(async () => {
        const answer = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer;
        return answer.stage === 'done' ? answer : undefined;
      }),
    ),
  );
  expect(answers).toMatchObject([
    { feed: 'north', outcome: 'live' },
    { feed: 'south', outcome: 'failed', reason: expect.stringContaining('tags') },
    { feed: 'west', outcome: 'live' },
  ]);
  const accepted = await service.offers();
  expect(accepted.filter(({ state }) => state === 'failed')).toHaveLength(2);
  const newest = accepted.find(({ state }) => state === 'success');
  expect((await service.source(newest?.id ?? '')).trim().split('\n').sort()).toEqual([
    'BOSCH\t1\t\ta',
    'SKF\t3\t\ta',
    'brand\toem\tname\ttags',
  ]);
});
