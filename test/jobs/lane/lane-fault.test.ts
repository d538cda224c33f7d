import { expect, test } from 'vitest';
import { examineWork } from '../../../src/jobs/doctor/doctor-ledger.ts';
import { advanceLane } from '../../../src/jobs/lane/lane.ts';
import { eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const NEVER = new AbortController().signal;

test('rows that cannot be composed cost their own feed only', async () => {
  const { ctx, offer, toRest, live, incidents } = await laneWorld({}, {}, { north: {}, south: {} });
  const north = await offer('north', ['1']);
  const south = await offer('south', ['2']);
  await updateRun(ctx.ledger.db, north, { columns: '{' as never });
  await toRest();
  const { outcome, reason } = await getRun(ctx.ledger.db, north);
  expect({ outcome, reason }).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/^The ledger cannot be read: runs\.columns of row .*JSON.*\(Tried 3 times\.\)$/),
  });
  expectLive(await getRun(ctx.ledger.db, south));
  expect(await live()).toEqual(['2']);
  expect((await incidents()).filter(({ kind, over }) => kind === 'fault' && !over)).toEqual([]);
  // Nobody sweeps here, and the reports of the runs are open work.
  const failing = (await examineWork(ctx)).filter(({ ok, check }) => !ok && check !== 'sweep');
  expect(failing).toEqual([]);
});

/** A login whose uploads cannot be settled until something is mended. */
async function unsettled() {
  const world = await laneWorld();
  const { ctx, offer, clock } = world;
  const { archive } = ctx;
  const run = await offer('north', ['1']);
  let result = await advanceLane('main', ctx, NEVER);
  const next = async () => {
    if (result !== 'at-rest') clock.time = Math.max(clock.time, Math.ceil(result.waitUntil));
    await world.world.finish();
    result = await advanceLane('main', ctx, NEVER);
    return result;
  };
  ctx.archive = { ...archive, adopt: () => Promise.reject(new TypeError('a fault that was planted')) };
  const failsNext = async () => {
    for (;;) {
      const was = await next();
      if (was === 'at-rest' || 'fault' in was) return was;
    }
  };
  return { ...world, run, failsNext, mend: () => (ctx.archive = archive) };
}

test('a fault is counted and noted, becomes an incident the third time, and ends when the lane works again', async () => {
  const { ctx, run, clock, failsNext, mend, toRest, incidents } = await unsettled();
  const faults = async () => (await incidents()).filter(({ kind }) => kind === 'fault');
  const pauses: number[] = [];
  for (let times = 1; times <= 3; times++) {
    expect(await faults()).toEqual([]);
    const failed = await failsNext();
    expect(failed).toMatchObject({ fault: new TypeError('a fault that was planted') });
    pauses.push(failed === 'at-rest' ? 0 : failed.waitUntil - clock.time);
    expect(await examineWork(ctx)).toContainEqual({
      check: 'work on main',
      ok: times < 3,
      detail: expect.stringContaining(`failed ${times} time`),
    });
  }
  const { sweep } = ctx.config.worker;
  expect(pauses).toEqual([sweep, 2 * sweep, 4 * sweep]);
  expect(await faults()).toMatchObject([{ over: false, text: expect.stringContaining('failed 3 times since') }]);
  const said = (await eventsOf(ctx.ledger.db, run)).filter(({ message }) => message.includes('was planted'));
  expect(said).toHaveLength(2);

  mend();
  await toRest();
  expectLive(await getRun(ctx.ledger.db, run));
  expect(await faults()).toMatchObject([{ over: true }]);
  expect((await examineWork(ctx)).filter(({ check }) => check === 'work on main')).toEqual([]);
});

test('a lane that failed is left alone until its pause is over, or until something new comes', async () => {
  const { ctx, failsNext, offer, mend, clock } = await unsettled();
  const failed = await failsNext();
  const until = failed === 'at-rest' ? 0 : failed.waitUntil;
  mend();
  expect(await advanceLane('main', ctx, NEVER)).toEqual({ waitUntil: until });
  await offer('north', ['2']);
  expect(clock.time).toBeLessThan(until);
  expect(await advanceLane('main', ctx, NEVER)).not.toEqual({ waitUntil: until });
});

test('runs whose upload cannot be settled are answered at the deadline, and amended when it can', async () => {
  const { ctx, run, clock, failsNext, mend, toRest } = await unsettled();
  clock.time += ctx.config.service.poll.deadline;
  await failsNext();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining(
      'was still unknown at the deadline (service.poll.deadline): a fault that was planted',
    ),
  });
  mend();
  await toRest();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'live', amended: 'failed' });
});
