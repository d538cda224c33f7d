import { expect, test } from 'vitest';
import { answerOf } from '../../../src/jobs/queries/answer.ts';
import { keptCause } from '../../../src/wording/causes.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';

const ROWS = 'a'.repeat(64);

async function world() {
  const ctx = await contextFor('http://127.0.0.1:1');
  const { db } = ctx.ledger;
  const run = { feed: 'north', login: 'main', cause: 'manual' as const, options: {}, sandbox: false };
  const create = () => createRun(db, { ...run, now: ctx.clock.now() });
  const causes = async (id: string) => [keptCause(await getRun(db, id)), (await answerOf(id, ctx)).cause];
  return { ctx, db, create, causes };
}

test('a delivery that a newer one replaced is told from one that never came', async () => {
  const { db, create, causes, ctx } = await world();
  const [absent, replaced] = [await create(), await create()];
  const now = ctx.clock.now();
  const reason = { code: 'superseded', feed: 'north', run: absent } as const;
  await decideRun(db, absent, { outcome: 'nothing', cause: 'no-file', reason: null, now });
  await decideRun(db, replaced, { outcome: 'nothing', cause: 'superseded', reason, now });
  expect(await causes(absent)).toEqual(['no-file', 'no-file']);
  expect(await causes(replaced)).toEqual(['superseded', 'superseded']);
});

test('runs of earlier versions, which kept no cause, are told apart by what they read', async () => {
  const { db, create, causes } = await world();
  const [absent, replaced, failed] = [await create(), await create(), await create()];
  await updateRun(db, absent, { outcome: 'nothing', stage: 'done' });
  await updateRun(db, replaced, { outcome: 'nothing', stage: 'done', rows_sha: ROWS });
  await updateRun(db, failed, { outcome: 'failed', stage: 'done', rows_sha: ROWS });
  expect(await causes(absent)).toEqual(['no-file', 'no-file']);
  expect(await causes(replaced)).toEqual(['superseded', 'superseded']);
  expect(await causes(failed)).toEqual([null, 'fault']);
});
