import { expect, test } from 'vitest';
import { failedRuns, stageToRepeat } from '../../../src/jobs/decisions/failed-runs.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';

const HOUR = 3_600_000;

async function world() {
  const source = { type: 'directory', path: '/tmp' };
  const feeds = Object.fromEntries(['north', 'south', 'east', 'west'].map((name) => [name, { login: 'main', source }]));
  const ctx = await contextFor('http://127.0.0.1:1', { feeds });
  const now = ctx.clock.now();
  async function run(feed: string, hoursAgo: number, outcome?: 'failed' | 'live'): Promise<string> {
    const at = now - hoursAgo * HOUR;
    const id = await createRun(ctx.ledger.db, {
      feed,
      login: 'main',
      cause: 'schedule',
      options: {},
      sandbox: false,
      now: at,
    });
    const decided = {
      failed: { outcome: 'failed', cause: 'fault' },
      live: { outcome: 'live', cause: 'uploaded' },
    } as const;
    if (outcome !== undefined) await decideRun(ctx.ledger.db, id, { ...decided[outcome], reason: null, now: at + 1 });
    return id;
  }
  const failed = async (filter: { feed?: string; since?: number } = {}) =>
    (await failedRuns({ since: now - 24 * HOUR, ...filter }, ctx)).map(({ id }) => id);
  return { ctx, run, failed };
}

test('of each feed the last run counts, if it failed', async () => {
  const { run, failed } = await world();
  await run('north', 5, 'failed');
  const north = await run('north', 3, 'failed');
  await run('south', 5, 'failed');
  await run('south', 3, 'live');
  await run('east', 5, 'failed');
  await run('east', 3);
  await run('west', 30, 'failed');
  await run('gone', 1, 'failed');

  expect(await failed()).toEqual([north]);
  expect(await failed({ feed: 'south' })).toEqual([]);
  expect(await failed({ since: 0 })).toHaveLength(2);
});

test('what was read already is not asked for again', async () => {
  const { ctx, run } = await world();
  const id = await run('north', 1, 'failed');
  const stage = async () => stageToRepeat(await getRun(ctx.ledger.db, id));

  expect(await stage()).toBe('pull');
  await updateRun(ctx.ledger.db, id, { delivery_sha: 'a'.repeat(64) });
  expect(await stage()).toBe('validate');
  await updateRun(ctx.ledger.db, id, { rows_sha: 'b'.repeat(64) });
  expect(await stage()).toBe('upload');
});
