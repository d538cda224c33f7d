import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { startDue } from '../../../src/jobs/queue/schedule.ts';
import { sweep } from '../../../src/jobs/queue/sweep.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { readNote } from '../../../src/ledger/alerts/notes.ts';
import { addPause, endPause } from '../../../src/ledger/runs/pauses.ts';
import { createRun, listRuns, updateRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { queuesFor } from './queues-world.ts';

const START = Date.UTC(2026, 4, 4, 5, 0, 0);
const HOUR = 3_600_000;
const SWEEPS = { schedules: true, checks: true };

/** A feed that is due at six every morning, a queue of its own, and a clock that a test moves. */
async function world(cron = '0 6 * * *', timezone = 'UTC') {
  const source = { type: 'directory', path: '.' };
  const schedule = { cron, timezone };
  const opened = await contextFor('http://127.0.0.1:9', { feeds: { north: { login: 'main', source, schedule } } });
  let now = START;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  const { redis, queues } = await queuesFor(ctx);
  return {
    ctx,
    queues,
    redis,
    sweepAt: (hours: number) => {
      now = START + hours * HOUR;
      return sweep(queues, ctx, SWEEPS);
    },
    nextDue: async () => (await feedState(ctx.ledger.db, 'north', 'main')).next_due,
    runs: async () => (await listRuns(ctx.ledger.db, { limit: 100 })).length,
    schedulers: async () => (await queues.runs.getJobSchedulers()).map(({ key }) => key),
  };
}

test('a wiped queue gets its schedules back, and what is open is woken again', async () => {
  const { ctx, queues, redis, sweepAt, schedulers } = await world();
  await sweepAt(0);
  const { due } = await sweepAt(1);
  expect(due).toHaveLength(1);
  expect(await schedulers()).toEqual(['feed-north']);
  await redis.use((client) => client.flushall());
  expect(await schedulers()).toEqual([]);
  expect(await sweepAt(1.01)).toEqual({ due: [], runs: due, lanes: [] });
  expect(await schedulers()).toEqual(['feed-north']);
  expect(await queues.pulls.getDeduplicationJobId(`run-${due[0]}`)).not.toBeNull();
  expect(await readNote(ctx.ledger.db, 'last-sweep')).toMatchObject({ at: START + 1.01 * HOUR, runs: due });
});

test('a run that cannot be read does not keep the others from being woken', async () => {
  const { ctx, queues, sweepAt } = await world();
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const broken = await createRun(ctx.ledger.db, { ...asked, now: START });
  const whole = await createRun(ctx.ledger.db, { ...asked, now: START + 1 });
  await updateRun(ctx.ledger.db, broken, { options: '{"wait":' as never });
  await sweepAt(0);
  expect(await queues.pulls.getDeduplicationJobId(`run-${whole}`)).not.toBeNull();
  expect(await queues.pulls.getDeduplicationJobId(`run-${broken}`)).toBeNull();
});

test('times that were missed while nothing ran are caught up once, and the next one is the one that comes', async () => {
  const { ctx, sweepAt, runs } = await world();
  await sweepAt(0);
  expect((await sweepAt(5 * 24)).due).toHaveLength(1);
  expect((await sweepAt(5 * 24 + 0.5)).due).toEqual([]);
  expect(await runs()).toBe(1);
  expect((await feedState(ctx.ledger.db, 'north', 'main')).next_due).toBe(START + (5 * 24 + 1) * HOUR);
});

test('the job scheduler and several sweeps together start a due run once', async () => {
  const { ctx, sweepAt, runs } = await world();
  await sweepAt(0);
  const started = await Promise.all([sweepAt(1), sweepAt(1), startDue('north', ctx)]);
  expect(started).toHaveLength(3);
  expect(await runs()).toBe(1);
});

test('a clock that was set back leaves no schedule an hour behind, and starts nothing that ran already', async () => {
  const often = await world('*/5 * * * *');
  await often.sweepAt(1);
  expect((await often.sweepAt(1.1)).due).toHaveLength(1);
  await often.sweepAt(0.1);
  expect((await feedState(often.ctx.ledger.db, 'north', 'main')).next_due).toBe(START + 10 * 60_000);
  expect((await often.sweepAt(0.2)).due).toHaveLength(1);

  const daily = await world();
  await daily.sweepAt(0.5);
  expect((await daily.sweepAt(1.5)).due).toHaveLength(1);
  await daily.sweepAt(0.5);
  expect((await daily.sweepAt(1.5)).due).toEqual([]);
});

test('a host that slept for three hours runs an hourly schedule once, and the next time is that of the next hour', async () => {
  const { sweepAt, runs, nextDue } = await world('0 * * * *');
  await sweepAt(0.5);
  await sweepAt(1);
  expect(await runs()).toBe(1);
  expect((await sweepAt(4.2)).due).toHaveLength(1);
  expect((await sweepAt(4.3)).due).toEqual([]);
  expect(await runs()).toBe(2);
  expect(await nextDue()).toBe(START + 5 * HOUR);
});

test('a clock that was set forward runs what it passed once, and set back again it leaves nothing out', async () => {
  const { sweepAt, nextDue } = await world();
  await sweepAt(0);
  expect((await sweepAt(3 * 24 + 2)).due).toHaveLength(1);
  expect((await sweepAt(0.1)).due).toEqual([]);
  expect(await nextDue()).toBe(START + HOUR);
});

test('a time that other rules of the time zone gave is computed anew; one that has passed by the new ones is caught up', async () => {
  const { ctx, sweepAt, nextDue } = await world('0 7 * * *', 'Europe/Berlin');
  await sweepAt(-5);
  expect(await nextDue()).toBe(START);
  const gave = (hours: number) => updateFeed(ctx.ledger.db, 'north', { next_due: START + hours * HOUR });
  await gave(-1);
  expect((await sweepAt(-3)).due).toEqual([]);
  expect(await nextDue()).toBe(START);
  await gave(1);
  expect((await sweepAt(0.5)).due).toHaveLength(1);
  expect((await sweepAt(1)).due).toEqual([]);
  expect(await nextDue()).toBe(START + 24 * HOUR);
});

test('the queue wakes a worker at the time that the ledger has', async () => {
  // A nickname that the cron library does not know: only the program itself can say when it comes.
  const { queues, sweepAt } = await world('@midnight', 'Asia/Tokyo');
  await sweepAt(0);
  const [scheduler] = await queues.runs.getJobSchedulers();
  expect(new Date(scheduler?.next ?? 0).toISOString().slice(11)).toBe('15:00:00.000Z');
});

test('runs that wait are brought forward after a clock was set, the time of a schedule is not', async () => {
  const { queues, sweepAt } = await world();
  await sweepAt(0);
  await queues.runs.add('run', { run: 'reads' }, { delay: HOUR });
  await queues.pulls.add('run', { run: 'pulls' }, { delay: HOUR });
  const delayed = async () =>
    [...(await queues.runs.getDelayed()), ...(await queues.pulls.getDelayed())].map(({ name }) => name).toSorted();
  expect(await delayed()).toEqual(['due', 'run', 'run']);
  await queues.hurryRuns();
  expect(await delayed()).toEqual(['due']);
});

test('a paused feed is not run; what was missed meanwhile is caught up once', async () => {
  const { ctx, sweepAt, runs } = await world();
  await sweepAt(0);
  const pause = { kind: 'login', name: 'main' } as const;
  await addPause(ctx.ledger.db, { ...pause, at: START, who: 'anna', reason: 'stock-taking' });
  for (const days of [1, 2, 3]) await sweepAt(days * 24);
  expect(await runs()).toBe(0);
  await endPause(ctx.ledger.db, pause);
  await sweepAt(3.5 * 24);
  await sweepAt(3.5 * 24 + 0.5);
  expect(await runs()).toBe(1);
});

test('what was found last is kept when nothing is found', async () => {
  const { ctx, sweepAt } = await world();
  await sweepAt(0);
  expect(await readNote(ctx.ledger.db, 'last-find')).toBeUndefined();
  const { due } = await sweepAt(1);
  await ctx.ledger.db.updateTable('runs').set({ stage: 'done' }).execute();
  await sweepAt(2);
  expect(await readNote(ctx.ledger.db, 'last-find')).toMatchObject({ at: START + HOUR, due });
  expect(await readNote(ctx.ledger.db, 'last-sweep')).toMatchObject({ at: START + 2 * HOUR, due: [], runs: [] });
});
