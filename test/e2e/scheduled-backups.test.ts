import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodRows } from '../support/console-work.ts';
import { install } from '../support/installation.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { startBucketS3 } from '../support/servers/bucket-s3.ts';
import { supplierOf } from '../pull/s3/objects.ts';
import { atEnd } from '../support/at-end.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

test('a running installation backs itself up by its schedule, and such a backup makes it again', async () => {
  const service = await sandboxForTest();
  const place = join(tempFolder(), 'backups');
  const shop = install({
    service: { baseUrl: service.url },
    feeds: { north: {} },
    backup: { to: place, cron: '15 2 * * *', keep: 2 },
  });
  shop.deliver('north', 'monday.csv', goodRows(10, 'north'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(existsSync(place)).toBe(false);
  const early = await shop.offerline('doctor');
  expect(early).toMatchObject({ status: 1 });
  expect(early.stdout).toContain(`There is no folder ${place}`);
  const up = shop.start('up', '--name', 'one');
  await until(() => (up.stderr().includes('"backed up"') ? true : undefined));
  expect(readdirSync(join(place, 'backups'))).toHaveLength(1);
  up.child.kill('SIGTERM');
  expect(await up.ended).toMatchObject({ status: 0 });
  expect((await shop.offerline('doctor')).stdout).toMatch(
    new RegExp(`backup +${place} has 1 backup, the newest of \\S+ \\S+; the next one is due \\S+ 02:15`, 'u'),
  );
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });

  await shop.release();
  await endPrivateRedis(shop.home);
  rmSync(shop.home, { recursive: true });
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  const { stdout } = await shop.offerline('runs', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ feed: 'north', outcome: 'live' }]);
});

test('a backup to a place that does not answer for a while delays no delivery, and loses no lease', async () => {
  const service = await sandboxForTest();
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let isHeld = false;
  const { source, stop } = await startBucketS3({
    page: 1000,
    goesOn: 'token',
    escapes: 'asked',
    lacks: [],
    harm: ({ method, url = '' }) => {
      if (!isHeld || method !== 'PUT' || !url.includes('/backups/')) return undefined;
      reached.resolve();
      return opened.promise;
    },
  });
  atEnd(stop);
  await supplierOf(source).makeBucket();
  const { auth, endpoint = '', bucket, region } = source;
  if (auth.type !== 'basic') throw new Error('the double has keys');
  isHeld = true;
  const to = `s3://${new URL(endpoint).host}/${bucket}/backups?tls=false&region=${region}`;
  const shop = install(
    {
      service: { baseUrl: service.url },
      feeds: { north: {} },
      worker: { lease: '1s' },
      backup: { to, cron: '15 2 * * *' },
    },
    { AWS_ACCESS_KEY_ID: auth.user, AWS_SECRET_ACCESS_KEY: auth.password.reveal() },
  );
  shop.deliver('north', 'monday.csv', goodRows(10, 'north'));
  const up = shop.start('up');
  await reached.promise;
  await shop.offerline('ingest', 'north');
  await until(async () => {
    const { stdout } = await shop.offerline('runs', '--json');
    return (JSON.parse(stdout) as { outcome: string | null }[])[0]?.outcome === 'live' ? true : undefined;
  });
  expect(up.stderr()).not.toContain('"backed up"');
  opened.resolve();
  await until(() => (up.stderr().includes('"backed up"') ? true : undefined));
  up.child.kill('SIGTERM');
  expect(await up.ended).toMatchObject({ status: 0 });
  expect(up.stderr()).not.toContain('lease');
  expect(await service.offers()).toHaveLength(1);
});

test('a bucket of backups that never answers keeps neither a worker nor a decision waiting', async () => {
  const service = await sandboxForTest();
  const asked = new Set<Socket>();
  const silent = createServer((socket) => asked.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  atEnd(() => {
    for (const socket of asked) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const shop = install(
    {
      service: { baseUrl: service.url },
      feeds: { north: {} },
      backup: { to: `s3://127.0.0.1:${port}/copies/backups?tls=false`, cron: '15 2 * * *' },
    },
    { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
  );
  expect(await shop.offerline('pause', 'north', '--reason', 'x')).toMatchObject({ status: 0 });
  expect(await shop.offerline('resume', 'north', '--reason', 'x')).toMatchObject({ status: 0 });
  expect(asked.size).toBeGreaterThan(0);
  const up = shop.start('up');
  await until(() => (up.stderr().includes('"ready"') ? true : undefined));
});
