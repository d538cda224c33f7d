import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { goodRows } from '../support/console-work.ts';
import { install } from '../support/installation.ts';
import { startBucketS3 } from '../support/servers/bucket-s3.ts';
import { supplierOf } from '../pull/s3/objects.ts';

/** An installation that keeps its files in a bucket. */
async function shopWithBucket() {
  const store = await startBucketS3({ page: 100, goesOn: 'token', escapes: 'asked', lacks: [] });
  atEnd(store.stop);
  await supplierOf(store.source).makeBucket();
  const { endpoint, region, bucket, auth } = store.source;
  if (auth.type !== 'basic') throw new Error('the test server has keys');
  const keys = { type: 'basic', user: auth.user, password: auth.password.reveal() };
  const shop = install({
    archive: { type: 's3', endpoint, region, bucket, prefix: 'north', auth: keys, timeout: '2s' },
    logins: { main: {} },
    feeds: { north: {} },
  });
  return { ...store, shop };
}

test('files go to the bucket, and come back from it when the home has lost its copies', async () => {
  const { shop, buckets } = await shopWithBucket();
  shop.deliver('north', 'monday.csv', goodRows(20, 'a'));
  const first = await shop.ingest('north');
  expect(first).toMatchObject({ outcome: 'live', rows: { live: 20 } });
  shop.deliver('north', 'tuesday.csv', goodRows(21, 'a'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 21 } });
  expect(existsSync(join(shop.home, 'archive'))).toBe(false);
  const keys = [...buckets.get('offers')!.keys()];
  expect(keys).toContain('north/id.json');
  expect(keys.filter((key) => /^north\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}$/u.test(key)).length).toBeGreaterThan(5);

  rmSync(join(shop.home, 'archive-cache'), { recursive: true });
  expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
  const rolled = await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  expect(rolled).toMatchObject({ status: 0 });
  expect(await shop.offerline('doctor')).toMatchObject({
    stdout: expect.stringContaining('puts, reads, lists and removes, and writes only what is not there') as string,
  });
});

test('while the store is away a delivery fails with what to do, and goes live when it is back', async () => {
  const { shop, stop, restart } = await shopWithBucket();
  shop.deliver('north', 'monday.csv', goodRows(20, 'a'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  await stop();
  shop.deliver('north', 'tuesday.csv', goodRows(21, 'a'));
  const away = await shop.offerline('ingest', 'north', '--wait');
  expect(away.status).not.toBe(0);
  expect(away.stdout + away.stderr).toContain('refused the connection; check that the store is running');
  await restart();
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 21 } });
});

test('a ledger and a bucket that do not belong together are refused', async () => {
  const { shop } = await shopWithBucket();
  shop.deliver('north', 'monday.csv', goodRows(20, 'a'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  rmSync(join(shop.home, 'ledger.sqlite'));
  const refused = await shop.offerline('ingest', 'north', '--wait');
  expect(refused).toMatchObject({ status: 2 });
  expect(refused.stderr).toMatch(/The ledger .* is missing, but the archive http:.*north\/ belongs to it/u);
});
