import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { goodFile } from '../support/bad-input.ts';
import { install, type Installation } from '../support/installation.ts';
import { proxyTo } from '../support/proxy.ts';
import { startRedisProgram, binaryTest as test } from '../support/redis.ts';
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

/** The rights that the documentation gives to the user of the queue, as options of a server. */
function documentedRights(prefix: string): string[] {
  const page = readFileSync(new URL('../../docs/machines.md', import.meta.url), 'utf8');
  const rights = /^ACL SETUSER offerline on >PASSWORD (.+)$/mu.exec(page)?.[1]?.split(' ') ?? [];
  return [
    '--user',
    'offerline',
    'on',
    '>for-the-queue',
    ...rights.map((right) => right.replace('offerline:', `${prefix}:`)),
  ];
}

const asUser = (url: string) => url.replace('://', '://offerline:for-the-queue@');

test('a run on a cluster, from delivery to live, with the rights that are documented; woken by another process', async () => {
  const { url, primaries } = await startCluster({ settings: () => documentedRights('shop') });
  const { service, shop } = await shopAt(asUser(url), { REDIS_PREFIX: 'shop' });
  const up = shop.start('up');
  await ready(up);
  const recorded = await shop.offerline('ingest', 'north', '--json');
  expect(recorded).toMatchObject({ status: 0, stdout: expect.stringContaining('"woken":true') as string });
  await live(shop, 1);
  expect(service.offers).toHaveLength(1);
  const doctor = await shop.offerline('doctor');
  expect(doctor.stdout).toMatch(/Redis Cluster at .* \(3 primaries, Redis .*\); noeviction, keeps an append-only file/);
  up.child.kill('SIGTERM');
  const ended = await up.ended;
  expect(ended.status).toBe(0);
  expect(ended.stderr).not.toMatch(/NOPERM|for-the-queue/);
  for (const { port } of primaries) expect(await deniedAt(port)).toEqual([]);
});

test('a run on a Redis of others, with the rights that are documented, touches nothing of theirs', async () => {
  const { url, port } = await startRedisProgram(documentedRights('offerline'));
  const { service, shop } = await shopAt(asUser(url));
  expect((await shop.ingest('north')).outcome).toBe('live');
  expect(service.offers).toHaveLength(1);
  expect(await deniedAt(port)).toEqual([]);
  const client = clientAt(port);
  expect((await client.keys('*')).filter((key) => !key.startsWith('{offerline:'))).toEqual([]);
});

test('a run over TLS, with a certificate that only the address names', async () => {
  const { port } = await startRedisProgram((at) => [
    '--port',
    '0',
    '--tls-port',
    String(at),
    '--tls-auth-clients',
    'no',
    '--tls-cert-file',
    tlsFile('certificate'),
    '--tls-key-file',
    tlsFile('key'),
  ]);
  const { service, shop } = await shopAt(`rediss://127.0.0.1:${port}?ca=${tlsFile('certificate')}`);
  expect((await shop.ingest('north')).outcome).toBe('live');
  expect(service.offers).toHaveLength(1);
});

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));

function clientAt(port: number): Redis {
  const client = new Redis(port, '127.0.0.1');
  atEnd(() => client.disconnect());
  return client;
}

/** What is only looked at: where CONFIG may not be asked, INFO says nearly the same, and keys of an earlier version may be anybody's. */
const OPTIONAL = new Set(['config|get', 'offerline:ledger']);

/** What the server has denied, apart from that: the key or the command. */
async function deniedAt(port: number): Promise<string[]> {
  const entries = (await clientAt(port).call('ACL', 'LOG')) as unknown[][];
  return entries.map((entry) => String(entry[entry.indexOf('object') + 1])).filter((object) => !OPTIONAL.has(object));
}

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
