import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodRows } from '../support/console-work.ts';
import { install } from '../support/installation.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
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
  const up = shop.start('up', '--name', 'one');
  await until(() => (up.stderr().includes('"backed up"') ? true : undefined));
  expect(readdirSync(join(place, 'backups'))).toHaveLength(1);
  up.child.kill('SIGTERM');
  expect(await up.ended).toMatchObject({ status: 0 });
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });

  await shop.release();
  await endPrivateRedis(shop.home);
  rmSync(shop.home, { recursive: true });
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  const { stdout } = await shop.offerline('runs', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ feed: 'north', outcome: 'live' }]);
});
