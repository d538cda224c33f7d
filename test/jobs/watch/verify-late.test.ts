import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { feedState, listFeeds } from '../../../src/ledger/runs/feeds.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { halfApplied } from './half-applied.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const HOUR = 3_600_000;

/** The dataset `1001` is live; `1001, 1002` was accepted, and the index does not show it for an hour. */
async function laggingLane() {
  const lane = await laneWorld();
  expectLive(await lane.deliver('1001'));
  await lane.control.faults({ fault: 'index-lag', for: '1h' });
  const run = await lane.deliver('1001', '1002');
  expect(run).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('cannot be found by a search') });
  return { ...lane, run: run.id };
}

test('an upload whose index lagged is proved by a later look: its runs are amended, and nothing is sent again', async () => {
  const { ctx, run, deliver, watch, control, uploads, incidents } = await laggingLane();
  const before = await feedState(ctx.ledger.db, 'north', 'main');
  await watch();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'failed' });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toEqual(before);

  await control.advance('1h');
  await watch();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'live', reason: null, amended: 'failed' });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ contribution: run });
  expect(await incidents()).toMatchObject([{ kind: 'receipt', times: 1, over: true }]);
  expect(await deliver('1001', '1002')).toMatchObject({ outcome: 'unchanged' });
  expect(await uploads()).toHaveLength(2);
});

test('before the same dataset is sent again, too: what is proved by then is unchanged', async () => {
  const { ctx, run, deliver, control, uploads } = await laggingLane();
  await control.advance('1h');
  expect(await deliver('1001', '1002')).toMatchObject({ outcome: 'unchanged' });
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'live' });
  expect(await uploads()).toHaveLength(2);
});

test('what is still not proved is sent again with the next delivery, and not before', async () => {
  const { ctx, run, deliver, watch, uploads, incidents } = await laggingLane();
  await watch();
  expect(await uploads()).toHaveLength(2);
  expectLive(await deliver('1001', '1002'));
  expect(await uploads()).toHaveLength(3);
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'failed' });
  expect(await incidents()).toMatchObject([{ kind: 'receipt', over: true }]);
});

test('an index that lags for a day is asked again before the next upload only', async () => {
  const { ctx, clock, run, deliver, watch, control } = await laggingLane();
  await control.advance('1h');
  clock.time += 25 * HOUR;
  await watch();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'failed' });
  expect(await deliver('1001', '1002')).toMatchObject({ outcome: 'unchanged' });
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'live' });
});

test('an upload that no check could be made of is not proved either, until one can be made', async () => {
  const { ctx, deliver, watch, control, incidents } = await laneWorld();
  expectLive(await deliver('1001'));
  const before = await feedState(ctx.ledger.db, 'north', 'main');
  // The first question is the poll that finds it finished.
  await control.faults({ fault: 'refuse', operation: 'get', nth: 2, status: 403 });
  const run = await deliver('1001', '1002');
  expect(run).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('it could not be checked') });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ contribution: before.contribution });
  expect(await incidents()).toMatchObject([{ kind: 'receipt', over: false }]);
  await watch();
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({ outcome: 'live' });
  expect(await incidents()).toMatchObject([{ kind: 'receipt', over: true }]);
});

test('what the service keeps otherwise than it was sent is not looked at again: it is sent again', async () => {
  const { ctx, deliver, watch, control, uploads } = await laneWorld();
  expectLive(await deliver('1001'));
  await control.faults({ fault: 'lose-rows' });
  const run = await deliver('1001', '1002');
  await watch();
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({ outcome: 'failed' });
  expectLive(await deliver('1001', '1002'));
  expect(await uploads()).toHaveLength(3);
});

test('when an upload fails after one that was not proved, the last one that was proved is sent again', async () => {
  const { deliver, watch, live, control, incidents } = await laggingLane();
  await control.faults({ fault: 'fail' });
  expect(await deliver('1001', '1003')).toMatchObject({ outcome: 'failed' });
  await watch();
  expect(await live()).toEqual(['1001']);
  expect((await incidents()).map(({ text }) => text).join('\n')).toMatch(
    /upload \d+, the last one verified, is sent again/,
  );
});

test('when an upload fails after one that was not proved, that one counts if it is proved then', async () => {
  const { ctx, deliver, watch, live, control, incidents, uploads } = await laneWorld();
  expectLive(await deliver('1001'));
  await control.faults({ fault: 'lose-rows' });
  const run = await deliver('1001', '1002');
  expect(run).toMatchObject({ outcome: 'failed' });
  await control.faults({ fault: 'fail' });
  expect(await deliver('1001', '1003')).toMatchObject({ outcome: 'failed' });
  await watch();
  expect(await live()).toEqual(['1001', '1002']);
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({ outcome: 'live' });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ contribution: run.id });
  expect((await incidents()).filter(({ over }) => !over)).toEqual([]);
  expect(await uploads()).toHaveLength(3);
});

test('guards compare with the last dataset that was proved, not with one that was accepted only', async () => {
  const { deliver, control } = await laneWorld({ guard: { maxRowDrop: '50%' } });
  expectLive(await deliver('1001', '1002'));
  await control.faults({ fault: 'lose-rows' });
  expect(await deliver('1001', '1002', '1003', '1004', '1005', '1006')).toMatchObject({ outcome: 'failed' });
  expectLive(await deliver('1001', '1002'));
});

test('an upload whose rows are not in the archive any more is not looked at, and holds nothing up', async () => {
  const { ctx, run, deliver, watch, control } = await laggingLane();
  const [newest] = await ctx.ledger.db.selectFrom('datasets').selectAll().orderBy('created_at', 'desc').execute();
  const { rows_sha } = await getRun(ctx.ledger.db, run);
  for (const sha256 of [newest?.index_sha, rows_sha]) await rm(ctx.archive.file(sha256 ?? '').unverifiedPath);
  await control.advance('1h');
  await watch();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'failed' });
  expectLive(await deliver('1001', '1003'));
});

test('what time would prove is not proved late when rows of a newer upload that failed are found beside it', async () => {
  const front = await halfApplied(['1003'], '1001');
  const { ctx, world, deliver, live, control, incidents } = await laneWorld({}, { baseUrl: front.url });
  front.to(world.url());
  expectLive(await deliver('1001'));
  const proved = await feedState(ctx.ledger.db, 'north', 'main');
  await control.faults({ fault: 'lose-rows' });
  const run = await deliver('1001', '1002');
  expect(run).toMatchObject({ outcome: 'failed' });
  await control.faults({ fault: 'fail' });
  const newest = await deliver('1001', '1003');
  expect(newest).toMatchObject({ outcome: 'failed' });
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({ outcome: 'failed' });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toEqual({ ...proved, head: newest.id });
  expect(await live()).toEqual(['1001']);
  const texts = (await incidents()).map(({ text }) => text).join('\n');
  expect(texts).toMatch(
    /1 row that should be gone can still be found by a search: BOSCH 1003.*the last one verified, is/,
  );
});

test('what arrives late is not proved late once something newer was proved: feeds keep what they contribute', async () => {
  const { ctx, deliver, watch, live, control, uploads } = await laneWorld();
  expectLive(await deliver('1001'));
  // The first attempt is given up, the second is taken by a service whose index lags.
  await control.faults({ fault: 'late-accept', after: '10h' }, { fault: 'index-lag', for: '1h', nth: 2 });
  const older = await deliver('1001', '1002');
  expect(older).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('cannot be found by a search') });
  await control.clear();
  const newer = await deliver('1001', '1003');
  expectLive(newer);
  await control.advance('10h');
  await control.advance('1m');
  expect(await live()).toEqual(['1001', '1002']);
  await addPause(ctx.ledger.db, { kind: 'login', name: 'main', at: 0, who: 'ops', reason: 'x' });
  await watch();
  await watch();
  expect(await uploads()).toHaveLength(4);
  expect(await getRun(ctx.ledger.db, older.id)).toMatchObject({ outcome: 'failed' });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ contribution: newer.id });
});

test('a feed that moved to another login meanwhile contributes nothing there: only the outcome of its run is amended', async () => {
  const { ctx, run, watch, control, incidents } = await laggingLane();
  Object.assign(ctx.config.feeds['north']!, { login: 'second' });
  await feedState(ctx.ledger.db, 'north', 'second');
  const moved = await listFeeds(ctx.ledger.db);
  expect(moved).toMatchObject([{ feed: 'north', login: 'second', contribution: null, live_sha: null }]);
  await control.advance('1h');
  await watch();
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({ outcome: 'live', amended: 'failed' });
  expect(await listFeeds(ctx.ledger.db)).toEqual(moved);
  expect(await incidents()).toMatchObject([{ kind: 'receipt', over: true }]);
});
