import { expect, test } from 'vitest';
import { expectNoSecret, expectPlain, goodFile } from '../support/bad-input.ts';
import { install, type Installation } from '../support/installation.ts';
import { proxyTo } from '../support/proxy.ts';
import { startRedis } from '../support/redis.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

/** A shop with a Redis of its own, and a file that waits to be taken. */
async function shopWithRedis(worker: Record<string, unknown> = {}) {
  const redis = await startRedis({ password: 'hunter2' });
  const service = await scriptedService();
  const proxy = await proxyTo(service.url);
  const url = redis.url.replace('//', '//:hunter2@');
  const shop = install({ service: { baseUrl: proxy.url }, worker }, { REDIS_URL: url });
  shop.deliver('north', '1.csv', goodFile('A'));
  return { redis, service, proxy, shop };
}

async function outcomes(shop: Installation): Promise<(string | null)[]> {
  const runs = JSON.parse((await shop.offerline('runs', '--json')).stdout) as { outcome: string; stage: string }[];
  return runs.map(({ outcome, stage }) => (stage === 'done' ? outcome : null));
}

test('a Redis that dies while a run is at work and comes back: the run goes on, and sends once', async () => {
  // Who waits is patient for so long: a starved machine may take seconds to start a Redis.
  const { redis, service, proxy, shop } = await shopWithRedis({ lock: '30s' });
  proxy.next('hold-body');
  const ingest = shop.start('ingest', 'north', '--wait', '--json');
  await proxy.met();
  await redis.kill9();
  proxy.release();
  await until(() => service.offers[0]);
  await redis.restart();
  const ended = await ingest.ended;
  expect(ended.status).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'live', rows: { live: 2 }, upload: { attempts: 1 } });
  expect(service.offers).toHaveLength(1);
  expectNoSecret(shop, ['hunter2'], ended);
});

test('a Redis that stays away: who waits is told, nothing is lost, and the next worker ends the run', async () => {
  const { redis, service, proxy, shop } = await shopWithRedis();
  proxy.next('hold-body');
  const ingest = shop.start('ingest', 'north', '--wait');
  await proxy.met();
  await redis.kill9();
  proxy.release();
  const ended = await ingest.ended;
  expect(ended.status).toBe(1);
  expect(ended.stderr).toMatch(/has not answered for 2 s \(worker\.lock\).* Run \S+ has been recorded/);
  expectPlain(ended);
  expectNoSecret(shop, ['hunter2'], ended);

  await redis.restart();
  shop.start('up');
  await until(async () => ((await outcomes(shop))[0] === 'live' ? true : undefined));
  expect(service.offers).toHaveLength(1);
});

test('while Redis is away, runs are recorded, `up` says so once and stops when told; later they are done', async () => {
  const { redis, service, shop } = await shopWithRedis();
  const first = shop.start('up');
  await until(() => (first.stderr().includes('ready') ? true : undefined));
  await redis.kill9();
  const recorded = await shop.offerline('ingest', 'north', '--json');
  expect(recorded).toMatchObject({ status: 0, stdout: expect.stringContaining('"woken":false') as string });
  expect(recorded.stderr).toMatch(/Redis at 127\.0\.0\.1:\d+ cannot be used: connect ECONNREFUSED/);
  await until(() => (first.stderr().includes('queue connection failed') ? true : undefined));
  first.child.kill('SIGTERM');
  const ended = await first.ended;
  expect(ended.status).toBe(0);
  expect(ended.stderr.match(/redis does not answer, trying again/g)).toHaveLength(1);
  expect(ended.stderr.split('\n').length, 'lines of log').toBeLessThan(12);
  expectPlain(ended);
  expectNoSecret(shop, ['hunter2'], recorded, ended);

  await redis.restart();
  shop.start('up');
  await until(async () => ((await outcomes(shop))[0] === 'live' ? true : undefined));
  expect(service.offers).toHaveLength(1);
});
