import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRedis, openRedis, type RedisServer } from '../../../src/jobs/redis/open.ts';
import { startChild } from '../../support/child.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CHILD = join(import.meta.dirname, 'redis-user-child.ts');

async function open(home: string): Promise<RedisServer> {
  const redis = await openRedis({
    prefix: 'offerline',
    redisUrl: undefined,
    home,
    log: memoryLog().log,
    embedded: 'in-process',
  });
  onTestFinished(() => redis.close());
  return redis;
}

const count = (redis: RedisServer) => redis.use((client) => client.incr('count'));

test('without a server program the queue is in memory, and the user is told what that means', async () => {
  const home = tempFolder();
  const redis = await open(home);
  expect(redis).toMatchObject({
    kind: 'in-process',
    notice:
      'No redis-server or valkey-server was found, so the queue is in the memory of this process and ends with it. No work is lost: the ledger keeps it.',
  });
  expect(await count(redis)).toBe(1);
  await redis.close();
  expect(await findRedis({ prefix: 'offerline', redisUrl: undefined, home, log: memoryLog().log })).toBeNull();
});

test('only its user reaches it: it listens on a socket in a folder of their own, on no port', async () => {
  const home = tempFolder();
  const { connection } = await open(home);
  expect(connection).toMatchObject({ path: join(home, 'redis', 'redis.sock') });
  expect(statSync(join(home, 'redis')).mode & 0o077).toBe(0);
});

test('a second process of the home uses the first one’s, and names it', async () => {
  const home = tempFolder();
  const host = startChild(CHILD, [home, 'in-process']);
  await host.line();
  host.send('count');
  expect(await host.line()).toBe('1');
  const second = await open(home);
  expect(second.notice).toContain(`in the memory of process ${host.pid}`);
  expect(await count(second)).toBe(2);
});

test.each(['SIGKILL', 'close'] as const)('when its process ends (%s), another one takes over, empty', async (end) => {
  const home = tempFolder();
  const host = startChild(CHILD, [home, 'in-process']);
  await host.line();
  const second = await open(home);
  await count(second);
  if (end === 'close') host.send('close');
  else await host.kill(end);
  await host.ended();
  await expect.poll(() => second.use((client) => client.get('count')), { timeout: 150_000 }).toBeNull();
  expect(await count(await open(home))).toBe(1);
});
