import { DelayedError, Queue, Worker, type Job } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { openRedis } from '../../../src/jobs/redis/open.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Handler = (job: Job, token: string | undefined) => Promise<void>;

/** A queue with a worker on a Redis of the given kind; `until` resolves when the worker has begun so many jobs. */
async function openQueue(embedded: 'private' | 'in-process', handler: Handler) {
  const redis = await openRedis({
    prefix: 'offerline',
    redisUrl: undefined,
    home: tempFolder(),
    log: memoryLog().log,
    embedded,
  });
  const { connection } = redis;
  const queue = new Queue('lanes', { connection });
  const begun: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const work: Handler = async (job, token) => {
    begun.push(job.name);
    for (const { count, resolve } of waiting) if (begun.length >= count) resolve();
    await handler(job, token);
  };
  const worker = new Worker('lanes', work, { connection, concurrency: 5, lockDuration: 2000, stalledInterval: 500 });
  onTestFinished(async () => {
    await worker.close();
    await queue.close();
    await redis.close();
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      waiting.push({ count, resolve });
      if (begun.length >= count) resolve();
    });
  return { queue, begun, until };
}

test.each(['private', 'in-process'] as const)(
  '%s: jobs at once, delayed, and handed back until later',
  async (kind) => {
    const { queue, begun, until } = await openQueue(kind, async (job, token) => {
      if (job.name !== 'polling' || job.attemptsStarted === 3) return;
      await job.moveToDelayed(Date.now() + 20, token);
      throw new DelayedError();
    });
    await queue.add('at once', {});
    await queue.add('delayed', {}, { delay: 50 });
    await queue.add('polling', {});
    await until(5);
    expect(begun.sort((a, b) => (a < b ? -1 : 1))).toEqual(['at once', 'delayed', 'polling', 'polling', 'polling']);
  },
);

test.each(['private', 'in-process'] as const)(
  '%s: a lane woken while it works runs once more afterwards',
  async (kind) => {
    const lane = Promise.withResolvers<void>();
    const { queue, begun, until } = await openQueue(kind, () => lane.promise);
    const wake = () => queue.add('lane', {}, { deduplication: { id: 'main', keepLastIfActive: true } });
    await wake();
    await until(1);
    await Promise.all([wake(), wake(), wake()]);
    lane.resolve();
    await until(2);
    await queue.add('after', {});
    await until(3);
    expect(begun).toEqual(['lane', 'lane', 'after']);
  },
);

test.each(['private', 'in-process'] as const)('%s: schedules come again, and end', async (kind) => {
  const { queue, until } = await openQueue(kind, () => Promise.resolve());
  await queue.upsertJobScheduler('north', { every: 50 }, { name: 'tick' });
  await queue.upsertJobScheduler('south', { pattern: '* * * * * *', tz: 'Europe/Berlin' }, { name: 'cron' });
  await until(4);
  expect((await queue.getJobSchedulers()).map((scheduler) => scheduler.key)).toEqual(
    expect.arrayContaining(['north', 'south']),
  );
  expect(await queue.removeJobScheduler('north')).toBe(true);
  expect(await queue.removeJobScheduler('south')).toBe(true);
});
