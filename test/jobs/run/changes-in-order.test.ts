import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pastOf } from '../../../src/jobs/feeds/place-of-feed.ts';
import { orderReason } from '../../../src/jobs/guards/change-order.ts';
import { settingsHashOf } from '../../../src/jobs/read/settings.ts';
import { waitsForRest } from '../../../src/jobs/run/incomplete.ts';
import { openIncident } from '../../../src/ledger/alerts/incidents.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { eventsOf, updateRun } from '../../../src/ledger/runs/runs.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { changeOrderText, type ChangeOrder } from '../../../src/wording/reasons/order-reasons.ts';
import { changesWorld } from '../changes-world.ts';

test('a run takes one file: the newest full list, then the changes after it one by one', async () => {
  const { publish, take, accept, wait } = await changesWorld();
  publish('delta_1.csv', 1);
  publish('full_a.csv', 2);
  publish('delta_2.csv', 3);
  publish('delta_3.csv', 4);
  const full = await take();
  expect(full).toMatchObject({ delivery_name: 'full_a.csv', stage: 'read', options: { waitingChanges: 2 } });
  await accept(full.id);
  const second = await take();
  expect(second).toMatchObject({ delivery_name: 'delta_2.csv', options: { waitingChanges: 1 } });
  // Its rows wait to be uploaded: those of the next changes are put upon them.
  await wait(second.id);
  const third = await take();
  expect(third).toMatchObject({ delivery_name: 'delta_3.csv', options: { waitingChanges: 0 } });
  await accept(third.id);
  expect(await take()).toMatchObject({ outcome: 'nothing', delivery_sha: null });
});

test('nothing is taken past a file that is being read, and its own run takes it once more', async () => {
  const { publish, take, accept, pull, db } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  publish('delta_2.csv', 3);
  const first = await take();
  expect(await take()).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining(`delta_2.csv waits until run ${first.id} has read delta_1.csv`) as string,
  });
  // Its archived file was damaged before it was read.
  await updateRun(db, first.id, { stage: 'pull', delivery_sha: null });
  expect(await pull(first.id)).toMatchObject({ stage: 'read', delivery_name: 'delta_1.csv' });
});

test('what failed is taken again where it still is', async () => {
  const { publish, take, accept, db } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  publish('delta_2.csv', 3);
  const failed = await take();
  await updateRun(db, failed.id, { stage: 'done', outcome: 'failed' });
  expect(await take()).toMatchObject({ delivery_name: 'delta_1.csv' });
});

test('changes after a rejected file wait, which is an incident until a full list comes', async () => {
  const { ctx, db, publish, take, accept, hold, reject, inbox } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  const first = await take();
  await hold(first.id);
  publish('delta_2.csv', 3);
  const what = { kind: 'stopped-changes', login: 'main', feed: 'north' } as const;
  expect(await take()).toMatchObject({ outcome: 'nothing', options: { waitingChanges: 1 } });
  expect(await openIncident(db, what)).toBeUndefined();
  await reject(first.id);
  rmSync(join(inbox, 'delta_1.csv'));
  expect(await take()).toMatchObject({
    outcome: 'nothing',
    reason: `delta_2.csv stays behind delta_1.csv, which was rejected (run ${first.id}): that file once more or a full list lets it go on, or --force`,
  });
  expect(await openIncident(db, what)).toMatchObject({
    text: `1 file of changes waits behind delta_1.csv, which was rejected (run ${first.id})`,
  });
  const { source } = ctx.config.feeds['north']!;
  expect((await lookAt(source, await pastOf('north', source, ctx)))?.files).toMatchObject([
    { name: 'delta_2.csv', decision: 'wait', why: expect.stringContaining('delta_1.csv') as string },
    { name: 'full_a.csv', decision: 'pass over', why: 'was taken before' },
  ]);
  publish('full_b.csv', 4);
  publish('delta_3.csv', 5);
  const full = await take();
  expect(full).toMatchObject({ delivery_name: 'full_b.csv' });
  expect(await openIncident(db, what)).toBeUndefined();
  await accept(full.id);
  expect(await take()).toMatchObject({ delivery_name: 'delta_3.csv' });
});

test('nothing is taken past changes that came again with other bytes until somebody has decided about these', async () => {
  const { ctx, publish, take, accept, hold, reject } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  const first = await take();
  await accept(first.id);
  publish('delta_1.csv', 3, 'brand;oem\nATE;other\n');
  const again = await take();
  expect(changeOrderText((await orderReason(again, ctx)) as ChangeOrder)).toBe(
    `delta_1.csv came once more with other bytes than those that run ${first.id} took already. If it is a correction, approve it`,
  );
  await hold(again.id, 'order');
  publish('delta_2.csv', 4);
  expect(await take()).toMatchObject({
    outcome: 'nothing',
    reason: `delta_2.csv waits for a decision about delta_1.csv, which comes before it (run ${again.id})`,
  });
  // What was wrong about it leaves the rows as they are.
  await reject(again.id);
  expect(await take()).toMatchObject({ delivery_name: 'delta_2.csv' });
});

test('a person goes on past a rejected file', async () => {
  const { publish, take, accept, reject } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  await reject((await take()).id);
  publish('delta_2.csv', 3);
  const forced = await take('manual', { force: true });
  expect(forced).toMatchObject({ delivery_name: 'delta_2.csv' });
  await accept(forced.id);
  publish('delta_3.csv', 4);
  expect(await take()).toMatchObject({ delivery_name: 'delta_3.csv' });
});

test('a scheduled run waits for the changes that are missing, and takes them first', async () => {
  const { ctx, db, publish, take, accept, pull } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  await accept((await take()).id);
  publish('delta_3.csv', 4);
  const waiting = await take();
  expect(waiting).toMatchObject({ waits: true, stage: 'pull', options: { waiting: { looks: 1 } } });
  expect(await waitsForRest('north', ctx)).toBe(true);
  publish('delta_2.csv', 3);
  expect(await pull(waiting.id)).toMatchObject({ waits: false, delivery_name: 'delta_2.csv' });
  expect((await eventsOf(db, waiting.id)).map(({ message }) => message)).toContain(
    'delta_3.csv waits for delta_2.csv, which comes before it',
  );
  await accept(waiting.id);
  expect(await take()).toMatchObject({ delivery_name: 'delta_3.csv' });
});

test('after change.within they are taken without, and so they are at once for a person', async () => {
  const { publish, take, accept } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  await accept((await take()).id);
  publish('delta_3.csv', 4);
  expect(await take('manual')).toMatchObject({ delivery_name: 'delta_3.csv', stage: 'read' });
  const other = await changesWorld({ feed: { change: { within: '1h' } } });
  other.publish('full_a.csv', 1);
  await other.accept((await other.take()).id);
  other.publish('delta_1.csv', 2);
  await other.accept((await other.take()).id);
  other.publish('delta_3.csv', 4);
  const run = await other.create('schedule');
  let looks = 0;
  while ((await other.pull(run)).waits) looks += 1;
  expect(looks).toBe(24);
  expect(await other.pull(run)).toMatchObject({ delivery_name: 'delta_3.csv', stage: 'read' });
});

test('the same bytes as the last changes are unchanged, also under another name, which is said', async () => {
  const { db, publish, take, accept, wait, ctx } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2, 'brand;oem\nATE;1\n');
  const first = await take();
  await wait(first.id);
  const settings_hash = await settingsHashOf('north', ctx);
  await updateRun(db, first.id, { settings_hash });
  publish('delta_2.csv', 3, 'brand;oem\nATE;1\n');
  const second = await take();
  expect(second).toMatchObject({
    outcome: 'unchanged',
    reason: `delta_2.csv has the same bytes as delta_1.csv, which run ${first.id} took before; its changes are among the rows already`,
  });
  await updateRun(db, second.id, { stage: 'done' });
  publish('delta_3.csv', 4, 'brand;oem\nATE;2\n');
  const third = await take();
  expect(third).toMatchObject({ delivery_name: 'delta_3.csv', stage: 'read' });
  await wait(third.id);
  // What was changed may be changed back.
  publish('delta_4.csv', 5, 'brand;oem\nATE;1\n');
  const fourth = await take();
  expect(fourth).toMatchObject({ delivery_name: 'delta_4.csv', stage: 'read' });
  expect((await eventsOf(db, fourth.id)).map(({ message }) => message)).toContain(
    `delta_4.csv has the same bytes as delta_2.csv, which run ${second.id} took`,
  );
});

test('a run says what it passes over, also when it takes a file', async () => {
  const { db, publish, take, accept } = await changesWorld();
  publish('full_b.csv', 5);
  await accept((await take()).id);
  publish('full_a.csv', 1);
  publish('delta_1.csv', 6);
  publish('other.csv', 7);
  const run = await take();
  expect(run).toMatchObject({ delivery_name: 'delta_1.csv' });
  expect((await eventsOf(db, run.id)).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^full_a\.csv is older than full_b\.csv, which was taken before; other\.csv fits neither /),
  );
});

test('each file of changes is deleted at the supplier’s once it was taken, and older ones stay', async () => {
  const { publish, take, accept, inbox } = await changesWorld({ source: { after: 'delete' } });
  publish('full_a.csv', 2);
  publish('delta_1.csv', 1);
  publish('delta_2.csv', 3);
  await accept((await take()).id);
  await accept((await take()).id);
  expect(['full_a.csv', 'delta_1.csv', 'delta_2.csv'].filter((name) => existsSync(join(inbox, name)))).toEqual([
    'delta_1.csv',
  ]);
});

test('a file whose upload failed is among the rows that the next changes are put upon', async () => {
  const { db, publish, take, accept, wait } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  publish('delta_2.csv', 3);
  const { id } = await take();
  await wait(id);
  await updateFeed(db, 'north', { candidate: null });
  await updateRun(db, id, { stage: 'done', outcome: 'failed' });
  expect(await take()).toMatchObject({ delivery_name: 'delta_2.csv' });
});

test('what was taken is known in a copy of the ledger, which has no files of places', async () => {
  const { db, publish, take, accept } = await changesWorld();
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_1.csv', 2);
  await accept((await take()).id);
  publish('delta_2.csv', 3);
  await db.deleteFrom('taken_files').execute();
  expect(await take()).toMatchObject({ delivery_name: 'delta_2.csv' });
});

test('a feed that moves to another login brings it all files from the full list on, and so it does when it moves back', async () => {
  const { ctx, publish, take, accept, move } = await changesWorld();
  publish('full_a.csv', 1);
  publish('delta_1.csv', 2);
  publish('delta_2.csv', 3);
  const all = async (count: number) => {
    const names: (string | null)[] = [];
    while (names.length < count) {
      const run = await take();
      expect(await orderReason(run, ctx)).toBeNull();
      names.push(run.delivery_name);
      await accept(run.id);
    }
    expect(await take()).toMatchObject({ delivery_sha: null });
    return names;
  };
  expect(await all(3)).toEqual(['full_a.csv', 'delta_1.csv', 'delta_2.csv']);
  move('two');
  publish('delta_3.csv', 4);
  expect(await all(4)).toEqual(['full_a.csv', 'delta_1.csv', 'delta_2.csv', 'delta_3.csv']);
  move('main');
  publish('delta_4.csv', 5);
  expect(await all(5)).toEqual(['full_a.csv', 'delta_1.csv', 'delta_2.csv', 'delta_3.csv', 'delta_4.csv']);
});

test('a date in the future does not keep back the changes that come after it, and it is said', async () => {
  const delivery = { full: { pattern: 'full_{yyyy-MM-dd}.csv' }, changes: { pattern: 'delta_{yyyy-MM-dd}.csv' } };
  const { publish, take, accept, db, ctx } = await changesWorld({ feed: { delivery } });
  const said = async (id: string) =>
    (await eventsOf(db, id)).filter(({ message }) => message.includes('in the future'));
  publish('full_2023-11-20.csv', 1);
  await accept((await take()).id);
  publish('delta_2962-11-21.csv', 2);
  const { source } = ctx.config.feeds['north']!;
  expect((await lookAt(source, await pastOf('north', source, ctx)))?.files[0]).toMatchObject({
    decision: 'take',
    why: 'the next to be taken; has a date in the future, which does not count',
  });
  const ahead = await take();
  expect(ahead).toMatchObject({ delivery_name: 'delta_2962-11-21.csv' });
  expect(await said(ahead.id)).toMatchObject([
    { message: 'delta_2962-11-21.csv has a date in the future, which does not count' },
  ]);
  await accept(ahead.id);
  publish('delta_2023-11-22.csv', 3);
  const next = await take();
  expect(next).toMatchObject({ delivery_name: 'delta_2023-11-22.csv' });
  expect(await said(next.id)).toEqual([]);
  await accept(next.id);
  // By its time of change it came before.
  publish('full_2962-11-19.csv', 0);
  publish('delta_2023-11-23.csv', 4);
  expect(await take()).toMatchObject({ delivery_name: 'delta_2023-11-23.csv' });
});

/** A full list is live; changes and a new full list came after it, and that one is taken. */
async function fullListAfterChanges() {
  const world = await changesWorld();
  const { publish, take, accept } = world;
  publish('full_27.csv', 1);
  publish('delta_4.csv', 0);
  await accept((await take()).id);
  publish('delta_5.csv', 2);
  publish('full_29.csv', 3);
  publish('delta_6.csv', 4);
  const full = await take();
  expect(full).toMatchObject({ delivery_name: 'full_29.csv' });
  return { ...world, full };
}

test.each(['rejected', 'failed', 'rolled back'] as const)(
  'changes before a full list that was %s come next, and are superseded by the one after it',
  async (ended) => {
    const { inbox, db, take, accept, reject, pull, create, ctx, full } = await fullListAfterChanges();
    if (ended === 'rejected') await reject(full.id);
    else if (ended === 'failed') await updateRun(db, full.id, { stage: 'done', outcome: 'failed' });
    else {
      const { head } = await feedState(db, 'north', 'main');
      await accept(full.id);
      await updateFeed(db, 'north', { contribution: head, head });
    }
    rmSync(join(inbox, 'full_29.csv'));
    const { source } = ctx.config.feeds['north']!;
    const superseded = async () =>
      (await lookAt(source, await pastOf('north', source, ctx)))?.files
        .filter(({ why }) => why.includes('superseded'))
        .map(({ name }) => name);
    expect(await superseded()).toEqual(['delta_4.csv']);
    const run = await create('schedule');
    expect(await pull(run)).toMatchObject({ delivery_name: 'delta_5.csv', stage: 'read' });
    await accept(run);
    expect(await take()).toMatchObject({
      outcome: 'nothing',
      reason: expect.stringContaining('delta_6.csv') as string,
    });
    expect(await take('manual', { force: true })).toMatchObject({ delivery_name: 'delta_6.csv' });
  },
);

test('changes before a full list that was rejected are superseded by the next one, also for a person', async () => {
  const { publish, take, accept, reject, full } = await fullListAfterChanges();
  await reject(full.id);
  publish('full_30.csv', 5);
  const next = await take();
  expect(next).toMatchObject({ delivery_name: 'full_30.csv' });
  await accept(next.id);
  expect(await take('manual', { force: true })).toMatchObject({ delivery_name: 'full_30.csv' });
});

test('changes before a full list wait while somebody has to decide about it, or it is read again', async () => {
  const { db, take, hold, reject, create, full } = await fullListAfterChanges();
  await hold(full.id);
  expect(await take()).toMatchObject({
    reason: expect.stringMatching(/^delta_6\.csv waits for a decision/u) as string,
  });
  await reject(full.id);
  const again = await create('rerun', { of: full.id, from: 'validate' });
  const { delivery_sha, delivery_name, modified_at } = full;
  const taken_at = full.taken_at! + 1;
  await updateRun(db, again, { delivery_sha, delivery_name, modified_at, taken_at, stage: 'read' });
  expect(await take()).toMatchObject({ reason: expect.stringMatching(/^delta_6\.csv stays behind/u) as string });
  await reject(again);
  expect(await take()).toMatchObject({ delivery_name: 'delta_5.csv' });
});

test('changes whose numbers begin again are named and an incident until somebody goes on with them', async () => {
  const { ctx, db, inbox, publish, take, accept } = await changesWorld();
  const what = { kind: 'stopped-changes', login: 'main', feed: 'north' } as const;
  publish('full_a.csv', 1);
  await accept((await take()).id);
  publish('delta_999.csv', 2);
  const last = await take();
  await accept(last.id);
  // What is live is what was taken last, so that nothing new ends as unchanged.
  const live_settings = await settingsHashOf('north', ctx);
  await updateFeed(db, 'north', { checkpoint: last.checkpoint, live_sha: last.delivery_sha, live_settings });
  publish('delta_998.csv', 0);
  expect(await take()).toMatchObject({ outcome: 'unchanged' });
  rmSync(join(inbox, 'delta_998.csv'));
  publish('delta_1.csv', 3);
  publish('delta_2.csv', 4);
  for (let looks = 0; looks < 2; looks += 1) {
    const { outcome, reason } = await take();
    expect(outcome).toBe('nothing');
    expect(reason).toMatch(
      /^delta_1\.csv has a lower number than delta_999\.csv and came after it; delta_2\.csv has a lower number /u,
    );
    expect(await openIncident(db, what)).toMatchObject({
      text: 'delta_1.csv and 1 other file have a lower number than the changes taken before and came after them: the supplier may count anew',
    });
  }
  const first = await take('manual', { force: true });
  expect(first).toMatchObject({ delivery_name: 'delta_1.csv' });
  await accept(first.id);
  const second = await take();
  expect(second).toMatchObject({ delivery_name: 'delta_2.csv' });
  expect(await openIncident(db, what)).toBeUndefined();
  await accept(second.id);
  // The same file copied anew is no new one.
  publish('delta_1.csv', 5);
  await take();
  expect(await openIncident(db, what)).toBeUndefined();
});
