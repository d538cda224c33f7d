import { expect, test } from 'vitest';
import { rerun } from '../../../src/jobs/decisions/rerun.ts';
import { listAudit } from '../../../src/jobs/standing/lists/audit.ts';
import { createRun, decideRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';

const ANA = { who: 'ana', via: 'console', origin: '10.0.0.7' } as const;

async function world() {
  const source = { type: 'directory', path: '.' };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source } } });
  const { db } = ctx.ledger;
  const run = { feed: 'north', login: 'main', cause: 'manual' as const, options: {}, sandbox: false };
  const id = await createRun(db, { ...run, now: ctx.clock.now() });
  const end = () =>
    decideRun(db, id, {
      outcome: 'rejected',
      cause: 'turned-down',
      reason: { code: 'rejected', who: 'bo', reason: 'wrong file' },
      now: ctx.clock.now(),
    });
  return { ctx, db, id, end };
}

test('of four who have a run made again at once three are told, and nothing is done twice', async () => {
  const { ctx, db, id, end } = await world();
  await end();
  const asked = Array.from({ length: 4 }, () => rerun(id, { from: 'pull', wait: false, by: ANA, once: true }, ctx));
  const all = await Promise.allSettled(asked);
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(all.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`Run ${id} is being run again already`) as string,
  });
  expect(await db.selectFrom('runs').select('id').where('cause', '=', 'rerun').execute()).toHaveLength(1);
});

test('the audit names who had a run made again, from which stage and as which run', async () => {
  const { ctx, db, id, end } = await world();
  await end();
  const again = await rerun(id, { from: 'pull', wait: false, by: ANA }, ctx);
  expect(await getRun(db, again)).toMatchObject({ cause: 'rerun', options: { of: id, from: 'pull' } });
  expect((await listAudit({ feeds: ['north'] }, { size: 10 }, ctx)).rows).toMatchObject([
    { action: 'rerun', subject: id, about: { run: id }, reason: `from pull, as run ${again}`, ...ANA },
  ]);
});

test('what is refused, and what is only rehearsed, is not in the audit', async () => {
  const { ctx, db, id, end } = await world();
  await expect(rerun(id, { from: 'pull', wait: false, by: ANA }, ctx)).rejects.toMatchObject({ code: 'conflict' });
  await end();
  await expect(rerun(id, { from: 'validate', wait: false, by: ANA }, ctx)).rejects.toMatchObject({ code: 'conflict' });
  await rerun(id, { from: 'pull', wait: false, by: null }, ctx);
  expect(await db.selectFrom('audit').selectAll().execute()).toEqual([]);
});

test('what was done to a user or a token is about no run', async () => {
  const { ctx, db } = await world();
  for (const [at, subject] of ['user anna', 'token 20261124-100000-k3f9x'].entries())
    await db
      .insertInto('audit')
      .values({ id: subject, at, action: 'add-user', subject, reason: '', ...ANA })
      .execute();
  const { rows } = await listAudit({ feeds: null }, { size: 10 }, ctx);
  expect(rows.map(({ about }) => about)).toEqual([{}, {}]);
});
