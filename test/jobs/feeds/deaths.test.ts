import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { countingDeaths, surviving } from '../../../src/jobs/feeds/deaths.ts';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import type { RunRow } from '../../../src/ledger/schema/schema.ts';
import { deathsIn, recordStart } from '../../../src/ledger/runs/starts.ts';
import type { Stage } from '../../../src/model.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const NEVER = new AbortController().signal;

/** A run of the feed `north`, whose file lies in a folder. */
async function shop() {
  const path = tempFolder();
  writeFileSync(join(path, 'a.csv'), 'brand;oem\nBOSCH;1\n');
  const source = { type: 'directory', path, settle: '0s' };
  const ctx = await contextFor('http://127.0.0.1:9', { feeds: { north: { login: 'main', source } } });
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const run = () => getRun(ctx.ledger.db, id);
  const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
  return { ctx, run };
}

/** What processes leave in the ledger that are killed while they work. */
async function died(times: number, runs: string[], stage: Stage, { ledger, clock }: Context): Promise<void> {
  for (let n = 0; n < times; n++) {
    await recordStart(ledger.db, { id: randomUUID(), runs, stage, owner: 'gone', at: clock.now() });
  }
}

async function deathsOf({ id, stage }: RunRow, { ledger }: Context): Promise<number> {
  return (await deathsIn(ledger.db, [id], stage)).get(id) ?? 0;
}

test('a start is in the ledger before the work begins, and is taken back when the work ends in any way but death', async () => {
  const { ctx, run } = await shop();
  const [pulling, work] = [await run(), { stage: 'pull', suspected: false } as const];
  await died(1, [pulling.id], 'pull', ctx);
  const failing = countingDeaths([pulling], work, ctx, async () => {
    expect(await deathsOf(pulling, ctx)).toBe(2);
    throw new Error('a failure, a stop or a lost lease');
  });
  await expect(failing).rejects.toThrow('a failure');
  expect(await deathsOf(pulling, ctx)).toBe(1);
  await countingDeaths([pulling], work, ctx, () => Promise.resolve());
  expect(await deathsOf(pulling, ctx)).toBe(0);
});

test.each([
  { stage: 'pull', deaths: 4, after: { stage: 'read', outcome: null } },
  {
    stage: 'pull',
    deaths: 5,
    after: { outcome: 'failed', reason: expect.stringContaining('while pulling this file') },
  },
  { stage: 'read', deaths: 4, after: { stage: 'compose', outcome: null } },
  {
    stage: 'read',
    deaths: 5,
    after: { outcome: 'failed', reason: expect.stringContaining('while reading this file') },
  },
] as const)('a run in whose $stage $deaths processes died: $after', async ({ stage, deaths, after }) => {
  const { ctx, run } = await shop();
  const { id } = await run();
  if (stage === 'read') await advanceRun(id, { pulling: true }, ctx, NEVER);
  await died(deaths, [id], stage, ctx);
  await advanceRun(id, { pulling: stage === 'pull' }, ctx, NEVER);
  expect(await run()).toMatchObject(after);
});

test('a report that kills its process is given up, and the outcome stands', async () => {
  const { ctx, run } = await shop();
  const { id } = await run();
  await ctx.ledger.db.updateTable('runs').set({ stage: 'report', outcome: 'nothing' }).where('id', '=', id).execute();
  await died(5, [id], 'report', ctx);
  expect(await advanceRun(id, { pulling: false }, ctx, NEVER)).toBe('done');
  expect(await run()).toMatchObject({ stage: 'done', outcome: 'nothing' });
});

test('suspected work is done one piece at a time: what only died along is not taken for the culprit', async () => {
  const { ctx, run } = await shop();
  const suspect = await run();
  await died(2, [suspect.id], 'pull', ctx);
  const elsewhere = await acquireLease(ctx.ledger, 'suspected', 'another', 60_000);
  let begun = 0;
  const work = async () => void (begun += 1);
  expect(await surviving(suspect, ctx, work)).toHaveProperty('waitUntil');
  expect([begun, await deathsOf(suspect, ctx)]).toEqual([0, 2]);
  if ('lease' in elsewhere) await elsewhere.lease.release();
  expect(await surviving(suspect, ctx, work)).toBe('on');
  expect([begun, await deathsOf(suspect, ctx)]).toEqual([1, 0]);
});

test('rows that kill their process in compose end their own run, and the other feeds go live', async () => {
  const { ctx, offer, toRest, live } = await laneWorld({}, {}, { north: {}, south: {} });
  const north = await offer('north', ['1']);
  const south = await offer('south', ['2']);
  await died(2, [north, south], 'compose', ctx);
  await died(3, [north], 'compose', ctx);
  await toRest();
  expect(await getRun(ctx.ledger.db, north)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('while composing these rows'),
  });
  expectLive(await getRun(ctx.ledger.db, south));
  expect(await live()).toEqual(['2']);
});

test('candidates that died together are composed one by one, and all go live when none of them kills alone', async () => {
  const { ctx, offer, toRest, live, uploads } = await laneWorld({}, {}, { north: {}, south: {} });
  const runs = [await offer('north', ['1']), await offer('south', ['2'])];
  await died(2, runs, 'compose', ctx);
  await toRest();
  for (const run of runs) expectLive(await getRun(ctx.ledger.db, run));
  expect(await live()).toEqual(['1', '2']);
  expect(await uploads()).toHaveLength(2);
});
