import { beforeAll, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { expectationOf } from '../../../src/jobs/standing/feed/expectation.ts';
import { feedGuards } from '../../../src/jobs/standing/feed/guards.ts';
import { feedHistory } from '../../../src/jobs/standing/feed/history.ts';
import { updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { addPause, endPause } from '../../../src/ledger/runs/pauses.ts';
import { listRuns, updateRun } from '../../../src/ledger/runs/runs.ts';
import { FEEDS, openSmall } from '../../support/filled-ledger.ts';

let ctx: Context;
beforeAll(async () => {
  ctx = await openSmall();
});

const feed = FEEDS[0]!;
const HOUR = 3_600_000;

test('a feed has a strip of its last deliveries and its live rows over time', async () => {
  const { strip, points } = await feedHistory(feed, null, ctx, { deliveries: 8 });
  expect(strip).toHaveLength(8);
  const good = strip.filter(({ outcome }) => outcome === 'live' || outcome === 'partial');
  expect(strip.filter(({ live }) => live !== null)).toEqual(good);
  expect(
    good.every(({ tone, read, accepted, live }) => tone === 'good' && read! >= accepted! && accepted! >= live!),
  ).toBe(true);
  expect(points.length).toBeGreaterThan(1);
  expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted((a, b) => a - b));
});

test('feeds that may not be seen, and those that are not there, are not found', async () => {
  for (const [name, scope] of [
    [feed, [FEEDS[1]!]],
    [feed, []],
    ['nothing', null],
  ] as const) {
    for (const ask of [feedHistory, feedGuards, expectationOf]) {
      await expect(ask(name, scope, ctx)).rejects.toMatchObject({ code: 'not-found' });
    }
  }
});

test('each guard says whose setting holds, what the last accepted delivery measured, and how far that is from the limit', async () => {
  const [last, before] = await listRuns(ctx.ledger.db, { feed, outcomes: ['live', 'partial'], limit: 2 });
  const counts = {
    read: 1000,
    expanded: 0,
    accepted: 900,
    rejectedLocally: 100,
    duplicates: 0,
    leftOut: 0,
    skipped: 0,
  };
  await updateRun(ctx.ledger.db, last!.id, { counts });
  await updateRun(ctx.ledger.db, before!.id, { counts: { ...counts, accepted: 1000, rejectedLocally: 0 } });
  await updateFeed(ctx.ledger.db, feed, { contribution: last!.id });
  const { run, comparedWith, guards } = await feedGuards(feed, null, ctx);
  expect([run, comparedWith]).toEqual([last!.id, before!.id]);
  const of = (name: string) => guards.find(({ guard }) => guard === name);
  expect(of('minRows')).toEqual({
    guard: 'minRows',
    limit: 1,
    from: 'default',
    measured: 900,
    left: 899,
    used: 1 / 900,
    holds: { below: 1 },
  });
  expect(of('maxRejected')).toMatchObject({
    limit: 0.2,
    from: 'default',
    measured: 0.1,
    left: 0.1,
    used: 0.5,
    holds: null,
  });
  expect(of('maxRowDrop')).toMatchObject({ limit: 0.3, from: 'feed', measured: 0.1, holds: { below: 630 } });
  expect(of('maxRowGrowth')).toMatchObject({ limit: 4, from: 'feed', measured: -0.1, used: 0, holds: { above: 4500 } });
  expect(of('maxTagDrop')).toEqual({
    guard: 'maxTagDrop',
    limit: null,
    from: null,
    measured: 0,
    left: null,
    used: null,
    holds: null,
  });
});

test('a guard that the login sets is the login’s', async () => {
  const { guards } = await feedGuards(FEEDS[1]!, null, ctx);
  expect(guards.find(({ guard }) => guard === 'maxRejected')).toMatchObject({ limit: 0.1, from: 'login' });
});

test('rows that were pruned leave the losses of brands and tags unmeasured', async () => {
  const [last] = await listRuns(ctx.ledger.db, { feed, outcomes: ['live', 'partial'], limit: 1 });
  await updateRun(ctx.ledger.db, last!.id, { bytes_pruned_at: 1 });
  const { guards } = await feedGuards(feed, null, ctx);
  for (const name of ['maxBrandDrop', 'maxTagDrop'])
    expect(guards.find(({ guard }) => guard === name)).toMatchObject({ measured: null, used: null });
  await updateRun(ctx.ledger.db, last!.id, { bytes_pruned_at: null });
});

test('a feed without deliveries has guards and nothing measured', async () => {
  ctx.config.feeds['never'] = { ...ctx.config.feeds[feed]! };
  try {
    const { run, guards } = await feedGuards('never', null, ctx);
    expect(run).toBeNull();
    expect(guards.every(({ measured, left }) => measured === null && left === null)).toBe(true);
    expect(await feedHistory('never', null, ctx)).toMatchObject({ strip: [] });
    expect(await expectationOf('never', null, ctx)).toMatchObject({ last: null, lateAt: null, late: false });
  } finally {
    delete ctx.config.feeds['never'];
  }
});

test('a delivery is late after expectEvery, and never while its feed is paused', async () => {
  const now = ctx.clock.now();
  const { db } = ctx.ledger;
  await updateFeed(db, feed, { delivered_at: now - 35 * HOUR });
  expect(await expectationOf(feed, null, ctx)).toMatchObject({
    late: false,
    lateAt: now + HOUR,
    last: now - 35 * HOUR,
  });
  await updateFeed(db, feed, { delivered_at: now - 37 * HOUR });
  expect(await expectationOf(feed, null, ctx)).toMatchObject({ late: true, expectEvery: 36 * HOUR, paused: false });
  await addPause(db, { kind: 'feed', name: feed, at: now, who: 'anna', reason: 'they move' });
  expect(await expectationOf(feed, null, ctx)).toMatchObject({ late: false, paused: true });
  await endPause(db, { kind: 'feed', name: feed });
  expect(await expectationOf(FEEDS[1]!, null, ctx)).toMatchObject({ expectEvery: null, lateAt: null, late: false });
});
