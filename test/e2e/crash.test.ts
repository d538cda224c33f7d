import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { proxyTo } from '../support/proxy.ts';
import { anyRedis } from '../support/redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const FILE = 'brand;oem\nBOSCH;1\nATE;2\n';

/** A shop behind a proxy, with a file that waits to be taken. */
async function shopBehindProxy(env: NodeJS.ProcessEnv = {}) {
  const service = await sandboxForTest();
  const proxy = await proxyTo(service.url);
  const shop = install({ service: { baseUrl: proxy.url } }, env);
  shop.deliver('north', 'a.csv', FILE);
  return { service, proxy, shop };
}

/** The only run of the shop, once it has an outcome. */
async function finished(shop: Installation, run: string) {
  return until(async () => {
    const { stdout } = await shop.offerline('show', run, '--json');
    const answer = JSON.parse(stdout) as { stage: string };
    return answer.stage === 'done' ? answer : undefined;
  });
}

async function recordRun(shop: Installation): Promise<string> {
  const { stdout } = await shop.offerline('ingest', 'north', '--json');
  return (JSON.parse(stdout) as { run: string }).run;
}

/** A shop whose worker was killed when the proxy met what it was told to do to the upload. */
async function killedAt(harm: 'hold-body' | 'hold-reply') {
  const { service, proxy, shop } = await shopBehindProxy();
  const run = await recordRun(shop);
  proxy.next(harm);
  const first = shop.start('up');
  await proxy.met();
  first.child.kill('SIGKILL');
  await first.ended;
  return { service, shop, run };
}

test('a worker killed in mid-upload: another looks first, sends once, and the service accepts exactly one', async () => {
  const { service, shop, run } = await killedAt('hold-body');
  expect(await service.offers()).toEqual([]);

  shop.start('up');
  expect(await finished(shop, run)).toMatchObject({
    outcome: 'live',
    rows: { live: 2 },
    upload: { attempts: 2, adopted: false },
  });
  expect(await service.offers()).toHaveLength(1);
});

test('a worker killed after the service accepted: the upload is recognised by its token and never sent again', async () => {
  const { service, shop, run } = await killedAt('hold-reply');

  shop.start('up');
  expect(await finished(shop, run)).toMatchObject({ outcome: 'live', upload: { attempts: 1, adopted: true } });
  expect(await service.offers()).toHaveLength(1);
});

test('a reply that is lost: the outcome is looked up, not retried', async () => {
  const { service, proxy, shop } = await shopBehindProxy();
  proxy.next('reset-reply');
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'live',
    status: 0,
    upload: { attempts: 1, adopted: true },
  });
  expect(await service.offers()).toHaveLength(1);
});

test('a Redis wiped while an upload is being sent loses nothing, and nobody sends it twice', async () => {
  const redis = await anyRedis();
  const { service, proxy, shop } = await shopBehindProxy({ REDIS_URL: redis.url });
  const run = await recordRun(shop);
  proxy.next('hold-body');
  shop.start('up');
  shop.start('worker');
  await proxy.met();
  await redis.wipe();
  const second = await shop.offerline('ingest', 'north', '--json');
  proxy.release();
  expect(await finished(shop, run)).toMatchObject({ outcome: 'live', rows: { live: 2 } });
  expect(await finished(shop, (JSON.parse(second.stdout) as { run: string }).run)).toMatchObject({
    outcome: 'unchanged',
  });
  expect(await service.offers()).toHaveLength(1);
});
