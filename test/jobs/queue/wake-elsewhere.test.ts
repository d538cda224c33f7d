import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { openQueues } from '../../../src/jobs/queue/queues.ts';
import { wakeElsewhere, wakeLaneElsewhere } from '../../../src/jobs/queue/wake-elsewhere.ts';
import { openRedis } from '../../../src/jobs/redis/open.ts';
import { createRun } from '../../../src/ledger/runs/runs.ts';
import { atEnd } from '../../support/at-end.ts';
import { anyRedis } from '../../support/redis.ts';
import { contextFor } from '../../upload/upload-world.ts';

/** A ledger with one run that nobody has begun. */
async function recorded() {
  const ctx = await contextFor('http://127.0.0.1:9');
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  return { ctx, run: await createRun(ctx.ledger.db, { ...asked, now: 1 }) };
}

/** A Redis, and how many jobs it has. */
async function queue() {
  const { url } = await anyRedis();
  const { ctx } = await recorded();
  const jobs = async () => {
    const redis = await openRedis({ prefix: 'offerline', redisUrl: url, home: ctx.home, log: ctx.log });
    const queues = openQueues(redis, AbortSignal.abort());
    const counts = await Promise.all([queues.pulls, queues.runs, queues.lanes].map((one) => one.count()));
    await queues.close();
    await redis.close();
    return counts;
  };
  return { url, jobs };
}

test('what is recorded is done, whatever keeps workers from being woken', async () => {
  const { ctx, run } = await recorded();
  expect(await wakeElsewhere(run, { redisUrl: 'redis://127.0.0.1:1' }, ctx)).toBe(false);
  expect(await wakeLaneElsewhere('main', { redisUrl: 'redis://127.0.0.1:1' }, ctx)).toBe(false);
  expect(await wakeLaneElsewhere('main', { redisUrl: undefined }, ctx)).toBe(false);
  writeFileSync(join(ctx.home, 'no-folder'), '');
  const elsewhere = { ...ctx, home: join(ctx.home, 'no-folder') };
  expect(await wakeElsewhere(run, { redisUrl: undefined }, elsewhere)).toBe(false);
});

test('the queue of another ledger gets no job: its workers would look for the run in vain', async () => {
  const { ctx, run } = await recorded();
  const { url, jobs } = await queue();
  const client = new Redis(url);
  atEnd(() => client.disconnect());
  await client.set('{offerline:ledger}', 'of-another-installation');
  expect(await wakeElsewhere(run, { redisUrl: url }, ctx)).toBe(false);
  expect(await jobs()).toEqual([0, 0, 0]);
  await client.set('{offerline:ledger}', ctx.ledger.id);
  expect(await wakeElsewhere(run, { redisUrl: url }, ctx)).toBe(true);
  expect(await wakeLaneElsewhere('main', { redisUrl: url }, ctx)).toBe(true);
  expect(await jobs()).toEqual([1, 0, 1]);
  await client.flushdb();
  expect(await wakeElsewhere(run, { redisUrl: url }, ctx)).toBe(true);
});
