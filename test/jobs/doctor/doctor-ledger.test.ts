import { expect, test } from 'vitest';
import { examineWork } from '../../../src/jobs/doctor/doctor-ledger.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { createRun } from '../../../src/ledger/runs/runs.ts';
import { leaveNote } from '../../../src/ledger/alerts/notes.ts';
import { contextFor } from '../../upload/upload-world.ts';

const AT = Date.UTC(2026, 4, 4, 5, 0, 0);

async function sweepLine(notes: Partial<Record<'last-sweep' | 'last-find', object>>): Promise<string> {
  const ctx = await contextFor('http://127.0.0.1:9');
  for (const key of ['last-sweep', 'last-find'] as const) {
    const found = { due: [], runs: [], lanes: [], owner: 'shop-1', at: AT, ...notes[key] };
    if (notes[key] !== undefined) await leaveNote(ctx.ledger.db, key, found);
  }
  return (await examineWork(ctx)).find(({ check }) => check === 'sweep')!.detail;
}

test('nobody has swept', async () => {
  expect(await sweepLine({})).toBe('no worker has swept yet');
});

test('nothing was found', async () => {
  expect(await sweepLine({ 'last-sweep': {} })).toBe(
    'last at 2026-05-04 05:00:00 UTC, woke nothing; nothing was found yet',
  );
});

test('what was found last is named, however long ago', async () => {
  const runs = ['run-1', 'run-2', 'run-3', 'run-4'];
  const found = { due: ['run-4'], runs, lanes: ['main', 'outlet'], at: AT - 3_600_000 };
  expect(await sweepLine({ 'last-sweep': { lanes: ['main'] }, 'last-find': found })).toBe(
    'last at 2026-05-04 05:00:00 UTC, woke 1 job; found last at 2026-05-04 04:00:00 UTC: 1 run due, 4 open runs (run-1, run-2, run-3, …), uploads of main, outlet',
  );
});

test('open work that nobody works on is a failure, until somebody does', async () => {
  const ctx = await contextFor('http://127.0.0.1:9');
  const sweepOf = async () => (await examineWork(ctx)).find(({ check }) => check === 'sweep');
  const run = { feed: 'north', login: 'main', cause: 'manual' as const, options: {}, sandbox: false };
  await createRun(ctx.ledger.db, { ...run, now: ctx.clock.now() });
  const advice = expect.stringContaining('nobody works on it: start `offerline up`') as string;
  expect(await sweepOf()).toMatchObject({ ok: false, detail: advice });

  const found = { due: [], runs: [], lanes: [], owner: 'shop-1' };
  await leaveNote(ctx.ledger.db, 'last-sweep', { ...found, at: AT });
  expect(await sweepOf()).toMatchObject({ ok: false, detail: advice });

  const taken = await acquireLease(ctx.ledger, 'feed-north', 'shop-1', 60_000);
  expect(await sweepOf()).toMatchObject({ ok: true, detail: expect.not.stringContaining('nobody') as string });
  if ('lease' in taken) await taken.lease.release();
  expect(await sweepOf()).toMatchObject({ ok: false });

  await leaveNote(ctx.ledger.db, 'last-sweep', { ...found, at: ctx.clock.now() });
  expect(await sweepOf()).toMatchObject({ ok: true });
});
