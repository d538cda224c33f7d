import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { controlOf } from '../support/control.ts';

const rows = (brand: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${brand};${at + 1}\n`).join('');
const file = (...parts: string[]) => `brand;oem\n${parts.join('')}`;

/** A shop in which only the guards of the whole dataset can hold a file. */
async function shopWith(guard: Record<string, string>) {
  const service = await sandboxForTest({ control: true });
  const off = Object.fromEntries(Object.keys(guard).map((name) => [name, '100%']));
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard } },
    feeds: { north: { guard: off } },
  });
  return { shop, control: controlOf(service.url) };
}

test('where the newest upload is not proved, a rehearsal compares with what was proved last, and says so', async () => {
  const { shop, control } = await shopWith({ maxBrandDrop: '50%' });
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 10), rows('ATE', 4)));
  const proved = await shop.ingest('north');
  expect(proved).toMatchObject({ outcome: 'live' });
  await control.faults({ fault: 'lose-rows' });
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 11), rows('ATE', 4)));
  const { upload, outcome } = await shop.ingest('north');
  expect([upload?.state, outcome]).toEqual(['success', 'failed']);

  shop.deliver('north', 'c.csv', file(rows('BOSCH', 10)));
  const rehearsed = await rehearse(shop, 'north');
  expect(rehearsed).toMatchObject({
    status: 3,
    outcome: 'held',
    reason: expect.stringContaining('the brand ATE of the dataset of main vanished (it had 4 rows)') as string,
    diff: { of: 'dataset', before: 14, after: 10 },
  });
  expect(rehearsed.stderr).toContain(
    `Upload ${upload?.offerId} is not verified as live: guards compare with upload ${proved.upload?.offerId}, the last`,
  );
});

test('brands of the whole dataset are guarded in a rehearsal as in the real run', async () => {
  const { shop } = await shopWith({ maxBrandDrop: '50%' });
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 10), rows('ATE', 4)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 10)));
  const rehearsed = await rehearse(shop, 'north');
  expect(rehearsed).toMatchObject({ status: 3, outcome: 'held' });
  expect(rehearsed.stderr).not.toContain('not verified');
});
