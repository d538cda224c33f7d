import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const tags = (from: number, count: number) => Array.from({ length: count }, (_, at) => `t${from + at}`).join(',');

test('tags of all feeds are united and proved live; a union that was cut is said by show and report', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', merge: { tags: 'union' } } },
    feeds: { north: { priority: 1 }, south: {} },
  });
  shop.deliver('north', 'n.csv', `brand;oem;tags\nBOSCH;1;pads\nATE;2;${tags(0, 18)}\n`);
  shop.deliver('south', 's.csv', `brand;oem;tags\nbosch;1;sale,pads\nATE;2;${tags(10, 12)}\nSKF;3;new\n`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', dataset: { mergedTags: { rows: 0, cut: 0 } } });
  const answer = await shop.ingest('south');
  expect(answer).toMatchObject({
    outcome: 'live',
    rows: { outranked: 2, live: 1 },
    receipt: { verified: true },
    dataset: {
      mergedTags: { rows: 2, cut: 1, examples: [{ feed: 'north', line: 3, oem: '2', dropped: ['t20', 't21'] }] },
    },
  });
  expect(await service.source(answer.upload?.offerId ?? '')).toBe(
    `brand\toem\tname\ttags\nBOSCH\t1\t\tpads,sale\nATE\t2\t\t${tags(0, 20)}\nSKF\t3\t\tnew\n`,
  );
  const said = 'merged-tags-cut: 1 row then had more than 20 tags';
  expect((await shop.offerline('show', answer.run)).stdout).toContain(said);
  expect(readFileSync(answer.reports?.html ?? '', 'utf8')).toContain(said);
});
