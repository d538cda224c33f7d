import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { pullDelivery } from '../../../src/jobs/run/pull-stage.ts';
import { createRun, eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { filesOfRun, lastTaken, openAcknowledgements } from '../../../src/ledger/runs/taken-files.ts';
import { originOf } from '../../../src/pull/source.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;

async function place(settings: Record<string, unknown> = { after: 'delete' }) {
  const inbox = tempFolder();
  const source = { type: 'directory', path: inbox, settle: '0s', ...settings };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source } } });
  const at = { feed: 'north', origin: originOf(ctx.config.feeds['north']!.source) };
  return { ctx, at, inbox, file: join(inbox, 'prices.csv') };
}

async function runOf(ctx: Context) {
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
  return getRun(ctx.ledger.db, id);
}

test('a run that was killed after its file was deleted there goes on with the archived one', async () => {
  const { ctx, file } = await place();
  writeFileSync(file, 'brand;oem\nATE;1\n');
  const run = await runOf(ctx);
  await pullDelivery(run, ctx, SIGNAL);
  expect(existsSync(file)).toBe(false);
  // As it stood when the file was gone and the next stage not yet written.
  await updateRun(ctx.ledger.db, run.id, { stage: 'pull' });
  await pullDelivery(await getRun(ctx.ledger.db, run.id), ctx, SIGNAL);
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({
    stage: 'read',
    delivery_name: 'prices.csv',
    outcome: null,
  });
});

test('a file whose archived bytes are gone is pulled again, and nothing is deleted', async () => {
  const { ctx, at, file } = await place();
  writeFileSync(file, 'brand;oem\nATE;1\n');
  const { mtimeMs } = statSync(file);
  const run = await runOf(ctx);
  await pullDelivery(run, ctx, SIGNAL);
  const taken = await lastTaken(ctx.ledger.db, at);
  await ctx.archive.remove(taken!.sha256!);
  await ctx.ledger.db.updateTable('taken_files').set({ acknowledged: 'open' }).execute();
  writeFileSync(file, 'brand;oem\nATE;1\n');
  utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
  const other = await runOf(ctx);
  const { acknowledgeTaken } = await import('../../../src/jobs/feeds/acknowledge.ts');
  await acknowledgeTaken(other, ctx, SIGNAL);
  expect(existsSync(file)).toBe(true);
  expect(await openAcknowledgements(ctx.ledger.db, at)).toHaveLength(1);
  await updateRun(ctx.ledger.db, run.id, { stage: 'pull' });
  await pullDelivery(await getRun(ctx.ledger.db, run.id), ctx, SIGNAL);
  expect(await ctx.archive.has(taken!.sha256!)).toBe(true);
});

test('a file that was replaced after it was taken stays for the next pull', async () => {
  const { ctx, at, file } = await place();
  writeFileSync(file, 'brand;oem\nATE;1\n');
  const { acknowledge } = await import('../../../src/pull/acknowledge.ts');
  const { source } = ctx.config.feeds['north']!;
  const { size, mtimeMs } = statSync(file);
  writeFileSync(file, 'brand;oem\nATE;2\n');
  utimesSync(file, 1, 1);
  const listed = { name: 'prices.csv', size, mtimeMs };
  expect(await acknowledge(source as never, listed, SIGNAL)).toBe('changed');
  expect(existsSync(file)).toBe(true);
  rmSync(file);
  expect(await acknowledge(source as never, listed, SIGNAL)).toBe('gone');
  expect(await lastTaken(ctx.ledger.db, at)).toBeUndefined();
});

/** Writes the list of a day into an inbox, as it was at a time in seconds. */
function publisher(inbox: string) {
  return (date: string, at: number) => {
    const path = join(inbox, `prices_${date}.csv`);
    writeFileSync(path, `brand;oem\nATE;${at}\n`);
    utimesSync(path, at, at);
  };
}

test.each([{}, { take: 'all' }])(
  'what is to be said of a file is said once, and again when it was changed: %j',
  async (settings) => {
    const { ctx, inbox } = await place({ pattern: 'prices_{yyyy-MM-dd}.csv', ...settings });
    const publish = publisher(inbox);
    const said = async () => {
      const run = await runOf(ctx);
      await pullDelivery(run, ctx, SIGNAL);
      const { delivery_name } = await getRun(ctx.ledger.db, run.id);
      const events = (await eventsOf(ctx.ledger.db, run.id)).map(({ message }) => message);
      return { name: delivery_name, said: events.filter((message) => message.includes('in the future')) };
    };
    const AHEAD = 'prices_2062-11-29.csv has a date in the future, which does not count';
    publish('2062-11-29', 1000);
    publish('2026-01-02', 2000);
    expect(await said()).toEqual({ name: 'prices_2026-01-02.csv', said: [AHEAD] });
    publish('2026-01-03', 3000);
    expect(await said()).toEqual({ name: 'prices_2026-01-03.csv', said: [] });
    publish('2062-11-29', 2500);
    publish('2026-01-04', 4000);
    expect(await said()).toEqual({ name: 'prices_2026-01-04.csv', said: [AHEAD] });
    publish('2026-01-05', 5000);
    expect(await said()).toEqual({ name: 'prices_2026-01-05.csv', said: [] });
  },
);

test('each of many files is said once: the first are named, the others counted, and one that comes later is named', async () => {
  const { ctx, inbox } = await place({ pattern: 'prices_{yyyy-MM-dd}.csv' });
  const publish = publisher(inbox);
  const said = async () => {
    const run = await runOf(ctx);
    await pullDelivery(run, ctx, SIGNAL);
    const events = (await eventsOf(ctx.ledger.db, run.id)).map(({ message }) => message);
    return events.filter((message) => message.includes('in the future') || message.includes(' more'));
  };
  for (let year = 2050; year < 2062; year += 1) publish(`${year}-11-29`, 1000);
  publish('2026-01-02', 2000);
  const [first, ...others] = await said();
  expect(others).toEqual([]);
  expect(first!.split('; ')).toHaveLength(11);
  expect(first).toMatch(/; and 2 more$/u);
  publish('2049-11-29', 1000);
  publish('2026-01-03', 3000);
  expect(await said()).toEqual(['prices_2049-11-29.csv has a date in the future, which does not count']);
  publish('2026-01-04', 4000);
  expect(await said()).toEqual([]);
});

test('two files of which one has a time in the future do not take turns', async () => {
  const { ctx, inbox } = await place({ pattern: '*.csv' });
  const publish = (name: string, days: number) => {
    writeFileSync(join(inbox, name), `brand;oem\nATE;${name}\n`);
    const at = ctx.clock.now() / 1000 + days * 86_400;
    utimesSync(join(inbox, name), at, at);
  };
  const taken = async () => {
    const run = await runOf(ctx);
    await pullDelivery(run, ctx, SIGNAL);
    return (await getRun(ctx.ledger.db, run.id)).delivery_name;
  };
  publish('a.csv', 300);
  expect(await taken()).toBe('a.csv');
  publish('b.csv', -1);
  expect(await taken()).toBe('b.csv');
  expect([await taken(), await taken()]).toEqual(['b.csv', 'b.csv']);
});

test('the list that was taken last stays, also when a clock that was ahead was set back', async () => {
  const files = { list: { pattern: 'prices_*.csv', stays: true }, stock: { pattern: 'stock.csv' } };
  const { ctx, at, inbox } = await place({ pattern: '*.csv', files });
  const start = ctx.clock.now();
  const publish = (name: string, minutes: number) => {
    writeFileSync(join(inbox, name), `brand;oem\nATE;${name} ${minutes}\n`);
    const changed = start / 1000 + minutes * 60;
    utimesSync(join(inbox, name), changed, changed);
  };
  const taken = async (minutes: number) => {
    const then = { ...ctx, clock: { ...ctx.clock, now: () => start + minutes * 60_000 } };
    const run = await runOf(then);
    await pullDelivery(run, then, SIGNAL);
    return { run: run.id, files: (await filesOfRun(ctx.ledger.db, run.id)).map(({ name }) => name).toSorted() };
  };
  publish('prices_1123.csv', -600);
  publish('stock.csv', -10);
  expect((await taken(40)).files).toEqual(['prices_1123.csv', 'stock.csv']);
  publish('prices_1130.csv', -5);
  publish('stock.csv', -4);
  const second = await taken(0);
  expect(second.files).toEqual(['prices_1130.csv', 'stock.csv']);
  expect(await lastTaken(ctx.ledger.db, at)).toMatchObject({ run: second.run });
  for (const minutes of [5, 10]) {
    publish('stock.csv', minutes);
    expect((await taken(minutes)).files).toEqual(['prices_1130.csv', 'stock.csv']);
  }
});
