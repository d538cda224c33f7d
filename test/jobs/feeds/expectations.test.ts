import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { makeCandidate } from '../../../src/jobs/feeds/candidate.ts';
import { checkExpectations } from '../../../src/jobs/feeds/expectations.ts';
import { pullDelivery } from '../../../src/jobs/run/pull-stage.ts';
import { noteDelivery } from '../../../src/ledger/runs/deliveries.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { freezeFeed } from '../../../src/ledger/runs/freezes.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { announceAway, revokeAway } from '../../../src/jobs/decisions/away.ts';
import { pause, resume } from '../../../src/jobs/decisions/pause.ts';
import { addPause, endPause } from '../../../src/ledger/runs/pauses.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { getDataset } from '../../../src/ledger/uploads/intents.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor, leaseOf } from '../../upload/upload-world.ts';
import { composeNow } from '../lane-world.ts';

const START = Date.UTC(2026, 4, 4, 6, 0, 0);
const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

/** A feed with settings, another without, and a clock that a test moves. */
async function world(settings: object) {
  const inbox = tempFolder();
  const source = { type: 'directory', path: inbox, settle: '0s' };
  const feeds = { north: { login: 'main', source, ...settings }, south: { login: 'main', source } };
  const opened = await contextFor('http://127.0.0.1:9', { feeds, logins: { main: { guard: { maxRowDrop: '60%' } } } });
  let now = START;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  return {
    ctx,
    inbox,
    /** What a sweep finds so many hours later. */
    after: async (hours: number) => {
      now = START + hours * HOUR;
      await checkExpectations(ctx);
      return (await listIncidents(ctx.ledger.db)).map(({ kind, text }) => `${kind}: ${text}`);
    },
    pull: async (feed = 'north') => {
      const asked = { feed, login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
      const id = await createRun(ctx.ledger.db, { ...asked, now });
      await pullDelivery(await getRun(ctx.ledger.db, id), ctx, NEVER);
      await decideRun(ctx.ledger.db, id, { outcome: 'held', cause: 'guard', reason: null, now });
    },
  };
}

test('a delivery that does not come in time is an incident until the next one', async () => {
  const { ctx, inbox, after, pull } = await world({ expectEvery: '26h' });
  writeFileSync(join(inbox, '1.csv'), 'brand;oem\nBOSCH;1\n');
  await pull();
  expect(await after(26)).toEqual([]);
  const missing = (hours: number) =>
    `missing-delivery: nothing has arrived for ${hours} h (expected every 26 h); the last delivery arrived 2026-05-04 06:00:00 UTC`;
  expect(await after(27)).toEqual([missing(27)]);
  // The file of yesterday is still there, and is pulled again because it could not be used: that is no delivery.
  await pull();
  expect(await after(28)).toEqual([missing(28)]);
  writeFileSync(join(inbox, '2.csv'), 'brand;oem\nBOSCH;2\n');
  await pull();
  expect(await after(29)).toEqual([]);
  expect(await listIncidents(ctx.ledger.db, { all: true })).toMatchObject([{ recovery: '2.csv was delivered' }]);
  expect(await after(28 + 27)).toHaveLength(1);
});

test('a supplier that never delivered is missed from the first look on', async () => {
  const { after } = await world({ expectEvery: '26h' });
  expect(await after(0)).toEqual([]);
  expect(await after(30)).toEqual([
    'missing-delivery: nothing has arrived for 30 h (expected every 26 h); nothing has ever been delivered',
  ]);
});

test('nothing is missing while the feed is paused, or while it is pulled', async () => {
  const { ctx, after } = await world({ expectEvery: '26h' });
  const { db } = ctx.ledger;
  await after(0);
  const pause = { kind: 'feed', name: 'north' } as const;
  await addPause(db, { ...pause, at: START, who: 'anna', reason: 'stock-taking' });
  expect(await after(30)).toEqual([]);
  await endPause(db, pause);
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: START });
  expect(await after(31)).toEqual([]);
  await decideRun(db, run, { outcome: 'nothing', cause: 'no-file', reason: null, now: START });
  expect(await after(32)).toHaveLength(1);
});

const DECISION = { who: 'anna', reason: 'closed', via: 'cli', origin: null } as const;

test('a delivery that is due by the clock is an incident after the tolerance, until it comes', async () => {
  // Four in the afternoon UTC is six in the evening in Berlin, on a Monday.
  const { ctx, inbox, after, pull } = await world({
    expect: { days: 'mon-fri', by: '18:00', timezone: 'Europe/Berlin' },
  });
  expect(await after(0)).toEqual([]);
  expect(await after(12)).toEqual([]);
  expect(await after(12.1)).toEqual([
    'missing-delivery: the delivery that was due 2026-05-04 18:00:00 Europe/Berlin has not come; nothing has ever been delivered',
  ]);
  writeFileSync(join(inbox, '1.csv'), 'brand;oem\nBOSCH;1\n');
  await pull();
  expect(await after(35)).toEqual([]);
  expect(await listIncidents(ctx.ledger.db, { all: true })).toMatchObject([
    { recovery: '1.csv was delivered', numbers: { due: START + 10 * HOUR, lateAt: START + 12 * HOUR, came: 0, of: 1 } },
  ]);
  expect(await after(36.1)).toHaveLength(1);
});

test('of several a day it says how many came', async () => {
  const { inbox, after, pull } = await world({ expect: { days: 'mon-sun', by: '08:00', times: 2, tolerance: '30m' } });
  await after(0);
  writeFileSync(join(inbox, '1.csv'), 'brand;oem\nBOSCH;1\n');
  await pull();
  expect(await after(2.6)).toEqual([
    'missing-delivery: 1 of 2 deliveries of the day came; the delivery that was due 2026-05-04 08:00:00 UTC has not come; the last delivery arrived 2026-05-04 06:00:00 UTC',
  ]);
  writeFileSync(join(inbox, '2.csv'), 'brand;oem\nBOSCH;2\n');
  await pull();
  expect(await after(2.7)).toEqual([]);
});

test('an absence that is announced ends what is late, and one that is taken back does not stop it', async () => {
  const { ctx, after } = await world({ expect: { days: 'mon-fri', by: '08:00' } });
  await after(0);
  expect(await after(5)).toHaveLength(1);
  const away = { feed: 'north', days: '2026-05-04/2026-05-05' };
  await announceAway(away, DECISION, ctx);
  expect(await after(6)).toEqual([]);
  expect(await listIncidents(ctx.ledger.db, { all: true })).toMatchObject([
    { recovery: 'the next delivery is due 2026-05-06 08:00:00 UTC' },
  ]);
  await revokeAway(away, DECISION, ctx);
  expect(await after(7)).toHaveLength(1);
});

test('settings say when a supplier is away, and on which days nothing is due', async () => {
  const { after } = await world({
    expect: { days: 'mon-fri', by: '08:00', holidays: ['2026-05-04'], away: ['2026-05-05/2026-05-06'] },
  });
  await after(0);
  expect(await after(3 * 24)).toEqual([]);
  expect(await after(3 * 24 + 4.1)).toHaveLength(1);
});

test('a pause stops the clock of what is expected, by the clock and by a span, and ends nothing that is late', async () => {
  const { ctx, after } = await world({ expectEvery: '26h' });
  const feed = { kind: 'feed', name: 'north' } as const;
  await after(0);
  await after(20);
  await pause(feed, DECISION, ctx);
  expect(await after(40)).toEqual([]);
  await resume(feed, DECISION, ctx);
  expect(await after(46)).toEqual([]);
  expect(await after(46.1)).toHaveLength(1);
  await pause(feed, DECISION, ctx);
  expect(await after(60)).toHaveLength(1);
  ctx.config.feeds['north'] = { ...ctx.config.feeds['north']!, schedule: { cron: '0 6 * * *', timezone: 'UTC' } };
  await announceAway({ feed: 'north', days: '2026-05-04/2026-05-05' }, DECISION, ctx);
  await resume(feed, DECISION, ctx);
  expect(await after(61)).toEqual([]);
});

test('what is expected no longer is missing no longer', async () => {
  const { ctx, after } = await world({ expectEvery: '26h' });
  await after(0);
  expect(await after(30)).toHaveLength(1);
  delete ctx.config.feeds['north']!.expectEvery;
  expect(await after(31)).toEqual([]);
  ctx.config.feeds['north']!.expectEvery = 26 * HOUR;
  expect(await after(32)).toHaveLength(1);
  delete ctx.config.feeds['north'];
  expect(await after(33)).toEqual([]);
});

/** Rows of a feed as live ones, or as a candidate. */
async function rowsOf(feed: string, as: 'contribution' | 'candidate', ctx: Context): Promise<string> {
  const { db } = ctx.ledger;
  const kept = await ctx.archive.put(
    (async function* () {
      yield Buffer.from(`2\tBOSCH\t${feed}\t\t\n`);
    })(),
  );
  const asked = { feed, login: 'main', cause: 'manual', options: { wait: true }, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now: ctx.clock.now() });
  const counts = { read: 1, expanded: 0, accepted: 1, rejectedLocally: 0, duplicates: 0, leftOut: 0, skipped: 0 };
  await updateRun(db, id, { rows_sha: kept.sha256, counts, columns: ['brand', 'oem', 'name', 'tags'] });
  await feedState(db, feed, 'main');
  if (as === 'candidate') await makeCandidate(db, await getRun(db, id), ctx);
  else await updateFeed(db, feed, { contribution: id });
  await noteDelivery(db, { feed, login: 'main', name: `${feed}.csv`, fingerprint: id }, ctx.clock.now());
  return id;
}

/** The feeds of the dataset that is composed now, because the feed south brings something. */
async function composedFeeds(ctx: Context): Promise<string[]> {
  await rowsOf('south', 'candidate', ctx);
  const lease = await leaseOf(ctx);
  const result = await composeNow(lease, ctx);
  await lease.release();
  if (!('intent' in result) || result.intent === null)
    throw new Error(`nothing was composed: ${JSON.stringify(result)}`);
  const { parts } = await getDataset(ctx.ledger.db, result.intent.dataset);
  await ctx.ledger.db.deleteFrom('intents').execute();
  return parts.map(({ feed }) => feed);
}

test('a supplier that stopped delivering leaves the dataset, after a warning at half time', async () => {
  const { ctx, after } = await world({ expires: '14d' });
  await rowsOf('north', 'contribution', ctx);
  expect(await after(7 * 24 - 1)).toEqual([]);
  expect(await after(7 * 24)).toEqual([
    'expiry: nothing has arrived for 7 d (expires: 14 d); after 2026-05-18 06:00:00 UTC it leaves the dataset with the next upload of main',
  ]);
  expect(await after(14 * 24 - 1)).toHaveLength(1);
  expect(await composedFeeds(ctx)).toEqual(['north', 'south']);
  expect(await after(14 * 24)).toEqual([
    'expiry: nothing has arrived for 14 d (expires: 14 d); it leaves the dataset with the next upload of main',
  ]);
  expect(await composedFeeds(ctx)).toEqual(['south']);
  await noteDelivery(
    ctx.ledger.db,
    { feed: 'north', login: 'main', name: 'n.csv', fingerprint: 'new' },
    ctx.clock.now(),
  );
  expect(await after(14 * 24 + 1)).toEqual([]);
  expect(await composedFeeds(ctx)).toEqual(['north', 'south']);
});

test('without a warning nobody leaves: one that comes late puts the end off', async () => {
  const { ctx, after } = await world({ expires: '14d' });
  await rowsOf('north', 'contribution', ctx);
  // Nothing ran for twenty days.
  expect(await after(20 * 24)).toHaveLength(1);
  expect(await composedFeeds(ctx)).toEqual(['north', 'south']);
  await after(27 * 24 - 1);
  expect(await composedFeeds(ctx)).toEqual(['north', 'south']);
  await after(27 * 24);
  expect(await composedFeeds(ctx)).toEqual(['south']);
});

test('what people froze or paused stays', async () => {
  const { ctx, after } = await world({ expires: '14d' });
  await rowsOf('north', 'contribution', ctx);
  await after(7 * 24);
  await freezeFeed(ctx.ledger.db, { feed: 'north', login: 'main', at: START, who: 'anna', reason: 'rollback' });
  await after(20 * 24);
  expect(await composedFeeds(ctx)).toEqual(['north', 'south']);
});
