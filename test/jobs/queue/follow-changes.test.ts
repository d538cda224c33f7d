import { expect, test } from 'vitest';
import { followChanges, nextChanges, runReleased } from '../../../src/jobs/queue/follow-changes.ts';
import { sweep } from '../../../src/jobs/queue/sweep.ts';
import { endFreezes, freezeFeed } from '../../../src/ledger/runs/freezes.ts';
import { addPause, endPause } from '../../../src/ledger/runs/pauses.ts';
import { getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { changesWorld } from '../changes-world.ts';
import { queuesFor } from './queues-world.ts';

/** A feed whose full list is live, with so many changes at the place; the run that took the first of them. */
async function weekend(count: number) {
  const world = await changesWorld();
  world.publish('full_a.csv', 1);
  await world.accept((await world.take()).id);
  for (let number = 1; number <= count; number++) world.publish(`delta_${number}.csv`, number + 1);
  const first = await world.take();
  return { ...world, first };
}

test('the run for the next changes begins once the rows before are there, and only once', async () => {
  const { ctx, db, first, wait, pull } = await weekend(3);
  expect(await followChanges('north', ctx)).toBeNull();
  await wait(first.id);
  const [one, other] = await Promise.all([followChanges('north', ctx), followChanges('north', ctx)]);
  const next = one ?? other!;
  expect([one, other].filter((run) => run !== null)).toEqual([next]);
  expect(await getRun(db, next)).toMatchObject({ cause: 'schedule', stage: 'pull', options: { follows: first.id } });
  expect(await nextChanges(first.id, ctx)).toBe(next);
  expect(await followChanges('north', ctx)).toBeNull();
  expect(await pull(next)).toMatchObject({ delivery_name: 'delta_2.csv', options: { waitingChanges: 1 } });
});

test('thirty changes are taken in one go, each by a run of its own', async () => {
  const { ctx, first, wait, pull } = await weekend(30);
  const taken = [first.delivery_name];
  await wait(first.id);
  for (;;) {
    const next = await followChanges('north', ctx);
    if (next === null) break;
    const { delivery_name } = await pull(next);
    taken.push(delivery_name);
    await wait(next);
  }
  expect(taken).toEqual(Array.from({ length: 30 }, (_, at) => `delta_${at + 1}.csv`));
});

test('nothing is begun after a held or rejected file, and while the feed is paused', async () => {
  const { ctx, db, first, hold, reject, wait } = await weekend(3);
  await hold(first.id);
  expect(await followChanges('north', ctx)).toBeNull();
  await reject(first.id);
  expect(await followChanges('north', ctx)).toBeNull();
  await wait(first.id);
  await addPause(db, { kind: 'feed', name: 'north', at: 1, who: 'ann', reason: 'inventory' });
  expect(await followChanges('north', ctx)).toBeNull();
  await endPause(db, { kind: 'feed', name: 'north' });
  expect(await followChanges('north', ctx)).not.toBeNull();
});

test('nobody is overtaken who waits for the outcome', async () => {
  const { ctx, db, first, wait, accept } = await weekend(2);
  await wait(first.id);
  await updateRun(db, first.id, { options: { ...first.options, wait: true } });
  expect(await followChanges('north', ctx)).toBeNull();
  await accept(first.id);
  expect(await followChanges('north', ctx)).not.toBeNull();
});

test('whoever waits for a run waits for no other files to come after those that follow it', async () => {
  const { ctx, db, first, accept, wait, pull } = await weekend(3);
  await updateRun(db, first.id, { options: { ...first.options, wait: true } });
  await accept(first.id);
  const second = await followChanges('north', ctx);
  expect(await pull(second!)).toMatchObject({ options: { follows: first.id, inTurn: true } });
  await wait(second!);
  // Its rows go on into the next run, unlike those of a run that is waited for itself.
  const third = await followChanges('north', ctx);
  expect(await getRun(db, third!)).toMatchObject({ options: { follows: second, inTurn: true } });
});

test('changes that were held because others were missing are read again once these are there', async () => {
  const { ctx, db, first, publish, take, accept, hold } = await weekend(1);
  await accept(first.id);
  publish('delta_3.csv', 9);
  const held = await take('manual');
  const reading = { charset: 'windows-1251', delimiter: ';' };
  await updateRun(db, held.id, { options: { ...held.options, reading } });
  await hold(held.id, 'order');
  expect(await followChanges('north', ctx)).toBeNull();
  publish('delta_2.csv', 10);
  await accept((await take()).id);
  const again = await followChanges('north', ctx);
  expect(await getRun(db, again!)).toMatchObject({ cause: 'rerun', options: { of: held.id, from: 'validate', reading } });
  expect(await getRun(db, held.id)).toMatchObject({ outcome: 'nothing', options: { cause: 'superseded' } });
  expect(await followChanges('north', ctx)).toBeNull();
});

test('what was held because the feed was frozen is read again once it is not, a full list before changes', async () => {
  const { ctx, db, first, publish, take, accept, hold } = await weekend(1);
  await accept(first.id);
  const freeze = { feed: 'north', login: 'main', at: ctx.clock.now(), who: 'ann', reason: 'wrong prices' };
  await freezeFeed(db, freeze);
  publish('delta_2.csv', 10);
  const changes = await take();
  await hold(changes.id, 'frozen');
  expect(await followChanges('north', ctx)).toBeNull();
  publish('full_b.csv', 11);
  const full = await take();
  await hold(full.id, 'frozen');
  expect(await followChanges('north', ctx)).toBeNull();
  await endFreezes(db, { kind: 'feed', name: 'north' }, { text: 'released', now: ctx.clock.now() });
  const again = await followChanges('north', ctx);
  expect(await getRun(db, again!)).toMatchObject({ options: { of: full.id, from: 'validate' } });
  expect(await getRun(db, changes.id)).toMatchObject({ outcome: 'held' });
});

test('changes that were held because the feed was frozen are read again in their order', async () => {
  const { ctx, db, first, publish, take, pull, accept, hold } = await weekend(1);
  await accept(first.id);
  publish('delta_2.csv', 10);
  publish('delta_3.csv', 11);
  const held = await take();
  await hold(held.id, 'frozen');
  const [again] = await runReleased(['north', 'gone'], { who: 'ann', via: 'cli', origin: null }, ctx);
  expect(await getRun(db, again!)).toMatchObject({ options: { of: held.id, wait: true } });
  // Whoever waits for it waits for those after it.
  await pull(again!);
  await accept(again!);
  const next = await followChanges('north', ctx);
  expect(await getRun(db, next!)).toMatchObject({ options: { follows: again, inTurn: true } });
});

test('a wiped queue forgets no changes that wait', async () => {
  const { ctx, first, wait } = await weekend(2);
  const { redis, queues } = await queuesFor(ctx);
  await wait(first.id);
  await redis.use((client) => client.flushall());
  const { due } = await sweep(queues, ctx, { schedules: true, checks: false });
  expect(due).toHaveLength(1);
  expect(await queues.pulls.getDeduplicationJobId(`run-${due[0]}`)).not.toBeNull();
});
