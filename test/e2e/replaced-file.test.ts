import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

test('a run whose file was replaced by another with as many rows does not leave it at: all are live', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: {} } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\n');
  const { run } = await shop.ingest('north');
  expect((await shop.offerline('show', run)).stdout).not.toContain('Live now');
  shop.deliver('north', 'b.csv', 'brand;oem\nBOSCH;8\nBOSCH;9\n');
  const second = await shop.ingest('north');
  expect(second).toMatchObject({ outcome: 'live' });
  const { stdout } = await shop.offerline('show', run);
  expect(stdout).toContain(`(upload ${second.upload?.offerId})`);
});
