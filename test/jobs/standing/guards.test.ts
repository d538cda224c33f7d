import { expect, test } from 'vitest';
import { feedGuards } from '../../../src/jobs/standing/feed/guards.ts';
import { install } from '../../support/installation.ts';
import { readerOf } from '../../support/reader.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

/** A list of so many rows of each brand, all with its tags. */
function listOf(...groups: [brand: string, rows: number, tags: string][]): string {
  const rows = groups.flatMap(([brand, count, tags]) =>
    Array.from({ length: count }, (_, at) => `${brand};${at + 1};"${tags}"\n`),
  );
  return `brand;oem;tags\n${rows.join('')}`;
}

/** A shop whose second delivery has lost a quarter of one brand, and half of one tag; and how that ended. */
async function shrunken(guard: object) {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    feeds: { north: { guard: { maxRowDrop: '90%', ...guard } } },
  });
  shop.deliver('north', 'a.csv', listOf(['ATE', 4, 'sale,new'], ['BOSCH', 4, 'new']));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'b.csv', listOf(['ATE', 3, 'sale'], ['BOSCH', 4, 'new']));
  return { shop, run: await shop.ingest('north') };
}

test('what brands and tags lost is measured in the last accepted delivery', async () => {
  const { shop, run } = await shrunken({ maxBrandDrop: '25%', maxTagDrop: '50%' });
  expect(run).toMatchObject({ outcome: 'live' });
  const { guards, ...compared } = await feedGuards('north', null, await readerOf(shop));
  expect(compared.run).toBe(run.run);
  const of = (name: string) => guards.find(({ guard }) => guard === name);
  expect(of('maxBrandDrop')).toMatchObject({ limit: 0.25, measured: 0.25, left: 0, used: 1 });
  expect(of('maxTagDrop')).toMatchObject({ limit: 0.5, measured: 0.5, left: 0, used: 1 });
});

test.each([
  [{ maxBrandDrop: '24%' }, 'the brand ATE'],
  [{ maxTagDrop: '49%' }, 'the tag new'],
])('a guard below what was measured would have held it: %j', async (guard, why) => {
  const { run } = await shrunken(guard);
  expect(run).toMatchObject({ outcome: 'held', reason: expect.stringContaining(why) as string });
});
