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
  const env: NodeJS.ProcessEnv = { REDIS_URL: redis.url.replace('//', '//:hunter2@') };
  const shop = install({ service: { baseUrl: proxy.url }, worker }, env);
  shop.deliver('north', '1.csv', goodFile('A'));
  return { redis, service, proxy, shop, env };
}

async function outcomes(shop: Installation): Promise<(string | null)[]> {
  const runs = JSON.parse((await shop.offerline('runs', '--json')).stdout) as { outcome: string; stage: string }[];
  return runs.map(({ outcome, stage }) => (stage === 'done' ? outcome : null));
}

async function isLive(shop: Installation, runs: number): Promise<void> {
  await until(async () =>
    (await outcomes(shop)).filter((outcome) => outcome === 'live').length === runs ? true : undefined,
  );
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

test('a Redis that stays away: who waits has its run finished by the ledger alone, and it is sent once', async () => {
  const { redis, service, proxy, shop } = await shopWithRedis();
  proxy.next('hold-body');
  const ingest = shop.start('ingest', 'north', '--wait', '--json');
  await proxy.met();
  await redis.kill9();
  proxy.release();
  const ended = await ingest.ended;
  expect(ended.status).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'live', rows: { live: 2 }, upload: { attempts: 1 } });
  expect(service.offers).toHaveLength(1);
  expectPlain(ended);
  expectNoSecret(shop, ['hunter2'], ended);
});

test('while Redis is away, `up` works on what is recorded, says so once and stops when told; then the queue is used again', async () => {
  const { redis, service, shop } = await shopWithRedis();
  const first = shop.start('up');
  await until(() => (first.stderr().includes('ready') ? true : undefined));
  await redis.kill9();
  const recorded = await shop.offerline('ingest', 'north', '--json');
  expect(recorded).toMatchObject({ status: 0, stdout: expect.stringContaining('"woken":false') as string });
  expect(recorded.stderr).toMatch(/Redis at 127\.0\.0\.1:\d+ cannot be used: connect ECONNREFUSED/);
  await isLive(shop, 1);
  first.child.kill('SIGTERM');
  const ended = await first.ended;
  expect(ended.status).toBe(0);
  expect(ended.stderr.match(/redis does not answer, trying again/g)).toHaveLength(1);
  expect(ended.stderr.match(/redis is away, working on what the sweep finds/g)).toHaveLength(1);
  expect(ended.stderr.split('\n').length, 'lines of log').toBeLessThan(20);
  expectPlain(ended);
  expectNoSecret(shop, ['hunter2'], recorded, ended);

  await redis.restart();
  shop.deliver('north', '2.csv', goodFile('B'));
  const second = shop.start('up');
  await until(() => (second.stderr().includes('ready') ? true : undefined));
  const woken = await shop.offerline('ingest', 'north', '--json');
  expect(woken.stdout).toContain('"woken":true');
  await isLive(shop, 2);
  expect(service.offers).toHaveLength(2);
});

test('a Redis that stays away for many sweeps, with uploads that others must poll: each delivery is sent once', async () => {
  const { redis, service, shop } = await shopWithRedis();
  const [first, second] = [shop.start('up'), shop.start('worker')];
  for (const worker of [first, second]) await until(() => (worker.stderr().includes('ready') ? true : undefined));
  await redis.kill9();
  for (const name of ['B', 'C', 'D']) {
    shop.deliver('north', `${name}.csv`, goodFile(name));
    service.fate({ state: 'processing' });
    await shop.offerline('ingest', 'north');
    const before = service.offers.length;
    await until(() => (service.offers.length > before ? true : undefined));
    // The worker that sent it is gone when the service is done with it.
    if (name === 'B') second.child.kill('SIGKILL');
    service.mend();
    for (const offer of service.offers) offer.state = 'success';
    await isLive(shop, before + 1);
  }
  expect(service.offers).toHaveLength(3);
  await redis.restart();
  await until(() => (first.stderr().includes('redis is back, the queue wakes workers again') ? true : undefined));
});

test('a Redis that was moved: the address is another one after a restart, and what was open goes on', async () => {
  const { redis, service, proxy, shop, env } = await shopWithRedis();
  proxy.next('hold-body');
  const first = shop.start('up');
  await until(() => (first.stderr().includes('ready') ? true : undefined));
  await shop.offerline('ingest', 'north');
  await proxy.met();
  first.child.kill('SIGKILL');
  await redis.kill9();
  proxy.release();
  env['REDIS_URL'] = (await startRedis()).url;
  shop.start('up');
  await isLive(shop, 1);
  expect(service.offers).toHaveLength(1);
});

test('two installations with one Redis: with a prefix each they work apart, with the same one the second is refused', async () => {
  const redis = await startRedis();
  const at = async (prefix: string) => {
    const service = await scriptedService();
    const shop = install({ service: { baseUrl: service.url } }, { REDIS_URL: redis.url, REDIS_PREFIX: prefix });
    shop.deliver('north', '1.csv', goodFile(prefix));
    return { service, shop };
  };
  const [north, south, mistaken] = [await at('north'), await at('south'), await at('north')];
  for (const { service, shop } of [north, south]) {
    expect((await shop.ingest('north')).outcome).toBe('live');
    expect(service.offers).toHaveLength(1);
  }
  const refused = await mistaken.shop.offerline('ingest', 'north', '--wait');
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('serves another ledger');
  expect(refused.stderr).toContain('Give each installation a REDIS_PREFIX or a Redis of its own');
  expect(mistaken.service.offers).toEqual([]);
});
