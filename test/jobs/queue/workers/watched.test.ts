import { Redis } from 'ioredis';
import { expect } from 'vitest';
import type { Context } from '../../../../src/context.ts';
import { openQueues } from '../../../../src/jobs/queue/queues.ts';
import { startWorker } from '../../../../src/jobs/queue/worker.ts';
import { openRedis } from '../../../../src/jobs/redis/open.ts';
import { feedState } from '../../../../src/ledger/runs/feeds.ts';
import { createRun, getRun, listRuns } from '../../../../src/ledger/runs/runs.ts';
import { atEnd } from '../../../support/at-end.ts';
import { memoryLog } from '../../../support/memory-log.ts';
import { binaryTest as test, startRedisProgram, type TestRedis } from '../../../support/redis.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { contextFor } from '../../../upload/upload-world.ts';

const USER = 'offerline';
const RIGHTS = ['on', '>right', '~{offerline:*', '&*', '+@all'];

/** A worker on a Redis whose user has rights that a test takes away, and a feed whose folder is empty. */
async function watched(server: TestRedis) {
  const admin = new Redis(server.port, '127.0.0.1');
  admin.on('error', () => undefined);
  atEnd(() => admin.disconnect());
  const { log, entries } = memoryLog();
  const opened = await contextFor('http://127.0.0.1:9', {
    worker: { lease: '3s', lock: '2s', stalled: '1s', sweep: '200ms' },
    feeds: { north: { login: 'main', source: { type: 'directory', path: tempFolder(), settle: '0s' } } },
  });
  const ctx: Context = { ...opened, log };
  const url = server.url.replace('//', `//${USER}:right@`);
  const redis = await openRedis({ prefix: 'offerline', redisUrl: url, home: '', log });
  atEnd(() => redis.close());
  const record = () =>
    createRun(ctx.ledger.db, {
      ...({ feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const),
      now: ctx.clock.now(),
    });
  const done = (run: string) =>
    until(async () => ((await getRun(ctx.ledger.db, run)).stage === 'done' ? true : undefined));
  return { admin, ctx, redis, entries, record, done };
}

test('a worker that takes nothing although jobs wait is built anew, which is logged, and takes them', async () => {
  const server = await startRedisProgram(['--user', USER, ...RIGHTS]);
  const { admin, ctx, redis, entries, record, done } = await watched(server);
  const worker = await startWorker(redis, ctx, { schedules: false, checks: false, stays: true });
  atEnd(() => worker.close());
  // The worker waits for jobs with this command, and needs it for nothing else; a new one takes first what is there.
  await admin.call('ACL', 'SETUSER', USER, '-bzpopmin');
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  const run = await record();
  await done(run);
  expect(entries.filter(({ msg }) => msg === 'queue worker takes no jobs, it is built anew')).toEqual(
    expect.arrayContaining([expect.objectContaining({ queue: 'pulls', sweeps: 3, waiting: 1 })]),
  );
});

test('an installation with a prefix of its own sees nothing of another one in the same Redis', async () => {
  const server = await startRedisProgram(['--user', USER, ...RIGHTS]);
  const { log } = memoryLog();
  const { ctx, record } = await watched(server);
  const at = async (prefix: string) => {
    const redis = await openRedis({ prefix, redisUrl: server.url, home: '', log });
    const queues = openQueues(redis, AbortSignal.abort());
    atEnd(async () => {
      await queues.close();
      await redis.close();
    });
    return queues;
  };
  const [north, south] = [await at('north'), await at('south')];
  await north.wakeRun(await getRun(ctx.ledger.db, await record()));
  expect(await north.pulls.getJobCounts('waiting')).toEqual({ waiting: 1 });
  expect(await south.pulls.getJobCounts('waiting')).toEqual({ waiting: 0 });
});

test('what falls due while Redis is away is run by the ledger alone, and by the queue again when it is back', async () => {
  const server = await startRedisProgram(['--user', USER, ...RIGHTS]);
  const { ctx, redis, entries } = await watched(server);
  const schedule = { cron: '0 6 * * *', timezone: 'UTC' };
  const north = ctx.config.feeds['north'];
  if (north === undefined) throw new Error('the feed is missing');
  let ahead = 0;
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + ahead };
  const scheduled: Context = { ...ctx, clock, config: { ...ctx.config, feeds: { north: { ...north, schedule } } } };
  const worker = await startWorker(redis, scheduled, { schedules: true, checks: false, stays: true });
  atEnd(() => worker.close());
  const done = async () =>
    (await listRuns(ctx.ledger.db, { limit: 10 })).filter(({ stage }) => stage === 'done').length;
  const said = (msg: string) => until(() => (entries.some((entry) => entry.msg === msg) ? true : undefined));
  await until(async () => ((await feedState(ctx.ledger.db, 'north', 'main')).next_due === null ? undefined : true));
  await server.kill9();
  await said('redis is away, working on what the sweep finds');
  ahead += 24 * 3_600_000;
  await until(async () => ((await done()) === 1 ? true : undefined));
  await server.restart();
  await said('redis is back, the queue wakes workers again');
  ahead += 24 * 3_600_000;
  await until(async () => ((await done()) === 2 ? true : undefined));
});
