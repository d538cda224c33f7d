import { expect, test } from 'vitest';
import { readAgain } from '../../../src/jobs/decisions/read-again.ts';
import { rejectRun } from '../../../src/jobs/decisions/review.ts';
import { baseOf } from '../../../src/jobs/feeds/base.ts';
import { fullListOf } from '../../../src/jobs/read/changes/full-list.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { decideRun, getRun, listRuns, updateRun } from '../../../src/ledger/runs/runs.ts';
import { changesWorld } from '../changes-world.ts';

const BY = { who: 'ann', reason: 'wrong', via: 'cli', origin: null } as const;

/** A list that is live, and two changes, of which the second waits with the rows of the first. */
async function twoWaiting() {
  const world = await changesWorld();
  const { publish, take, accept, wait, db, ctx } = world;
  publish('full_a.csv', 1);
  const full = await take();
  await accept(full.id);
  publish('delta_1.csv', 2);
  const first = await take();
  await wait(first.id);
  publish('delta_2.csv', 3);
  const second = await take();
  await wait(second.id);
  const reason = { code: 'superseded', feed: 'north', run: second.id } as const;
  await decideRun(db, first.id, { outcome: 'nothing', cause: 'superseded', reason, now: ctx.clock.now() });
  const head = async () => (await feedState(db, 'north', 'main')).head;
  return { ...world, full, first, second, head };
}

test('changes are put upon the newest rows, and what is read again upon what it was put upon before', async () => {
  const { db, first, second, full } = await twoWaiting();
  const next = { id: 'new', feed: 'north', login: 'main', options: {} };
  expect((await baseOf(db, next))?.id).toBe(second.id);
  expect((await baseOf(db, { ...next, options: { of: second.id } }))?.id).toBe(first.id);
  expect((await baseOf(db, await getRun(db, second.id)))?.id).toBe(first.id);
  expect((await fullListOf(db, await getRun(db, second.id))).id).toBe(full.id);
});

test('a run that is read anew is no base meanwhile', async () => {
  const { db, first, second, head } = await twoWaiting();
  await readAgain(db, await getRun(db, second.id), {});
  expect(await head()).toBe(first.id);
  expect((await baseOf(db, await getRun(db, second.id)))?.id).toBe(first.id);
});

test('rows that rejected changes had taken up are uploaded without them', async () => {
  const { ctx, db, first, second, head } = await twoWaiting();
  await rejectRun(second.id, BY, ctx);
  expect(await head()).toBe(first.id);
  const [newest] = await listRuns(db, { feed: 'north', limit: 1 });
  expect(newest).toMatchObject({
    cause: 'rerun',
    options: { of: first.id, from: 'upload', force: true },
    outcome: null,
  });
});

test('nothing is uploaded again where what was rejected stood upon live rows', async () => {
  const { ctx, db, publish, take, accept, wait } = await changesWorld();
  publish('full_a.csv', 1);
  const full = await take();
  await accept(full.id);
  publish('delta_1.csv', 2);
  const only = await take();
  await wait(only.id);
  await rejectRun(only.id, BY, ctx);
  expect((await feedState(db, 'north', 'main')).head).toBe(full.id);
  expect((await listRuns(db, { feed: 'north', limit: 9 })).map(({ id }) => id).toSorted()).toEqual(
    [full.id, only.id].toSorted(),
  );
});

test('a list is known as far as the ledger goes', async () => {
  const { db, second } = await twoWaiting();
  await updateRun(db, second.id, { base: '20260101-000000-gone1' });
  await updateFeed(db, 'north', { head: second.id });
  expect((await fullListOf(db, await getRun(db, second.id))).id).toBe(second.id);
});
