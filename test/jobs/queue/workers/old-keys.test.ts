import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import type { Context } from '../../../../src/context.ts';
import { forgetOldKeys } from '../../../../src/jobs/queue/workers/old-keys.ts';
import { openRedis } from '../../../../src/jobs/redis/open.ts';
import { atEnd } from '../../../support/at-end.ts';
import { memoryLog } from '../../../support/memory-log.ts';
import { anyRedis } from '../../../support/redis.ts';

/** A Redis as an earlier version left it, with something of somebody else's. */
async function oldRedis(ledger: string) {
  const { url } = await anyRedis();
  const { log, entries } = memoryLog();
  const redis = await openRedis({ prefix: 'offerline', redisUrl: url, home: '', log });
  const client = new Redis(url);
  const queue = new Queue('lanes', { connection: redis.connection, prefix: 'offerline' });
  atEnd(async () => {
    client.disconnect();
    await queue.close();
    await redis.close();
  });
  await queue.add('lane', { login: 'main' }, { delay: 3_600_000 });
  await client.mset('offerline:ledger', ledger, 'offerline:of-others', 'stays');
  const forget = () => forgetOldKeys(redis, { ledger: { id: 'ours' }, log } as Context);
  return { keys: async () => (await client.keys('*')).toSorted(), entries, forget };
}

test('keys that an earlier version left are removed, and nothing else', async () => {
  const { keys, entries, forget } = await oldRedis('ours');
  expect((await keys()).length).toBeGreaterThan(4);
  await forget();
  expect(await keys()).toEqual(['offerline:of-others']);
  expect(entries).toMatchObject([{ msg: 'keys of an earlier version were removed from redis' }]);
  await forget();
  expect(entries).toHaveLength(1);
});

test('those of another ledger stay', async () => {
  const { keys, entries, forget } = await oldRedis('of another');
  const before = await keys();
  await forget();
  expect(await keys()).toEqual(before);
  expect(entries).toEqual([]);
});
