import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const rows = (brand: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${brand};${at + 1}\n`).join('');

test('a brand that the service does not take is not missed when the supplier drops it', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRowDrop: '10%', maxBrandDrop: '50%' } } },
  });
  shop.deliver('north', 'a.csv', `brand;oem\n${rows('BOSCH', 10)}${rows('NONSUCH', 4)}`);
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'partial',
    rows: { accepted: 14, rejectedRemotely: 4, live: 10 },
  });
  shop.deliver('north', 'b.csv', `brand;oem\n${rows('BOSCH', 8)}`);
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'held',
    reason: expect.stringContaining(
      'the file of north shrank by 20% (from 10 to 8 rows without those that the service rejected)',
    ) as string,
  });
  shop.deliver('north', 'c.csv', `brand;oem\n${rows('BOSCH', 10)}`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 10 } });
});
