import { expect, test } from 'vitest';
import { bringsChanges, orderReason } from '../../../src/jobs/guards/change-order.ts';
import { getRun, listRuns, updateRun } from '../../../src/ledger/runs/runs.ts';
import { changesWorld } from '../changes-world.ts';

/** A feed with a full list and changes up to number 3, and what is said of a file that somebody names. */
async function upToThree() {
  const world = await changesWorld();
  const { db, publish, take, accept, create, ctx } = world;
  publish('full_a.csv', 1);
  await accept((await take()).id);
  let last = '';
  for (const number of [1, 2, 3]) {
    publish(`delta_${number}.csv`, number + 1);
    last = (await take()).id;
    await accept(last);
  }
  const named = async (delivery_name: string, second: number, options = {}) => {
    const id = await create('manual', { file: `/home/ann/${delivery_name}`, ...options });
    const facts = { delivery_name, modified_at: (1_700_000_000 + second) * 1000, delivery_sha: 'f'.repeat(64) };
    await updateRun(db, id, { ...facts, taken_at: ctx.clock.now(), stage: 'read' });
    return { id, run: await getRun(db, id) };
  };
  return { ...world, named, last };
}

test('the next changes are in order, whatever their time, and so is a full list', async () => {
  const { ctx, named } = await upToThree();
  const { run } = await named('delta_4.csv', 0);
  expect(await orderReason(run, ctx)).toBeNull();
  expect(bringsChanges(run, ctx)).toBe(true);
  expect(await orderReason((await named('full_b.csv', 9)).run, ctx)).toBeNull();
});

test.each([
  ['delta_2.csv', 9, { why: 'older', other: 'delta_3.csv' }],
  ['delta_3.csv', 9, { why: 'repeated', other: 'delta_3.csv' }],
  ['delta_6.csv', 9, { why: 'gap', missing: ['delta_4.csv', 'delta_5.csv'] }],
  ['full_old.csv', 0, { why: 'older', other: 'delta_3.csv' }],
])('%s is held, unless it is forced', async (name, second, why) => {
  const { ctx, named } = await upToThree();
  const { run } = await named(name, second);
  expect(await orderReason(run, ctx)).toMatchObject({ code: 'change-order', feed: 'north', file: name, ...why });
  expect(await orderReason({ ...run, options: { ...run.options, force: true } }, ctx)).toBeNull();
});

test('changes after a file that is held are held as well', async () => {
  const { ctx, named, hold } = await upToThree();
  const { id } = await named('delta_4.csv', 8);
  await hold(id);
  expect(await orderReason((await named('delta_5.csv', 9)).run, ctx)).toMatchObject({ why: 'stopped', run: id });
});

test('a re-run of the last changes is in order, one of earlier changes is not', async () => {
  const { ctx, db, create, last } = await upToThree();
  const again = async (of: string) => {
    const { delivery_name, delivery_sha, modified_at } = await getRun(db, of);
    const id = await create('rerun', { of, from: 'validate', force: true });
    const taken_at = ctx.clock.now();
    await updateRun(db, id, { delivery_name, delivery_sha, modified_at, taken_at, stage: 'read' });
    return getRun(db, id);
  };
  expect(await orderReason(await again(last), ctx)).toBeNull();
  const earlier = (await listRuns(db, { feed: 'north' })).find((run) => run.delivery_name === 'delta_1.csv');
  expect(await orderReason(await again(earlier!.id), ctx)).toMatchObject({ why: 'older', other: 'delta_3.csv' });
});

test('changes are held while there is no list that they could be put upon', async () => {
  const { ctx, db, create } = await changesWorld();
  const id = await create('manual', { file: '/home/ann/delta_1.csv' });
  await updateRun(db, id, { delivery_name: 'delta_1.csv', delivery_sha: 'f'.repeat(64), taken_at: 1, stage: 'read' });
  expect(await orderReason(await getRun(db, id), ctx)).toMatchObject({ why: 'no-base' });
});

test('where nothing shows an order, changes go as they were taken, and none past one that is held', async () => {
  const { ctx, db, create, accept, hold } = await changesWorld({ feed: { delivery: 'changes' } });
  const taken = async (at: number) => {
    const id = await create('schedule');
    const facts = { delivery_name: 'list.csv', delivery_sha: `${at}`.repeat(64), modified_at: null, taken_at: at };
    await updateRun(db, id, { ...facts, stage: 'read' });
    return id;
  };
  const first = await taken(1);
  expect(await orderReason(await getRun(db, first), ctx)).toBeNull();
  await accept(first);
  const second = await taken(2);
  expect(await orderReason(await getRun(db, second), ctx)).toBeNull();
  await hold(second);
  const third = await getRun(db, await taken(3));
  expect(await orderReason(third, ctx)).toMatchObject({ why: 'stopped', other: 'list.csv', run: second });
});
