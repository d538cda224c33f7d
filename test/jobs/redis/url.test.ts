import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { openRedis, type RedisServer } from '../../../src/jobs/redis/open.ts';
import { parseRedisUrl } from '../../../src/jobs/redis/url.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { binaryTest as test, startRedisProgram } from '../../support/redis.ts';

async function open(redisUrl: string, { log } = memoryLog()): Promise<RedisServer> {
  const redis = await openRedis({ prefix: 'offerline', redisUrl, home: '/nonexistent', log });
  onTestFinished(() => redis.close());
  return redis;
}

test('a Redis at an address is checked and used', async () => {
  const { url, port } = await startRedisProgram();
  const redis = await open(`${url}/3`);
  expect(redis).toMatchObject({ kind: 'url', notice: null, connection: { port, db: 3, maxRetriesPerRequest: null } });
  expect(redis.describe).toMatch(
    new RegExp(`^Redis at 127\\.0\\.0\\.1:${port}/3 \\((Redis|Valkey) \\d+\\.\\d+\\.\\d+\\)$`),
  );
  expect(await redis.use((client) => client.incr('count'))).toBe(1);
});

test('a Redis that may evict jobs is refused, with what to do', async () => {
  const { url, port } = await startRedisProgram(['--maxmemory-policy', 'allkeys-lru']);
  await expect(open(url)).rejects.toMatchObject({
    code: 'redis',
    retryable: false,
    message: expect.stringMatching(
      `^Redis at 127.0.0.1:${port}: its maxmemory-policy is allkeys-lru; it must be noeviction.*CONFIG SET maxmemory-policy noeviction`,
    ),
  });
});

test('where CONFIG is forbidden, the policy is read from INFO', async () => {
  const acl = ['--user', 'hosted', 'on', '>secret', '~*', '&*', '+@all', '-config'];
  const good = await startRedisProgram(acl);
  const access = (url: string) => url.replace('redis://', 'redis://hosted:secret@');
  expect((await open(access(good.url))).kind).toBe('url');
  const bad = await startRedisProgram([...acl, '--maxmemory-policy', 'volatile-lru']);
  await expect(open(access(bad.url))).rejects.toThrow('is volatile-lru; it must be noeviction');
});

test.each([
  ['a wrong password', 'redis://:wrong-pass%40word@'],
  ['a wrong user', 'redis://nobody:wrong-pass%40word@'],
  ['no password', 'redis://'],
])('%s is refused without showing it', async (_, access) => {
  const { url } = await startRedisProgram(['--requirepass', 'secret']);
  const { log, entries } = memoryLog();
  const refused = await open(url.replace('redis://', access), { log, entries }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'redis',
    message: expect.stringContaining('rejects the user or password in REDIS_URL'),
  });
  const told = JSON.stringify([entries, refused, String(refused), (refused as Error).cause]);
  expect(told).not.toMatch(/wrong-pass|nobody/);
});

test('a Redis that is not there is named', async () => {
  const redis = await startRedisProgram();
  await redis.kill9();
  await expect(open(redis.url)).rejects.toMatchObject({
    code: 'redis',
    retryable: true,
    message: expect.stringMatching(`^Redis at 127.0.0.1:${redis.port} cannot be used: .*ECONNREFUSED`),
  });
});

test('a server that speaks something else is named', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(open(`redis://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'redis' });
});

test('a read-only replica is refused', async () => {
  const primary = await startRedisProgram();
  const replica = await startRedisProgram(['--replicaof', '127.0.0.1', String(primary.port)]);
  await expect(open(replica.url)).rejects.toThrow('is a read-only replica. Set REDIS_URL to the primary.');
});

test('a Redis that goes away ends nothing, fails what is asked meanwhile, and is used again when it is back', async () => {
  const server = await startRedisProgram();
  const { log, entries } = memoryLog();
  const redis = await open(server.url, { log, entries });
  await redis.use((client) => client.incr('count'));
  await server.kill9();
  await expect(redis.use((client) => client.incr('count'))).rejects.toMatchObject({ code: 'redis', retryable: true });
  await server.restart();
  await expect.poll(() => redis.use((client) => client.get('count')), { timeout: 150_000 }).toBe('1');
  expect(entries.map((entry) => entry.msg)).toEqual(['redis does not answer, trying again', 'redis answers again']);
});

test.each([
  ['redis://queue', { host: 'queue', port: 6379, db: 0 }, 'Redis at queue:6379'],
  [
    'rediss://u:p%3A@queue:6380/2',
    { host: 'queue', port: 6380, db: 2, username: 'u', password: 'p:', tls: {} },
    'Redis at queue:6380/2',
  ],
  ['redis://[::1]:7000', { host: '::1', port: 7000, db: 0 }, 'Redis at [::1]:7000'],
  ['unix:///run/redis.sock?db=1', { path: '/run/redis.sock', db: 1 }, 'Redis at /run/redis.sock'],
  [
    'redis+sentinel://:p@a:1,b/queue/4',
    {
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26_379 },
      ],
      name: 'queue',
      db: 4,
      password: 'p',
    },
    'Redis queue behind the sentinels at a:1,b',
  ],
  [
    'rediss+sentinel://u:p@a,[::1]:1/queue?sentinelUser=s&sentinelPassword=t',
    {
      sentinels: [
        { host: 'a', port: 26_379 },
        { host: '::1', port: 1 },
      ],
      name: 'queue',
      db: 0,
      username: 'u',
      password: 'p',
      sentinelUsername: 's',
      sentinelPassword: 't',
      enableTLSForSentinelMode: true,
      tls: {},
    },
    'Redis queue behind the sentinels at a,[::1]:1',
  ],
  [
    'redis+cluster://u:p%2F@a:1,b,[::1]:2',
    {
      cluster: [
        { host: 'a', port: 1 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 2 },
      ],
      username: 'u',
      password: 'p/',
    },
    'Redis Cluster at a:1,b,[::1]:2',
  ],
  ['rediss+cluster://a/0', { cluster: [{ host: 'a', port: 6379 }], tls: {} }, 'Redis Cluster at a'],
])('the address %s is understood', (text, options, where) => {
  expect(parseRedisUrl(text)).toEqual({ options, where });
});

test('certificates are files that an address with TLS names', () => {
  expect(parseRedisUrl('rediss://queue?ca=/etc/ca.pem').tlsFiles).toEqual({ ca: '/etc/ca.pem' });
  expect(parseRedisUrl('rediss+cluster://a,b?ca=/ca.pem&cert=/c.pem&key=/k.pem').tlsFiles).toEqual({
    ca: '/ca.pem',
    cert: '/c.pem',
    key: '/k.pem',
  });
});

test.each([
  'queue:6379',
  'http://queue',
  'redis://',
  'redis://u:geheim@queue/first',
  'redis://u:geheim%zz@queue',
  'redis://u:geheim@queue?ca=/etc/ca.pem',
  'redis+cluster://',
  'redis+cluster://u:geheim@a,,b',
  'redis+cluster://u:geheim@a,b/1',
  'redis+cluster://u:geheim@a,b?sentinelPassword=x',
  'redis+sentinel://u:geheim@a,b',
  'redis+sentinel://u:geheim@a,b/queue/1/2',
  'redis+sentinel://u:geheim@a/queue?sentinelPasword=x',
  '',
])('the address %j is refused, without repeating it', (text) => {
  expect(() => parseRedisUrl(text)).toThrow(/^REDIS_URL is not a valid Redis address\. Expected: redis:/);
  expect(() => parseRedisUrl(text)).not.toThrow('geheim');
});
