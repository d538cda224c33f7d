import { expect } from 'vitest';
import { goodFile } from '../support/bad-input.ts';
import { install, type Installation } from '../support/installation.ts';
import { proxyTo } from '../support/proxy.ts';
import { binaryTest as test } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { startSentinels } from '../support/redis-sentinel.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

/** A shop whose queue is at an address, behind a proxy that can hold an upload, with a file that waits to be taken. */
async function shopAt(redisUrl: string, env: NodeJS.ProcessEnv = {}) {
  const service = await scriptedService();
  const proxy = await proxyTo(service.url);
  const shop = install({ service: { baseUrl: proxy.url } }, { REDIS_URL: redisUrl, ...env });
  shop.deliver('north', '1.csv', goodFile('A'));
  return { service, proxy, shop };
}

async function outcomes(shop: Installation): Promise<string[]> {
  const { stdout } = await shop.offerline('runs', '--json');
  const runs = JSON.parse(stdout) as { outcome: string | null; stage: string }[];
  return runs.filter(({ stage }) => stage === 'done').map(({ outcome }) => String(outcome));
}

const live = (shop: Installation, runs: number) =>
  until(async () =>
    (await outcomes(shop)).filter((outcome) => outcome === 'live').length === runs ? true : undefined,
  );

const ready = (up: { stderr: () => string }) => until(() => (up.stderr().includes('"ready"') ? true : undefined));

test('a run on a cluster, from delivery to live; woken by another process', async () => {
  const { url } = await startCluster();
  const { service, shop } = await shopAt(url);
  const up = shop.start('up');
  await ready(up);
  const recorded = await shop.offerline('ingest', 'north', '--json');
  expect(recorded).toMatchObject({ status: 0, stdout: expect.stringContaining('"woken":true') as string });
  await live(shop, 1);
  expect(service.offers).toHaveLength(1);
  const doctor = await shop.offerline('doctor');
  expect(doctor.stdout).toMatch(/Redis Cluster at .* \(3 primaries, Redis .*\); noeviction, keeps an append-only file/);
  up.child.kill('SIGTERM');
  expect(await up.ended).toMatchObject({ status: 0 });
});

test.each(['runs', 'lanes'])(
  'a cluster that loses the node of %s in mid-upload: its replica takes over, the run ends, sent once',
  async (queue) => {
    const { url, ownerOf } = await startCluster({ replicas: true });
    const { service, proxy, shop } = await shopAt(url);
    const up = shop.start('up');
    await ready(up);
    proxy.next('hold-body');
    await shop.offerline('ingest', 'north');
    await proxy.met();
    const { primary } = await ownerOf(`{offerline:${queue}}`);
    await primary.kill9();
    proxy.release();
    await live(shop, 1);
    shop.deliver('north', '2.csv', goodFile('B'));
    await shop.offerline('ingest', 'north');
    await live(shop, 2);
    expect(service.offers).toHaveLength(2);
  },
);

test('sentinels that promote the replica in mid-upload: the run ends, sent once, and the next one goes on there', async () => {
  const { url, primary, promoted } = await startSentinels();
  const { service, proxy, shop } = await shopAt(url);
  const up = shop.start('up');
  await ready(up);
  proxy.next('hold-body');
  await shop.offerline('ingest', 'north');
  await proxy.met();
  await primary.kill9();
  await promoted();
  proxy.release();
  await live(shop, 1);
  shop.deliver('north', '2.csv', goodFile('B'));
  const woken = await until(async () => {
    const { stdout } = await shop.offerline('ingest', 'north', '--json');
    return stdout.includes('"woken":true') ? true : undefined;
  });
  expect(woken).toBe(true);
  await live(shop, 2);
  expect(service.offers).toHaveLength(2);
});
