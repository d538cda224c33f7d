import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { afterLook, endUnserved, waitForOther, waitsUnserved } from '../../../src/jobs/workers/who-reaches.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { createRun, eventsOf, getRun } from '../../../src/ledger/runs/runs.ts';
import type { RunOptions } from '../../../src/ledger/schema/json-values.ts';
import type { WorkerRow } from '../../../src/ledger/schema/schema.ts';
import { looksOf } from '../../../src/ledger/workers/looks.ts';
import { endWorker, showWorker } from '../../../src/ledger/workers/workers.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;
const SWEEP = 30_000;

/** A feed of a folder that is not there, seen by a worker `here`; a clock that a test moves. */
async function world(source: object = {}, worker: object = {}) {
  const path = join(tempFolder(), 'missing');
  const opened = await contextFor('http://127.0.0.1:1', {
    worker: { name: 'here', sweep: '30s', ...worker },
    feeds: { north: { login: 'main', source: { type: 'directory', path, settle: '0s', ...source } } },
  });
  let later = 0;
  const ledger = { ...opened.ledger, now: async () => (await opened.ledger.now()) + later };
  const clock = { ...opened.clock, now: () => opened.clock.now() + later };
  const ctx: Context = { ...opened, ledger, clock };
  const { db } = ledger;
  return {
    ctx,
    path,
    wait: (ms: number) => void (later += ms),
    begin: async (options: RunOptions = {}) => {
      const asked = { feed: 'north', login: 'main', cause: 'manual', sandbox: false } as const;
      return getRun(db, await createRun(db, { ...asked, options, now: ctx.clock.now() }));
    },
    show: (name: string, given: Partial<WorkerRow> = {}, lasts = 600_000) => {
      const row = { id: `id of ${name}`, name, host: name, version: '1', migration: '018-workers', stays: 1 };
      return showWorker(ledger, { ...row, serves: [], state: 'works', ...given }, lasts);
    },
    /** Advances a run as its job does. */
    advance: (run: string) => advanceRun(run, { pulling: true }, ctx, SIGNAL),
    said: async (run: string) => (await eventsOf(db, run)).map(({ message }) => message),
  };
}

test('alone, a missing folder fails the run as ever, and nothing is recorded about it', async () => {
  const { ctx, begin, advance, show, path } = await world();
  await show('gone', {}, -1);
  await show('older', { state: 'outdated' });
  const { id } = await begin();
  await advance(id);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({
    outcome: 'failed',
    reason: `The folder ${path} does not exist. Create it, or correct source.path of the feed.`,
  });
  expect(await looksOf(ctx.ledger.db, id)).toEqual([]);
});

test('a missing folder is left to each worker that has not looked, in growing steps and without a try', async () => {
  const { ctx, begin, advance, show, said, path } = await world();
  await show('there');
  const { id } = await begin();
  for (const delay of [50, 100, 200]) {
    const before = ctx.clock.now();
    const result = await advance(id);
    expect(result).toHaveProperty('waitUntil');
    const { waitUntil } = result as { waitUntil: number };
    expect(waitUntil - before).toBeGreaterThanOrEqual(delay);
    expect(waitUntil).toBeLessThanOrEqual(ctx.clock.now() + delay);
  }
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'pull', tries: 0 });
  expect(await said(id)).toEqual([`the folder ${path} is not on worker here; another worker is asked`]);

  // The other one looks in vain, too.
  const there = {
    ...ctx,
    owner: 'id of there',
    config: { ...ctx.config, worker: { ...ctx.config.worker, name: 'there' } },
  };
  await advanceRun(id, { pulling: true }, there, SIGNAL);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({
    outcome: 'failed',
    reason: `The folder ${path} is on none of the workers that looked: here, there. Create it on one of them, or correct source.path of the feed.`,
  });
});

test('a worker that is alive and never looks is waited for during ten sweeps', async () => {
  const { ctx, begin, advance, show, wait } = await world();
  await show('busy');
  const { id } = await begin();
  await advance(id);
  wait(9 * SWEEP);
  expect(await advance(id)).toHaveProperty('waitUntil');
  wait(2 * SWEEP);
  await advance(id);
  expect((await getRun(ctx.ledger.db, id)).reason).toMatch(/does not exist/u);
});

test('a worker that ended meanwhile is not waited for', async () => {
  const { ctx, begin, advance, show } = await world();
  await show('there');
  const { id } = await begin();
  await advance(id);
  await endWorker(ctx.ledger, 'id of there');
  await advance(id);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ outcome: 'failed' });
});

test('only a missing folder is looked for elsewhere', async () => {
  const { ctx, begin, show } = await world();
  await show('there');
  const error = new Error('the disk is on fire');
  expect(await afterLook(await begin(), error, ctx)).toEqual({ error });
});

test('a source is left to the workers that serve one of its labels, and to all where it has none', async () => {
  const { ctx, begin, show } = await world({ on: ['nas', 'vpn'] }, { serves: ['lab'] });
  await show('cellar', { serves: ['vpn'] });
  const run = await begin();
  expect(await waitForOther(run, ctx)).not.toBeNull();
  expect(await eventsOf(ctx.ledger.db, run.id)).toEqual([]);
  const server = await world({ on: ['lab', 'vpn'] }, { serves: ['lab'] });
  expect(await waitForOther(await server.begin(), server.ctx)).toBeNull();
  const anybody = await world();
  expect(await waitForOther(await anybody.begin(), anybody.ctx)).toBeNull();
});

test('a label that nobody serves is said once, becomes an incident after ten sweeps, and ends with a worker', async () => {
  const { ctx, begin, show, wait, said } = await world({ on: ['nas'] });
  const { db } = ctx.ledger;
  await show('cellar', { serves: ['nas'], state: 'outdated' });
  await show('attic', { serves: ['vpn'] });
  const run = await begin();
  for (let count = 0; count < 20; count += 1) {
    const until = await waitForOther(run, ctx);
    expect(until! - ctx.clock.now()).toBeLessThanOrEqual(SWEEP);
  }
  expect(await said(run.id)).toEqual(['waits for a worker that serves nas: none is running']);
  expect(await listIncidents(db)).toEqual([]);
  expect(await waitsUnserved('north', ctx)).toBe(true);
  wait(10 * SWEEP);
  await waitForOther(run, ctx);
  await waitForOther(run, ctx);
  await endUnserved(ctx);
  expect(await listIncidents(db)).toMatchObject([{ kind: 'unserved', feed: 'north' }]);
  await show('cellar', { serves: ['nas'] });
  expect(await waitsUnserved('north', ctx)).toBe(false);
  await endUnserved(ctx);
  expect(await listIncidents(db)).toEqual([]);
});

test('a schedule that nobody can meet has one run that waits, and its first is made', async () => {
  const { ctx, begin } = await world({ on: ['nas'] });
  expect(await waitsUnserved('north', ctx)).toBe(false);
  await begin();
  expect(await waitsUnserved('north', ctx)).toBe(true);
});

test('a file that was named on another machine waits for its workers, and is taken elsewhere only if it is the same', async () => {
  const { ctx, begin, show } = await world();
  const file = join(tempFolder(), 'prices.csv');
  writeFileSync(file, 'brand,oem\nBOSCH,1\n');
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  const { size: bytes } = statSync(file);
  const given = { host: 'cellar', bytes, modifiedAt: 1_700_000_000_000 };
  const advance = async (options: RunOptions) => {
    const { id } = await begin(options);
    const result = await advanceRun(id, { pulling: false }, ctx, SIGNAL);
    return { result, run: await getRun(ctx.ledger.db, id) };
  };
  await show('cellar');
  expect((await advance({ file, given })).result).toHaveProperty('waitUntil');
  expect((await advance({ file, given: { ...given, host: hostname() } })).run.delivery_name).toBe('prices.csv');
  await endWorker(ctx.ledger, 'id of cellar');
  expect((await advance({ file, given })).run.delivery_name).toBe('prices.csv');
  const other = { ...given, bytes: bytes + 1 };
  expect((await advance({ file, given: other })).run).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining(
      `was named on the machine cellar, where no worker runs, and is another file on`,
    ) as string,
  });
  rmSync(file);
  expect((await advance({ file, given })).run.reason).toContain('where no worker runs, and is not on');
});
