import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { PushSource } from '../../../src/config/schema/sources/push.ts';
import type { Context } from '../../../src/context.ts';
import { examineSource } from '../../../src/jobs/doctor/examine-source.ts';
import { pushedFiles } from '../../../src/jobs/push/pushed-files.ts';
import { takePush, type PushKey } from '../../../src/jobs/push/take-push.ts';
import { updateRun } from '../../../src/ledger/runs/runs.ts';
import { recordStart } from '../../../src/ledger/runs/starts.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { sourceConformance } from '../../pull/source-conformance.ts';

const BY = { who: 'token supplier', via: 'api', origin: null } as const;

async function place(changes: object = {}, settings: object = {}) {
  const feed = { login: 'main', source: { type: 'push', ...changes }, ...settings };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: feed, south: feed } });
  return { ctx, source: ctx.config.feeds['north']!.source as PushSource };
}

async function send(name: string, bytes: string | Buffer, ctx: Context, key: PushKey | null = null) {
  const { sha256, bytes: size } = await ctx.archive.put(contentOf(Buffer.from(bytes)));
  return takePush({ feed: 'north', name, sha256, bytes: size, key, by: BY }, ctx);
}

async function* contentOf(bytes: Buffer) {
  yield bytes;
}

sourceConformance('push', async () => {
  const { ctx, source } = await place();
  const pushed = pushedFiles(source, ctx)!;
  return {
    source,
    twin: { ...source, feed: 'south' },
    place: 'push:north',
    pushed,
    publish: async (name, bytes) => void (await send(name, bytes, ctx)),
    published: async () => {
      const files = await pushed.list();
      return Object.fromEntries(
        await Promise.all(files.map(async (file) => [file.name, await buffer(pushed.read(file))] as const)),
      );
    },
    close: async () => {
      await send('prices.csv', 'brand;oem\n', ctx);
      for await (const { sha256 } of ctx.archive.list()) await ctx.archive.remove(sha256);
    },
  };
});

test('of two files of one name the later one counts, and the others are shown', async () => {
  const { ctx, source } = await place();
  await send('a.csv', 'old', ctx);
  await send('b.csv', 'b', ctx);
  await send('a.csv', 'newest', ctx);
  const look = await lookAt(source, undefined, undefined, pushedFiles(source, ctx));
  expect(look).toMatchObject({
    place: 'push:north',
    files: [
      { name: 'a.csv', size: 6, decision: 'take' },
      { name: 'b.csv', decision: 'superseded' },
    ],
  });
  expect(await examineSource('north', ctx)).toMatch(/^push:north can be read; newest match a\.csv, changed /u);
});

test('pushes share a run until somebody is at work on it or it has its file', async () => {
  const { ctx } = await place();
  const first = await send('a.csv', 'a', ctx);
  expect(first).toMatchObject({ wake: true });
  expect(await send('b.csv', 'b', ctx)).toMatchObject({ run: first.run, wake: false });
  await recordStart(ctx.ledger.db, { id: 's', runs: [first.run], stage: 'pull', owner: 'w', at: 1 });
  const third = await send('c.csv', 'c', ctx);
  expect(third.run).not.toBe(first.run);
  // Its worker was stopped after it had taken a file: it will not look again.
  await updateRun(ctx.ledger.db, third.run, { delivery_sha: 'c' });
  const fourth = await send('d.csv', 'd', ctx);
  expect([first.run, third.run]).not.toContain(fourth.run);
  // The feed has moved to another login, for which the run does not pull.
  await updateRun(ctx.ledger.db, fourth.run, { login: 'other' });
  expect((await send('e.csv', 'e', ctx)).run).not.toBe(fourth.run);
});

test('changes of one name are all there until they are taken, and a full list takes the place of the one before', async () => {
  const { ctx, source } = await place();
  const { ctx: changing, source: ofChanges } = await place({}, { delivery: 'changes' });
  for (const bytes of ['one', 'two']) {
    await send('delta.csv', bytes, ctx);
    await send('delta.csv', bytes, changing);
  }
  expect(await pushedFiles(source, ctx)!.list()).toHaveLength(1);
  const files = pushedFiles(ofChanges, changing)!;
  const listed = await files.list();
  const bytes = await Promise.all(listed.map(async (file) => (await buffer(files.read(file))).toString()));
  expect(bytes).toEqual(['one', 'two']);
  expect(await files.look(listed[0]!)).toEqual(listed[0]);
});

test('the same bytes are delivered anew after another file, for another login, or when their run rejected them', async () => {
  const { ctx } = await place();
  const first = await send('a.csv', 'a', ctx);
  await send('b.csv', 'b', ctx);
  const second = await send('a.csv', 'a', ctx);
  expect(second.again).toBe(false);
  expect(second.delivery).not.toBe(first.delivery);
  expect(await send('a.csv', 'a', ctx)).toMatchObject({ again: true, delivery: second.delivery });
  await updateRun(ctx.ledger.db, second.run, { outcome: 'rejected', stage: 'done' });
  const third = await send('a.csv', 'a', ctx);
  expect(third.again).toBe(false);
  await ctx.ledger.db.updateTable('pushed').set({ login: 'other' }).execute();
  expect((await send('a.csv', 'a', ctx)).again).toBe(false);
});

test('what failed for no fault of the file is tried again when it is sent again', async () => {
  const { ctx } = await place();
  const first = await send('a.csv', 'a', ctx);
  expect(await send('a.csv', 'a', ctx)).toMatchObject({ again: true, run: first.run });
  await ctx.ledger.db
    .updateTable('runs')
    .set({ outcome: 'failed', stage: 'done' })
    .where('id', '=', first.run)
    .execute();
  const again = await send('a.csv', 'a', ctx);
  expect(again).toMatchObject({ again: true, delivery: first.delivery, wake: true });
  expect(again.run).not.toBe(first.run);
});

test('a paused feed takes nothing', async () => {
  const { ctx } = await place();
  const pause = { kind: 'feed', name: 'north', at: 0, who: 'ann', reason: 'moving' } as const;
  await ctx.ledger.db.insertInto('pauses').values(pause).execute();
  await expect(send('a.csv', 'a', ctx)).rejects.toMatchObject({ code: 'conflict' });
  expect(await ctx.ledger.db.selectFrom('pushed').selectAll().execute()).toEqual([]);
});

test('a key of a sender means one delivery, also where that came under another key before', async () => {
  const { ctx } = await place();
  const key = (text: string, sender = 'token 1') => ({ sender, text });
  const first = await send('a.csv', 'a', ctx, key('k1'));
  expect(await send('a.csv', 'a', ctx, key('k2'))).toMatchObject({ again: true, delivery: first.delivery });
  await send('b.csv', 'b', ctx);
  // Its answer was lost: what came meanwhile must not be replaced by it.
  for (const again of ['k1', 'k2'])
    expect(await send('a.csv', 'a', ctx, key(again))).toMatchObject({ again: true, delivery: first.delivery });
  await expect(send('a.csv', 'other', ctx, key('k2'))).rejects.toMatchObject({
    code: 'file-rejected',
    message: 'The Idempotency-Key was used before, for a.csv with other bytes. Give each delivery a key of its own.',
  });
  await expect(send('c.csv', 'a', ctx, key('k2'))).rejects.toMatchObject({
    message: 'The Idempotency-Key was used before, for a.csv under that name. Give each delivery a key of its own.',
  });
  expect(await send('a.csv', 'a', ctx, key('k2'))).toMatchObject({ again: true, delivery: first.delivery });
});

test('what another sender calls the same is another push', async () => {
  const { ctx } = await place();
  await send('a.csv', 'a', ctx, { sender: 'token 1', text: 'k' });
  expect(await send('b.csv', 'b', ctx, { sender: 'token 2', text: 'k' })).toMatchObject({ again: false });
  expect(await send('b.csv', 'b', ctx, { sender: 'token 2', text: 'k' })).toMatchObject({ again: true });
});
