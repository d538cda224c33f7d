import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { examineSource } from '../../../src/jobs/doctor/examine-source.ts';
import { examineWorkers } from '../../../src/jobs/doctor/examine-workers.ts';
import { statusOf } from '../../../src/jobs/standing/status.ts';
import { workersNow } from '../../../src/jobs/workers/workers-now.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import type { WorkerRow } from '../../../src/ledger/schema/schema.ts';
import { showWorker } from '../../../src/ledger/workers/workers.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SOURCE = { type: 'directory', path: '.', on: ['nas'] };

function show({ ledger }: Context, name: string, given: Partial<WorkerRow> = {}, lasts = 600_000) {
  const row = { id: `id of ${name}`, name, host: 'cellar.example', version: '1.2.3', migration: '018-workers' };
  return showWorker(ledger, { ...row, serves: [], stays: 1, state: 'works', ...given }, lasts);
}

function lines(ctx: Context, name: 'en' | 'de' | 'pl' | 'ru' = 'en') {
  const wording = { language: openLanguage(name), clock: () => 'then' };
  return statusOf(ctx, { wording }).then(({ lines }) =>
    lines.filter(({ what }) => what === 'work').map(({ tone, says }) => `${tone}: ${says}`),
  );
}

test('each worker is told with what it does, and what is wrong with it', async () => {
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source: SOURCE } } });
  await show(ctx, 'attic', { state: 'outdated' });
  await show(ctx, 'barn', {}, -1);
  await show(ctx, 'cellar', { serves: ['vpn'] });
  await show(ctx, 'command', { stays: 0 });
  await show(ctx, 'command that died', { stays: 0 }, -1);
  await acquireLease(ctx.ledger, 'feed-north', 'id of cellar', 60_000);
  await acquireLease(ctx.ledger, 'login-main', 'id of cellar', 60_000);
  await acquireLease(ctx.ledger, 'prune', 'id of cellar', 60_000);
  expect(await workersNow(ctx)).toMatchObject({
    workers: [
      { name: 'attic', state: 'outdated', doing: [] },
      { name: 'barn', state: 'silent', stays: true },
      { name: 'cellar', state: 'works', version: '1.2.3', serves: ['vpn'], doing: ['feed north', 'login main'] },
      { name: 'command', stays: false },
    ],
    unserved: [{ feed: 'north', on: ['nas'] }],
  });
  expect(await examineWorkers(ctx)).toMatchObject([
    { check: 'worker attic', ok: false, detail: expect.stringContaining('upgrade offerline there') as string },
    { check: 'worker barn', ok: false, detail: expect.stringContaining('look at its machine') as string },
    {
      check: 'worker cellar',
      ok: true,
      detail: expect.stringMatching(/; works on feed north, login main$/u) as string,
    },
    { check: 'worker command', ok: true, detail: expect.stringContaining('a command that waits') as string },
    { check: 'reach north', ok: false, detail: expect.stringContaining('`offerline worker --serves nas`') as string },
  ]);
  expect(await lines(ctx)).toEqual([
    'waiting: worker attic takes no more work: it runs offerline 1.2.3, and the ledger is newer',
    'waiting: worker barn was not stopped and has given no sign of life since then',
    'waiting: no running worker reaches the source of north: none serves nas',
  ]);
  for (const name of ['de', 'pl', 'ru'] as const) {
    const said = await lines(ctx, name);
    expect(said).toHaveLength(3);
    expect(said.join(' ')).toMatch(/attic.*1\.2\.3.*barn.*north.*nas/u);
  }
  expect(await statusOf(ctx, { scope: ['north'] })).toMatchObject({ workers: [], unserved: [] });
});

test('where the only worker has died nothing is said of it but what was said before', async () => {
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source: SOURCE } } });
  await show(ctx, 'attic', {}, -1);
  expect(await lines(ctx)).toEqual([]);
  expect(await examineWorkers(ctx)).toMatchObject([{ check: 'worker attic', ok: true }, { check: 'reach north' }]);
});

test('doctor leaves a place alone that this machine does not serve', async () => {
  const feeds = { north: { login: 'main', source: { ...SOURCE, path: '/nowhere' } } };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds });
  expect(await examineSource('north', ctx)).toBe(
    'is left to workers that serve nas (source.on); this process serves nothing (worker.serves)',
  );
  const here = await contextFor('http://127.0.0.1:1', { feeds, worker: { serves: ['nas'] } });
  expect(await examineSource('north', here)).toContain('/nowhere does not exist');
});
