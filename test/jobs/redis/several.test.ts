import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { openRedis, type RedisServer } from '../../../src/jobs/redis/open.ts';
import { atEnd } from '../../support/at-end.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { binaryTest as test, startRedisProgram } from '../../support/redis.ts';
import { startCluster } from '../../support/redis-cluster.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CERTIFICATE = fileURLToPath(new URL('../../support/tls/certificate.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../../support/tls/key.pem', import.meta.url));
/** Settings of a server that speaks TLS only, and asks for a certificate. */
const onTls = (port: number) => [
  '--port',
  '0',
  '--tls-port',
  String(port),
  '--tls-cert-file',
  CERTIFICATE,
  '--tls-key-file',
  KEY,
  '--tls-ca-cert-file',
  CERTIFICATE,
];

async function open(redisUrl: string, { log } = memoryLog()): Promise<RedisServer> {
  const redis = await openRedis({ prefix: 'shop', redisUrl, home: '/nonexistent', log });
  atEnd(() => redis.close());
  return redis;
}

const count = (redis: RedisServer) => redis.use((client) => client.incr('count'));

test('a cluster is found by one of its nodes, and says what it is', async () => {
  const { primaries } = await startCluster();
  const [first] = primaries;
  const redis = await open(`redis+cluster://127.0.0.1:${first?.port}`);
  expect(redis.describe).toMatch(
    new RegExp(
      `^Redis Cluster at 127\\.0\\.0\\.1:${first?.port} \\(3 primaries, (Redis|Valkey) \\d+\\.\\d+\\.\\d+\\)$`,
    ),
  );
  expect(redis.keeps).toBe('noeviction, keeps an append-only file');
  expect(await count(redis)).toBe(1);
});

test('a node of a cluster that would evict is refused by name; one that is addressed alone, with what to write', async () => {
  const { url, primaries } = await startCluster();
  const [, , last] = primaries;
  await expect(open(`redis://127.0.0.1:${last?.port}`)).rejects.toThrow(
    `Redis at 127.0.0.1:${last?.port} is a node of a Redis Cluster. Set REDIS_URL to redis+cluster://`,
  );
  const whole = await open(url);
  await whole.use((client) =>
    Promise.all(
      'nodes' in client
        ? client.nodes('master').map((node) => node.config('SET', 'maxmemory-policy', 'allkeys-lru'))
        : [],
    ),
  );
  await expect(open(url)).rejects.toThrow(/, node 127\.0\.0\.1:\d+: its maxmemory-policy is allkeys-lru; it must be/);
});

test('what is no cluster, needs a password, or is not there: the reason is said, the password never', async () => {
  const alone = await startRedisProgram(['--requirepass', 'hunter2']);
  const address = `redis+cluster://:wrong-pass@127.0.0.1:${alone.port}`;
  await expect(open(address)).rejects.toThrow(
    /^Redis Cluster at 127\.0\.0\.1:\d+ rejects the user or password in REDIS_URL: WRONGPASS/,
  );
  await expect(open(address)).rejects.not.toThrow('wrong-pass');
  await expect(open(address.replace('wrong-pass', 'hunter2'))).rejects.toThrow(
    /^Redis Cluster at 127\.0\.0\.1:\d+ cannot be used: ERR This instance has cluster support disabled/,
  );
  await alone.kill9();
  await expect(open(address)).rejects.toThrow(
    /cannot be used: none of its nodes accepts a connection\. Check that it is running/,
  );
});

test('sentinels with a password of their own lead to the primary, and to the next one when it is gone', async () => {
  const { url, primary, promoted } = await startSentinels({ redis: 'of-the-Redis', sentinel: 'of-the-Sentinels' });
  const { log, entries } = memoryLog();
  const redis = await open(url, { log, entries });
  expect(redis.describe).toMatch(
    /^Redis queue behind the sentinels at 127\.0\.0\.1:\d+,127\.0\.0\.1:\d+,127\.0\.0\.1:\d+ \(/,
  );
  await count(redis);
  await primary.kill9();
  await promoted();
  await expect.poll(() => count(redis).catch(() => 0), { timeout: 150_000 }).toBeGreaterThan(0);
  expect(JSON.stringify(entries)).not.toMatch(/of-the-Redis|of-the-Sentinels/);
});

test('a primary that a person makes a replica is left for the new one', async () => {
  const { url, failOver, promoted } = await startSentinels();
  const redis = await open(url);
  await count(redis);
  await failOver();
  await promoted();
  await expect.poll(() => count(redis).catch(() => 0), { timeout: 150_000 }).toBeGreaterThan(1);
});

test('TLS trusts the certificate that the address names, and shows its own', async () => {
  const { port } = await startRedisProgram(onTls);
  await expect(open(`rediss://127.0.0.1:${port}`)).rejects.toThrow(/cannot be used: .*self-signed certificate/);
  await expect(open(`rediss://127.0.0.1:${port}?ca=${CERTIFICATE}`)).rejects.toMatchObject({ code: 'redis' });
  const redis = await open(`rediss://127.0.0.1:${port}?ca=${CERTIFICATE}&cert=${CERTIFICATE}&key=${KEY}`);
  expect(await count(redis)).toBe(1);
});

test('a certificate that is not there is named', async () => {
  const none = join(tempFolder(), 'none.pem');
  await expect(open(`rediss://127.0.0.1:1?ca=${none}`)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining(`The file ${none}, which REDIS_URL names as ca, cannot be read`),
  });
});

test('a cluster speaks TLS', async () => {
  const { primaries } = await startCluster({ settings: (port) => [...onTls(port), '--tls-cluster', 'yes'], tls: true });
  const hosts = primaries.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const redis = await open(`rediss+cluster://${hosts}?ca=${CERTIFICATE}&cert=${CERTIFICATE}&key=${KEY}`);
  expect(await count(redis)).toBe(1);
});

test('a database that the server does not have is refused, where the client would go on with the first one', async () => {
  const { port } = await startRedisProgram(['--databases', '4']);
  await expect(open(`redis://127.0.0.1:${port}/7`)).rejects.toThrow(
    /^Redis at 127\.0\.0\.1:\d+\/7 has no database of this number: ERR DB index is out of range\. Name one that it has/u,
  );
  const third = await open(`redis://127.0.0.1:${port}/3`);
  const first = await open(`redis://127.0.0.1:${port}`);
  expect([await count(third), await count(third), await count(first)]).toEqual([1, 2, 1]);
});
