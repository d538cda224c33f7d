import { cpSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { retryDenied } from '../../../src/ledger/uploads/denials.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { eventsOf, getRun } from '../../../src/ledger/runs/runs.ts';
import { watchOf } from '../../../src/ledger/uploads/watches.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const foreign = (oem: string) => `brand\toem\nATE\t${oem}\n`;

test('a foreign upload raises one incident, however often it is seen, which ends when ours is live again', async () => {
  const { world, deliver, watch, live, incidents } = await laneWorld();
  expectLive(await deliver('1'));
  const { id } = await world.uploaded(foreign('7'));
  await watch();
  await watch();
  expect(await incidents()).toMatchObject([
    { kind: 'foreign-upload', times: 2, over: false, text: expect.stringContaining(`else's upload ${id}`) as string },
  ]);
  expect(await live()).toEqual(['7']);
  expectLive(await deliver('1', '2'));
  await watch();
  expect(await incidents()).toMatchObject([{ kind: 'foreign-upload', over: true }]);
});

test('before an upload, too: what took the place of ours is told before it is overwritten', async () => {
  const { world, deliver, incidents } = await laneWorld();
  expectLive(await deliver('1'));
  await world.uploaded(foreign('7'));
  expectLive(await deliver('1', '2'));
  expect(await incidents()).toMatchObject([
    { text: expect.stringContaining('the next upload, already due') as string },
  ]);
});

test('after a foreign upload, a delivery of what was live before is uploaded again: it is not unchanged', async () => {
  const { world, deliver, live } = await laneWorld();
  expectLive(await deliver('1'));
  await world.uploaded(foreign('7'));
  expectLive(await deliver('1'));
  expect(await live()).toEqual(['1']);
  expect(await deliver('1')).toMatchObject({ outcome: 'unchanged' });
});

test('nothing is looked at before the time has come, and a login without any upload is left alone', async () => {
  const { world, ctx, clock, deliver, toRest } = await laneWorld();
  await toRest();
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ looked_at: null, next_at: clock.time + 300_000 });
  expectLive(await deliver('1'));
  const { looked_at } = await watchOf(ctx.ledger.db, 'main');
  await world.uploaded(foreign('7'));
  await toRest();
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ looked_at });
});

test('onForeign: restore sends the current dataset again, once for each that took its place and no more than twice', async () => {
  const { world, deliver, watch, live, uploads, incidents } = await laneWorld({ onForeign: 'restore' });
  expectLive(await deliver('1'));
  for (const oem of ['7', '8']) {
    await world.uploaded(foreign(oem));
    await watch();
    expect(await live()).toEqual(['1']);
  }
  await world.uploaded(foreign('9'));
  await watch();
  await watch();
  expect(await live()).toEqual(['9']);
  expect((await uploads()).map(({ file }) => file?.startsWith('offerline-main-'))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
  expect(await incidents()).toMatchObject([
    { over: true },
    { over: true },
    { over: false, text: expect.stringContaining('done 2 times within 24 hours') as string },
  ]);
});

test('a restore that fails is not tried again for the same upload', async () => {
  const { world, control, deliver, watch, uploads, incidents } = await laneWorld({ onForeign: 'restore' });
  expectLive(await deliver('1'));
  await world.uploaded(foreign('7'));
  await control.faults({ fault: 'fail', error: 'disk full', file: 'offerline-*', times: 'forever' });
  await watch();
  await watch();
  await watch();
  expect(await uploads()).toHaveLength(3);
  expect((await incidents()).at(-1)).toMatchObject({
    over: false,
    text: expect.stringContaining('sent again once') as string,
  });
});

test('a paused login is not restored, and a foreign upload of the same rows changes nothing', async () => {
  const { world, ctx, deliver, watch, uploads, incidents } = await laneWorld({ onForeign: 'restore' });
  expectLive(await deliver('1'));
  await addPause(ctx.ledger.db, { kind: 'login', name: 'main', at: 0, who: 'ops', reason: 'x' });
  await world.uploaded(foreign('7'));
  await watch();
  expect((await incidents()).at(-1)?.text).toContain('is paused');
  await world.uploaded('brand\toem\tname\ttags\nBOSCH\t1\t\t\n');
  await watch();
  expect((await incidents()).find(({ over }) => !over)?.text).toContain('with the same rows; nothing has to be sent');
  expect(await uploads()).toHaveLength(3);
});

test('a second installation on the same login is told as one', async () => {
  const { control, world, deliver, watch, incidents } = await laneWorld();
  await control.faults({ fault: 'second-installation' });
  expectLive(await deliver('1'));
  await world.finish();
  await watch();
  expect(await incidents()).toMatchObject([
    { kind: 'foreign-upload', text: expect.stringContaining('another installation of offerline') as string },
  ]);
});

test.each(['older', 'none'] as const)(
  'a service that was restored from a backup (%s of ours is live) is noticed',
  async (left) => {
    const { world, restart, deliver, watch, live, incidents } = await laneWorld({ onForeign: 'restore' });
    const backup = tempFolder();
    if (left === 'older') expectLive(await deliver('1'));
    await world.settled();
    cpSync(world.dataDir, backup, { recursive: true });
    expectLive(await deliver('1', '2'));
    await restart(() => {
      rmSync(world.dataDir, { recursive: true });
      cpSync(backup, world.dataDir, { recursive: true });
    });
    await watch();
    expect((await incidents())[0]?.text).toContain('may have been restored from a backup');
    expect(await live()).toEqual(['1', '2']);
  },
);

test('a service that does not answer is noted and asked again later, without an incident', async () => {
  const { ctx, clock, control, deliver, watch, incidents } = await laneWorld();
  expectLive(await deliver('1'));
  await control.faults({ fault: 'refuse', operation: 'list', status: 503, retryAfter: '2h', times: 3 });
  await watch();
  const noted = await watchOf(ctx.ledger.db, 'main');
  expect(noted).toMatchObject({ waits: 1, note: expect.stringContaining('503') as string, silent_since: clock.time });
  expect(noted.next_at).toBe(clock.time + 3_600_000);
  await watch();
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ waits: 2, silent_since: noted.silent_since });
  await control.clear();
  await watch();
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ waits: 0, note: null, silent_since: null });
  expect(await incidents()).toEqual([]);
});

test.each([
  ['its name', []],
  ['its rows, where the service shows no names', [{ fault: 'source-file', times: 'forever' }] as const],
])(
  'an attempt that was given up and arrives late, known by %s, is recorded, and the current dataset sent again',
  async (_by, more) => {
    const { ctx, control, deliver, watch, live, incidents } = await laneWorld();
    await control.faults({ fault: 'late-accept', after: '10h' }, ...more);
    expectLive(await deliver('1'));
    expectLive(await deliver('1', '2'));
    await control.advance('10h');
    await control.advance('1m');
    expect(await live()).toEqual(['1']);
    await watch();
    await watch();
    expect(await live()).toEqual(['1', '2']);
    expect(await incidents()).toMatchObject([
      { kind: 'late-arrival', times: 1, over: true, text: expect.stringContaining('sent again') as string },
    ]);
    const late = await ctx.ledger.db.selectFrom('uploads').selectAll().where('note', 'is not', null).execute();
    expect(late).toMatchObject([{ attempt: 1, state: 'success', adopted: 1 }]);
  },
);

test('a late arrival of the current dataset is recorded, and nothing is sent', async () => {
  const { control, deliver, watch, uploads, incidents } = await laneWorld();
  await control.faults({ fault: 'late-accept', after: '10h' });
  expectLive(await deliver('1'));
  await control.advance('10h');
  await control.advance('1m');
  await watch();
  await watch();
  expect(await uploads()).toHaveLength(2);
  expect(await incidents()).toMatchObject([{ kind: 'late-arrival', over: true }]);
});

test('a late arrival of a dataset that was given up for good amends the outcome of its runs', async () => {
  const { ctx, control, deliver, watch, live, incidents } = await laneWorld();
  expectLive(await deliver('1'));
  await control.faults(
    { fault: 'late-accept', after: '10h' },
    { fault: 'refuse', nth: 2, status: 413, message: 'too large' },
  );
  const run = await deliver('1', '2');
  expect(run).toMatchObject({ outcome: 'failed' });
  await control.advance('10h');
  await control.advance('1m');
  await watch();
  await watch();
  expect(await live()).toEqual(['1', '2']);
  const amended = await ctx.ledger.db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirst();
  expect(amended).toMatchObject({ outcome: 'live', amended: 'failed' });
  expect(await incidents()).toMatchObject([{ kind: 'late-arrival', over: true }]);
});

test('after a failed upload what is live is unverified until the dataset before it proves to be live', async () => {
  const { ctx, control, deliver, watch, uploads } = await laneWorld();
  expectLive(await deliver('1'));
  await control.faults(
    { fault: 'fail', error: 'disk full' },
    { fault: 'refuse', operation: 'get', nth: 4, times: 'forever' },
  );
  const run = await deliver('1', '2');
  expect(run).toMatchObject({ outcome: 'failed', reason: 'the service failed upload 9007199254740995: disk full' });
  const messages = (await eventsOf(ctx.ledger.db, run.id)).map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringContaining('disk full; what is live now is unverified'));
  await control.clear();
  await watch();
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ unverified: null });
  expect(await uploads()).toHaveLength(2);
});

test('when the dataset before a failed one does not prove to be live, it is sent again', async () => {
  const { ctx, control, deliver, live, uploads, incidents } = await laneWorld();
  expectLive(await deliver('1', '2'));
  await control.faults({ fault: 'abort' }, { fault: 'lose-rows' });
  expect(await deliver('1', '2', '3')).toMatchObject({ outcome: 'failed' });
  expect((await uploads()).map(({ file }) => file)).toHaveLength(3);
  expect(await live()).toEqual(['1', '2']);
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ unverified: null });
  expect(await incidents()).toMatchObject([{ kind: 'receipt', over: true }]);
});

test('an upload that the service does not move is one incident, over when it moves', async () => {
  const poll = { initial: '5ms', max: '20ms', settle: '40ms', stall: '60ms' };
  const { control, deliver, incidents } = await laneWorld({}, { poll });
  await control.faults({ fault: 'stuck', for: '20s' });
  expectLive(await deliver('1'));
  expect(await incidents()).toMatchObject([
    { kind: 'stuck-upload', over: true, text: expect.stringContaining('has made no progress since') as string },
  ]);
});

test('refused credentials raise one incident, and the service is asked nothing until someone tries them again', async () => {
  const { ctx, control, deliver, watch, incidents } = await laneWorld();
  expectLive(await deliver('1'));
  await control.faults({ fault: 'refuse', operation: 'any', status: 401, times: 'forever' });
  await watch();
  const [fault] = await control.shown();
  expect(fault?.acted).toBe(1);
  const run = await deliver('1', '2');
  expect(run).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('offerline doctor') as string });
  expect(await control.shown()).toMatchObject([{ acted: 1 }]);
  await retryDenied(ctx.ledger.db, 'main');
  await watch();
  expect(await control.shown()).toMatchObject([{ acted: 2 }]);
  await control.clear();
  await retryDenied(ctx.ledger.db, 'main');
  await watch();
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({ outcome: 'live', amended: 'failed' });
  expect(await incidents()).toMatchObject([{ kind: 'credentials', over: true, times: 2 }]);
});

test('a foreign upload makes it uncertain what is live, even after the clock was set back', async () => {
  const { ctx, clock, deliver, watch, world } = await laneWorld();
  expectLive(await deliver('1'));
  clock.time -= 3_600_000;
  await world.uploaded(foreign('7'));
  await watch();
  expect(await liveNowOf('north', 'main', ctx.ledger.db)).toMatchObject({ live: null, proved: { live: 1 } });
});
