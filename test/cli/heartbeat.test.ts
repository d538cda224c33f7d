import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { until } from '../support/until.ts';

const beat = (file: string) => until(() => (existsSync(file) ? readFileSync(file, 'utf8') || undefined : undefined));

test.each(['up', 'worker'])('%s --heartbeat writes the time after each sweep, for a health check', async (command) => {
  const shop = install();
  const file = join(shop.folder, 'heartbeat');
  const { child, ended } = shop.start(command, '--heartbeat', file);
  expect(await beat(file)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n$/);
  rmSync(file);
  await beat(file);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ status: 0 });
});

test('a heartbeat that cannot be written is logged, and the work goes on', async () => {
  const shop = install();
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  const running = shop.start('up', '--heartbeat', join(shop.folder, 'no-such-folder', 'heartbeat'));
  await until(() => (running.stderr().includes('heartbeat could not be written') ? true : undefined));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ status: 0 });
});
