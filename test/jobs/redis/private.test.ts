import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findRedis, openRedis, type RedisServer } from '../../../src/jobs/redis/open.ts';
import { probe } from '../../../src/jobs/redis/probe.ts';
import { startChild, type Child } from '../../support/child.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { endPrivateRedis } from '../../support/private-redis.ts';
import { binaryTest as test } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CHILD = join(import.meta.dirname, 'redis-user-child.ts');

async function open(home: string, { log } = memoryLog()): Promise<RedisServer> {
  const redis = await openRedis({ prefix: 'offerline', redisUrl: undefined, home, log, embedded: 'private' });
  onTestFinished(() => redis.close());
  return redis;
}

const find = (home: string) => findRedis({ prefix: 'offerline', redisUrl: undefined, home, log: memoryLog().log });
const count = (redis: RedisServer) => redis.use((client) => client.incr('count'));

async function processId(redis: RedisServer): Promise<number> {
  const info = await redis.use((client) => client.info('server'));
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}

async function tell(child: Child, line: string): Promise<string> {
  child.send(line);
  return child.line();
}

/** A process of the home that is ready; its server is ended with the test, whatever became of it. */
async function startUser(home: string): Promise<Child> {
  onTestFinished(() => endPrivateRedis(home));
  const child = startChild(CHILD, [home, 'private']);
  expect(await child.line()).toBe('private');
  return child;
}

test('a private server keeps its data, listens on no port, never evicts, and is only its user’s', async () => {
  const home = tempFolder();
  const first = await open(home);
  expect(first).toMatchObject({ kind: 'private', notice: null, connection: { maxRetriesPerRequest: null } });
  await count(first);
  for (const [name, value] of [
    ['port', '0'],
    ['maxmemory-policy', 'noeviction'],
    ['appendonly', 'yes'],
  ] as const) {
    expect(await first.use((client) => client.config('GET', name))).toEqual([name, value]);
  }
  expect(statSync(join(home, 'redis')).mode & 0o077).toBe(0);
  await first.close();
  expect(await count(await open(home))).toBe(2);
});

test('a private server ends with its last user, not before', async () => {
  const home = tempFolder();
  const [first, second] = [await open(home), await open(home)];
  await first.close();
  expect(await count(second)).toBe(1);
  await second.close();
  expect((await probe(second.connection.path ?? '')).state).toBe('gone');
  expect(await find(home)).toBeNull();
});

test('processes that start at the same time end with one server', async () => {
  const home = tempFolder();
  const users = await Promise.all(Array.from({ length: 4 }, () => startUser(home)));
  const servers = await Promise.all(users.map((user) => tell(user, 'server')));
  expect(new Set(servers).size).toBe(1);
  const counts = await Promise.all(users.map((user) => tell(user, 'count')));
  expect(counts.map(Number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(await Promise.all(users.map((user) => tell(user, 'close')))).toEqual(Array(4).fill('closed'));
  expect(await find(home)).toBeNull();
});

test('a server that outlived its killed parent is adopted, with its data', async () => {
  const home = tempFolder();
  const parent = await startUser(home);
  await tell(parent, 'count');
  const server = await tell(parent, 'server');
  await parent.kill('SIGKILL');
  const next = await open(home);
  expect(String(await processId(next))).toBe(server);
  expect(await count(next)).toBe(2);
  await next.close();
  expect(await find(home)).toBeNull();
});

test('what a killed parent and its killed server left behind does not stop the next start', async () => {
  const home = tempFolder();
  const parent = await startUser(home);
  await tell(parent, 'count');
  const server = Number(await tell(parent, 'server'));
  await parent.kill('SIGKILL');
  process.kill(server, 'SIGKILL');
  expect(existsSync(join(home, 'redis', 'redis.sock'))).toBe(true);
  expect(await count(await open(home))).toBe(2);
});

test('a server that dies in use is started again on the same socket, with its data', async () => {
  const home = tempFolder();
  const { log, entries } = memoryLog();
  const redis = await open(home, { log, entries });
  await count(redis);
  const before = await processId(redis);
  process.kill(before, 'SIGKILL');
  await expect.poll(() => redis.use((client) => client.get('count')), { timeout: 150_000 }).toBe('1');
  expect(await processId(redis)).not.toBe(before);
  expect(entries.map((entry) => entry.msg)).toContain('redis does not answer, trying again');
});

test('Ctrl-C in a terminal does not reach the server', async () => {
  const home = tempFolder();
  const user = spawn(process.execPath, [CHILD, home, 'private'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => endPrivateRedis(home));
  await once(user.stdout, 'data');
  process.kill(-(user.pid ?? 0), 'SIGINT');
  await once(user, 'exit');
  const found = await find(home);
  expect(found?.kind).toBe('private');
  await found?.close();
});

test('a server that is stopped for a while gets no second one beside it', async () => {
  const home = tempFolder();
  const first = await open(home);
  const server = await processId(first);
  process.kill(server, 'SIGSTOP');
  const opening = open(home);
  expect((await probe(first.connection.path ?? '')).state).toBe('silent');
  process.kill(server, 'SIGCONT');
  expect(await processId(await opening)).toBe(server);
});

test('a server whose socket was deleted is ended before another one gets its data', async () => {
  const home = tempFolder();
  const parent = await startUser(home);
  await tell(parent, 'count');
  const server = Number(await tell(parent, 'server'));
  await parent.kill('SIGKILL');
  rmSync(join(home, 'redis', 'redis.sock'));
  const next = await open(home);
  expect(isRunning(server)).toBe(false);
  expect(await count(next)).toBe(2);
});

test('data that cannot be loaded is moved aside, and said', async () => {
  const home = tempFolder();
  await (await open(home)).close();
  const files = join(home, 'redis', 'data', 'appendonlydir');
  for (const name of readdirSync(files)) writeFileSync(join(files, name), 'not what redis wrote\n');
  const { log, entries } = memoryLog();
  expect(await count(await open(home, { log, entries }))).toBe(1);
  expect(entries).toMatchObject([{ msg: 'the private redis could not load its data, starting empty' }]);
  expect(existsSync(join(home, 'redis', 'data.unreadable', 'appendonlydir'))).toBe(true);
});

test.each(['with spaces and "quotes"', 'Österreich Новый', 'a-very-long-folder-name-'.repeat(8)])(
  'a home may be called %s',
  async (name) => {
    const home = join(tempFolder(), name);
    mkdirSync(home);
    const redis = await open(home);
    expect(await count(redis)).toBe(1);
    const { path = '' } = redis.connection;
    expect(Buffer.byteLength(path)).toBeLessThan(104);
    await redis.close();
    expect(existsSync(path)).toBe(false);
    // The folder of its own that a long name needs is gone with it.
    expect(existsSync(dirname(path))).toBe(dirname(path) === join(home, 'redis'));
  },
);

/** False also for a process that has ended and that nobody has asked about yet. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  if (process.platform === 'linux') return existsSync(stat) && !/\) Z/.test(readFileSync(stat, 'utf8'));
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());
}
