import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rejectRun } from '../../../src/jobs/decisions/review.ts';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { getIntent } from '../../../src/ledger/uploads/intents.ts';
import { attemptsOf, createAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor, intend, leaseOf } from '../../upload/upload-world.ts';

const ANA = { who: 'ana', reason: 'wrong file', via: 'cli', origin: null } as const;
const REJECTED = { outcome: 'rejected', stage: 'report', options: { cause: 'turned-down' } };

async function world() {
  const source = { type: 'directory', path: '.' };
  const feeds = { north: { login: 'main', source }, south: { login: 'main', source } };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds });
  const { db } = ctx.ledger;
  const create = (feed: string) => {
    const file = join(tempFolder(), 'list.csv');
    writeFileSync(file, 'brand;oem\nBOSCH;1\nATE;2\n');
    const run = { feed, login: 'main', cause: 'manual' as const, options: { file }, sandbox: false };
    return createRun(db, { ...run, now: ctx.clock.now() });
  };
  const read = async (feed: string) => {
    const id = await create(feed);
    await advanceRun(id, { pulling: false }, ctx, new AbortController().signal);
    return id;
  };
  /** Two runs that are part of one upload, and the attempt at it. */
  const composed = async () => {
    const ids = [await read('north'), await read('south')] as const;
    const lease = await leaseOf(ctx);
    const { intent } = await intend(ctx, lease, [['BOSCH', '1', '', '']]);
    for (const id of ids) await updateRun(db, id, { stage: 'upload', intent: intent.id });
    const [attempt] = await attemptsOf(db, intent.id);
    const upload = attempt ?? (await createAttempt(db, intent, 1, ctx.clock.now()));
    await lease.release();
    return { ids, intent: intent.id, upload: upload.id };
  };
  return { ctx, db, create, read, composed };
}

test('a run that waits to be pulled is ended', async () => {
  const { ctx, db, create } = await world();
  const id = await create('north');
  await rejectRun(id, ANA, ctx);
  expect(await getRun(db, id)).toMatchObject(REJECTED);
  expect(await db.selectFrom('audit').selectAll().execute()).toMatchObject([{ action: 'reject', subject: id, ...ANA }]);
});

test('rows that wait to be uploaded are candidates no longer', async () => {
  const { ctx, db, read } = await world();
  const id = await read('north');
  expect(await feedState(db, 'north', 'main')).toMatchObject({ candidate: id });
  await rejectRun(id, ANA, ctx);
  expect(await getRun(db, id)).toMatchObject(REJECTED);
  expect(await feedState(db, 'north', 'main')).toMatchObject({ candidate: null, candidate_at: null });
});

test('what was composed together and not sent is composed again without it', async () => {
  const { ctx, db, composed } = await world();
  const { ids, intent, upload } = await composed();
  await rejectRun(ids[0], ANA, ctx);
  expect(await getRun(db, ids[0])).toMatchObject({ ...REJECTED, intent: null });
  expect(await getRun(db, ids[1])).toMatchObject({ outcome: null, stage: 'compose', intent: null });
  expect(await getIntent(db, intent)).toMatchObject({ result: 'failed' });
  expect(await attemptsOf(db, intent)).toMatchObject([{ id: upload, state: 'lost' }]);
  expect(await feedState(db, 'south', 'main')).toMatchObject({ candidate: ids[1] });
});

test.each(['sending', 'unknown', 'submitted', 'intended'] as const)(
  'a run that was sent is refused, and nothing changes: %s',
  async (state) => {
    const { ctx, db, composed } = await world();
    const { ids, upload, intent } = await composed();
    await updateUpload(db, upload, { state, sent_at: ctx.clock.now() });
    const before = await getRun(db, ids[0]);
    await expect(rejectRun(ids[0], ANA, ctx)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('it was sent') as string,
    });
    expect(await getRun(db, ids[0])).toEqual(before);
    expect(await getIntent(db, intent)).toMatchObject({ result: null });
  },
);

test('a run that has ended is refused', async () => {
  const { ctx, db, read } = await world();
  const id = await read('north');
  await rejectRun(id, ANA, ctx);
  await expect(rejectRun(id, ANA, ctx)).rejects.toThrow(`Run ${id} is not held: it is rejected`);
  expect(await db.selectFrom('audit').selectAll().execute()).toHaveLength(1);
});
