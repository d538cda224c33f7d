import { DelayedError, Worker, type Job as QueueJob } from 'bullmq';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { handle } from '../../../../src/jobs/queue/handle.ts';
import type { World } from '../../../../src/jobs/queue/on-job.ts';
import { openQueues, prefixOf, RUNS } from '../../../../src/jobs/queue/queues.ts';
import { openRedis } from '../../../../src/jobs/redis/open.ts';
import { atEnd } from '../../../support/at-end.ts';
import { memoryLog } from '../../../support/memory-log.ts';
import { anyRedis } from '../../../support/redis.ts';
import { add, delay, expire, finish, isKept, NO_JOB, promote, stall, take, type Job } from './job-model.ts';

/** Something that happens to the job of a run, as the exhaustive model has it. */
type Event =
  | { do: 'wake' | 'remind' | 'remind-failed' | 'time' | 'lock-ends' | 'stalled' }
  | { do: 'take' | 'end' | 'hand-back'; by: 0 | 1 };

const by = fc.constantFrom<0 | 1>(0, 1);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.constantFrom<Event>(
    { do: 'wake' },
    { do: 'remind' },
    { do: 'remind-failed' },
    { do: 'time' },
    { do: 'lock-ends' },
    { do: 'stalled' },
  ),
  fc.record({ do: fc.constantFrom('take', 'end', 'hand-back'), by }),
);

/** What the model says of it. */
function model(job: Job, it: Event): Job {
  switch (it.do) {
    case 'wake':
      return promote(add(job, true));
    case 'remind':
      return promote(add(job, false));
    case 'remind-failed':
      return add(job, false);
    case 'time':
      return promote(job);
    case 'lock-ends':
      return expire(job);
    case 'stalled':
      return stall(job);
    case 'take':
      return take(job, it.by);
    case 'end':
      return finish(job, it.by);
    case 'hand-back':
      return isKept(job) ? finish(job, it.by) : delay(job, it.by, 'retry');
  }
}

const HOUR = 3_600_000;
const RUN = { id: 'one', stage: 'read', options: {} } as const;

/** The real queues, and a worker that takes jobs only when it is told to. */
async function realQueue() {
  const { log } = memoryLog();
  const { url } = await anyRedis();
  const redis = await openRedis({ prefix: 'offerline', redisUrl: url, home: '', log });
  const stop = new AbortController();
  const queues = openQueues(redis, stop.signal);
  const { connection } = redis;
  const prefix = prefixOf(redis, RUNS);
  const settings = { connection, prefix, autorun: false, lockDuration: HOUR, stalledInterval: 1 };
  const worker = new Worker(RUNS, null, settings);
  atEnd(async () => {
    await worker.close();
    await queues.close();
    await redis.close();
  });
  const world = { stop: stop.signal, active: new Set(), ctx: { log } } as unknown as World;
  const held: (QueueJob | undefined)[] = [];
  const refused = () => undefined;
  const current = async () => queues.runs.getJob((await queues.runs.getDeduplicationJobId('run-one')) ?? '');
  const given = async (at: 0 | 1, ends: (job: QueueJob, token: string) => Promise<unknown>) => {
    const job = held[at];
    held[at] = undefined;
    if (job !== undefined) await ends(job, `token-${at}`).catch(refused);
  };
  const complete = (job: QueueJob, token: string) => job.moveToCompleted(null, token, false);
  const play: Record<Event['do'], (at: 0 | 1) => Promise<unknown>> = {
    wake: () => queues.wakeRun(RUN),
    remind: () => queues.remindRun({ ...RUN, tries: 0 }),
    'remind-failed': () => queues.remindRun({ ...RUN, tries: 1 }),
    time: async () => (await current())?.promote().catch(refused),
    'lock-ends': async () => {
      const job = await current();
      if (job !== undefined) await redis.use((client) => client.del(`${prefix}:${RUNS}:${job.id}:lock`));
    },
    stalled: async () => {
      // The first look marks what is at work, and the second takes what has no lock by then.
      for (let looks = 0; looks < 2; looks++) {
        await redis.use((client) => client.del(`${prefix}:${RUNS}:stalled-check`));
        await worker.getBackend().moveStalledJobsToWait();
      }
    },
    take: async (at) => (held[at] ??= await worker.getNextJob(`token-${at}`, { block: false })),
    end: (at) => given(at, complete),
    'hand-back': (at) =>
      given(at, async (job, token) => {
        const waits = handle(job, token, { queues, world }, () => Promise.resolve({ waitUntil: Date.now() + HOUR }));
        const isDelayed = await waits.then(
          () => false,
          (error: unknown) => error instanceof DelayedError || Promise.reject(error as Error),
        );
        if (!isDelayed) await complete(job, token);
      }),
  };
  const seen = async () => {
    const { waiting, active, delayed } = await queues.runs.getJobCounts('waiting', 'active', 'delayed');
    const job = await current();
    return { waiting, active, delayed, kept: job !== undefined && (await queues.isWoken(job as QueueJob<never>)) };
  };
  const wipe = async () => {
    held.length = 0;
    await redis.use((client) => client.flushdb());
  };
  return { play, seen, wipe, holds: (at: 0 | 1) => held[at] !== undefined };
}

test('the real queue does with a run as the model says', async () => {
  const { play, seen, wipe, holds } = await realQueue();
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 8, maxLength: 16 }), async (events) => {
      await wipe();
      let job = NO_JOB;
      for (const it of events) {
        const at = 'by' in it ? it.by : 0;
        // A place has one job at a time, and nothing to end without one.
        if ('by' in it && holds(at) !== (it.do !== 'take')) continue;
        job = model(job, it);
        await play[it.do](at);
        const one = (state: Job['at']) => (job.at === state ? 1 : 0);
        const counts = { waiting: one('waiting'), active: one('active'), delayed: one('delayed') };
        expect({ after: it, ...(await seen()) }).toEqual({ after: it, ...counts, kept: isKept(job) });
      }
    }),
    { numRuns: 25 },
  );
});
