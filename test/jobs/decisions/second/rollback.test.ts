import { expect, test } from 'vitest';
import { agree, decline, rollBackOrAsk } from '../../../../src/jobs/decisions/second/decide.ts';
import { settleRequests } from '../../../../src/jobs/decisions/second/settle.ts';
import { freezeOf } from '../../../../src/ledger/runs/freezes.ts';
import { openIntent } from '../../../../src/ledger/uploads/intents.ts';
import { by, secondWorld } from './second-world.ts';

async function asked(world: Awaited<ReturnType<typeof secondWorld>>) {
  const older = await world.live('1001');
  await world.live('1002');
  const done = await rollBackOrAsk('main', undefined, by('anna'), world.ctx);
  expect(done.asked).toMatchObject({ action: 'rollback', login: 'main', feed: null, run: null, upload: older });
  return { older, request: done.asked!.id };
}

test('the first who rolls back asks, and a second person who does the same carries it out', async () => {
  const world = await secondWorld();
  const { ctx, db, audit, incidents } = world;
  const { older } = await asked(world);
  expect(await openIntent(db, 'main')).toBeUndefined();
  expect(await incidents()).toEqual([['rollback-asked', null]]);
  await expect(rollBackOrAsk('main', older, by('anna'), ctx)).rejects.toMatchObject({ code: 'conflict' });
  const done = await rollBackOrAsk('main', undefined, by('bernd', 'prices were wrong'), ctx);
  expect(done).toMatchObject({ asked: null, intent: { cause: 'rollback' }, target: { upload: { id: older } } });
  expect(await freezeOf(db, 'north')).toMatchObject({ who: 'bernd' });
  expect(await audit()).toEqual([
    ['anna', 'ask-rollback', 'season end'],
    ['bernd', 'rollback', 'prices were wrong (asked for by anna: season end)'],
  ]);
  expect(await incidents()).toContainEqual(['rollback-asked', 'agreed by bernd: prices were wrong']);
});

test('of many who agree at once one carries it out', async () => {
  const world = await secondWorld();
  const { request } = await asked(world);
  const tried = await Promise.allSettled([1, 2, 3, 4].map((n) => agree(request, by(`person ${n}`), world.ctx)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await world.audit()).filter(([, action]) => action === 'rollback')).toHaveLength(1);
});

test('another target is not what was asked for', async () => {
  const world = await secondWorld();
  await world.live('1000');
  const { request } = await asked(world);
  await expect(rollBackOrAsk('main', '1000', by('bernd'), world.ctx)).rejects.toThrow(
    `Request ${request} of anna waits for a second person already`,
  );
});

test('it ends when something else is live, and when its target is gone', async () => {
  const world = await secondWorld();
  const { ctx, db, incidents, live } = world;
  await asked(world);
  await live('1003');
  await settleRequests(ctx);
  expect(await incidents()).toEqual([['rollback-asked', 'something else of main is live by now']]);
  const again = await rollBackOrAsk('main', undefined, by('anna'), ctx);
  await db.updateTable('datasets').set({ pruned_at: 1 }).execute();
  await settleRequests(ctx);
  expect((await incidents()).at(-1)).toEqual([
    'rollback-asked',
    `upload ${again.asked?.upload} cannot be gone back to any more`,
  ]);
});

test('it is declined, and what is live stays live', async () => {
  const world = await secondWorld();
  const { request } = await asked(world);
  expect(await decline(request, by('bernd', 'they are right'), world.ctx)).toMatchObject({ ended_how: 'declined' });
  expect(await openIntent(world.db, 'main')).toBeUndefined();
});

test('where one person is enough, it is done at once; a login goes before the installation', async () => {
  const world = await secondWorld({ rollback: { second: false } });
  await world.live('1001');
  await world.live('1002');
  expect(await rollBackOrAsk('main', undefined, by('anna'), world.ctx)).toMatchObject({
    asked: null,
    intent: { cause: 'rollback' },
  });
});
