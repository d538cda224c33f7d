import { expect, test } from 'vitest';
import { runFeed } from '../../../src/jobs/decisions/run-feed.ts';
import { listAudit } from '../../../src/jobs/standing/lists/audit.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';

const ANA = { who: 'ana', via: 'console', origin: '10.0.0.7' } as const;

async function world() {
  const source = { type: 'directory', path: '.' };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source } } });
  const audit = async () => (await listAudit({ feeds: ['north'] }, { size: 10 }, ctx)).rows;
  return { ctx, audit };
}

test('the audit names who had a feed run, and as which run', async () => {
  const { ctx, audit } = await world();
  const run = await runFeed('north', { by: ANA }, ctx);
  expect(await getRun(ctx.ledger.db, run)).toMatchObject({
    feed: 'north',
    login: 'main',
    cause: 'manual',
    options: {},
  });
  const entry = { action: 'ingest', subject: 'feed north', about: { feed: 'north' }, ...ANA };
  expect(await audit()).toMatchObject([{ ...entry, reason: `as run ${run}` }]);
  const other = await runFeed('north', { file: '/in/a.csv', force: true, wait: true, by: ANA }, ctx);
  expect(await getRun(ctx.ledger.db, other)).toMatchObject({ options: { file: '/in/a.csv', force: true, wait: true } });
  expect((await audit())[0]).toMatchObject({ reason: `as run ${other}, of the file /in/a.csv, forced` });
});

test('of four who run a feed at once three are told, and the audit has one', async () => {
  const { ctx, audit } = await world();
  const asked = Array.from({ length: 4 }, () => runFeed('north', { by: ANA, once: true }, ctx));
  const refused = (await Promise.allSettled(asked)).filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(3);
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is already running') as string,
    });
  expect(await audit()).toHaveLength(1);
});

test('a feed that is paused, or not in the configuration, is not run, and the audit says nothing', async () => {
  const { ctx, audit } = await world();
  await expect(runFeed('constructor', { by: ANA }, ctx)).rejects.toMatchObject({ code: 'not-found' });
  await addPause(ctx.ledger.db, { kind: 'login', name: 'main', at: 1, who: 'bo', reason: 'they move' });
  await expect(runFeed('north', { by: ANA }, ctx)).rejects.toMatchObject({ code: 'conflict' });
  expect(await audit()).toEqual([]);
});
