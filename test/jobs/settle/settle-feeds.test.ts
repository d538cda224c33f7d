import { expect, test } from 'vitest';
import { answerOf } from '../../../src/jobs/queries/answer.ts';
import { liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { prune } from '../../../src/jobs/maintenance/prune.ts';
import { rollback } from '../../../src/jobs/decisions/rollback.ts';
import { tracePart } from '../../../src/jobs/queries/trace-part.ts';
import { reportInput } from '../../../src/jobs/queries/run-report.ts';
import { lastVerified } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { raise } from '../../../src/ledger/alerts/incidents.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { accountsIn } from '../../../src/ledger/schema/schema.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const NORTH = ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008', '1009', '1010'];

const rejecting = (...oems: string[]): FaultInput => ({ fault: 'reject-rows', oems, times: 'forever' });

/** North has ten rows live, south one; what each has live by now, and what is open, can be asked for. */
async function twoFeeds(login: object = {}, feeds: Record<string, object> = { north: {}, south: {} }) {
  const lane = await laneWorld(login, {}, feeds);
  const { ctx, deliverAs, incidents } = lane;
  const north = await deliverAs('north', NORTH);
  expectLive(north);
  expectLive(await deliverAs('south', ['2001']));
  let next = 2001;
  return {
    ...lane,
    north: north.id,
    /** Another delivery of south, which has one row more each time. */
    south: async () => {
      next += 1;
      return deliverAs(
        'south',
        Array.from({ length: next - 2000 }, (_, at) => String(2001 + at)),
      );
    },
    now: async (feed = 'north') => liveNowOf(feed, 'main', ctx.ledger.db),
    open: async () => (await incidents()).filter(({ over }) => !over).map(({ kind, text }) => `${kind}: ${text}`),
    timeline: async () => (await eventsOf(ctx.ledger.db, north.id)).map(({ message }) => message),
    traced: async (oem: string) => tracePart({ brand: 'BOSCH', oem }, 'main', ctx),
  };
}

test('rejections of a feed that delivered nothing are kept in the intent, told on its timeline, and end when they end', async () => {
  const { ctx, control, north, south, now, open, timeline, traced } = await twoFeeds();
  expect((await timeline()).at(-1)).not.toContain('without a delivery');
  await control.faults(rejecting('1001', '1002'));
  await south();
  const proved = await lastVerified(ctx.ledger.db, 'main');
  const offerId = proved?.upload.offer_id;
  expect(accountsIn(proved!.intent)?.get('north')).toMatchObject({
    live: 8,
    rejectedRemotely: 2,
    rejections: { total: 2 },
  });
  expect(await now()).toMatchObject({ live: 8, rejectedRemotely: 2, upload: offerId, doubt: null });
  expect(await now('south')).toMatchObject({ live: 2, rejectedRemotely: 0 });
  expect(await open()).toEqual([
    `lost-rows: 2 of the 10 rows that were live have been rejected by the service since upload ${offerId}; 8 rows are live now`,
  ]);
  expect((await timeline()).at(-1)).toBe(
    `upload ${offerId}, without a delivery of its own: 8 rows are live (10 before), 2 rejected by the service`,
  );
  expect(await traced('1002')).toMatchObject({
    live: false,
    winner: 'north',
    why: `the service rejected the row of north in upload ${offerId}`,
  });

  // Not again for the same rows, and not over as long as one of them is rejected.
  await control.faults(rejecting('1002'));
  await south();
  expect(await open()).toMatchObject([expect.stringMatching(/^lost-rows: 1 of the 10 .* since upload \d+; 9 rows/)]);
  await control.clear();
  await south();
  expect(await open()).toEqual([]);
  expect(await now()).toMatchObject({ live: 10, rejectedRemotely: 0 });
  expect(await traced('1002')).toMatchObject({ live: true, why: null });
  expect((await getRun(ctx.ledger.db, north)).account).toMatchObject({ live: 10 });
});

test('lost rows are not said to be back by an upload whose errors file cannot be fetched', async () => {
  const { control, south, now, open } = await twoFeeds();
  await control.faults(rejecting('1001', '1002'));
  await south();
  const lost = await open();
  expect(lost).toMatchObject([expect.stringMatching(/^lost-rows: 2 of the 10 rows/)]);
  await control.faults(rejecting('1001', '1002'), { fault: 'refuse', operation: 'errors', times: 'forever' });
  await south();
  expect(await now()).toMatchObject({ live: 0, rejectedRemotely: 0 });
  expect(await open()).toEqual(expect.arrayContaining(lost));
  await control.clear();
  await south();
  expect(await now()).toMatchObject({ live: 10, rejectedRemotely: 0 });
  expect(await open()).toEqual([]);
});

test('a delivery above alarm.maxRemoteRejected of what was live is an incident, below it is none; a feed overrides its login', async () => {
  const feeds = { north: { alarm: { maxRemoteRejected: '40%' } }, south: {} };
  const { control, deliverAs, open } = await twoFeeds({ alarm: { maxRemoteRejected: '10%' } }, feeds);
  const lost = NORTH.slice(0, 4);
  await control.faults(rejecting(...lost));
  expect(await deliverAs('north', [...NORTH, '1011'])).toMatchObject({ outcome: 'partial' });
  expect(await open()).toEqual([]);
  await control.faults(rejecting(...lost, '1005'));
  // Of the seven that are live by now one is lost, which is no more than 40 %.
  expect(await deliverAs('north', [...NORTH, '1012'])).toMatchObject({ outcome: 'partial' });
  expect(await open()).toEqual([]);
  await control.faults(rejecting(...NORTH));
  expect(await deliverAs('north', [...NORTH, '1013'])).toMatchObject({ outcome: 'partial' });
  expect(await open()).toMatchObject([expect.stringMatching(/^lost-rows: 5 of the 6 rows that were live/)]);
});

test('new rows that the service never took are no loss', async () => {
  const { control, deliverAs, open } = await twoFeeds();
  const more = Array.from({ length: 10 }, (_, at) => String(1101 + at));
  await control.faults(rejecting(...more));
  expect(await deliverAs('north', [...NORTH, ...more])).toMatchObject({ outcome: 'partial' });
  expect(await open()).toEqual([]);
});

test('rows that a feed of higher priority wins are told on the timeline, and are no loss', async () => {
  const { deliverAs, open, now, timeline } = await twoFeeds({}, { north: {}, south: { priority: 1 } });
  await deliverAs('south', ['2001', '1001', '1002']);
  expect(await now()).toMatchObject({ live: 8, rejectedRemotely: 0 });
  expect(await open()).toEqual([]);
  expect((await timeline()).at(-1)).toMatch(/8 rows are live \(10 before\), 2 outranked by another feed$/);
});

test('a feed knows which file of it is live, until it is in no upload any more', async () => {
  // No guard keeps what a feed has live when it leaves.
  const { ctx, offer, toRest, south } = await twoFeeds({ guard: { maxRowDrop: '100%' } });
  const file = 'a'.repeat(64);
  const run = await offer('north', [...NORTH, '1011']);
  await updateRun(ctx.ledger.db, run, { delivery_sha: file });
  await toRest();
  const north = () => feedState(ctx.ledger.db, 'north', 'main');
  expect(await north()).toMatchObject({ contribution: run, live_sha: file });
  delete ctx.config.feeds['north'];
  await south();
  expect(await north()).toMatchObject({ contribution: null, live_sha: null });
});

test('that rows were rejected is over when all that the feed contributes is live in an upload of another one', async () => {
  const { ctx, north, south, open } = await twoFeeds();
  const { account } = await getRun(ctx.ledger.db, north);
  const reason = { code: 'rows-rejected', ...account!, read: 10, verified: null } as const;
  const incident = { kind: 'rejected-rows', login: 'main', feed: 'north', run: north, reason, cause: north } as const;
  await raise(ctx.ledger.db, incident, ctx.clock.now());
  expect(await open()).toEqual([expect.stringMatching(/^rejected-rows: /)]);
  await south();
  expect(await open()).toEqual([]);
});

test('a rollback settles every feed: rows that it brings back are live, and rows that it loses are said to be lost', async () => {
  const lane = await twoFeeds();
  const { ctx, clock, control, south, now, open, timeline, toRest } = lane;
  const back = async () => {
    clock.time += 1000;
    await rollback('main', undefined, { who: 'ann', reason: 'test', via: 'cli', origin: null }, ctx);
    await toRest();
  };
  const lostRows = async () => (await open()).filter((text) => text.startsWith('lost-rows'));
  clock.time += 1000;
  await south();
  await control.faults(rejecting('1001'));
  await back();
  expect(await now()).toMatchObject({ live: 9, rejectedRemotely: 1 });
  expect(await lostRows()).toHaveLength(1);
  await control.clear();
  await back();
  // The first of all datasets had no row of south.
  expect(await now()).toMatchObject({ live: 10, rejectedRemotely: 0 });
  expect(await now('south')).toMatchObject({ live: 0 });
  expect(await lostRows()).toEqual([]);
  expect((await timeline()).at(-1)).toMatch(/10 rows are live \(9 before\)$/);
});

test('nothing is opened or closed on a doubt: an upload that failed or is not proved changes nothing but what is certain', async () => {
  const { control, south, now, open, watch } = await twoFeeds();
  await control.faults(rejecting('1001'));
  await south();
  const known = await open();
  expect(known).toHaveLength(1);
  await control.faults({ fault: 'abort' }, { fault: 'lose-rows', times: 'forever' });
  expect(await south()).toMatchObject({ outcome: 'failed' });
  expect(await now()).toMatchObject({ live: null, proved: { live: 9, rejectedRemotely: 1 } });
  expect((await open()).filter((text) => text.startsWith('lost-rows'))).toEqual(known);

  await control.faults({ fault: 'lose-rows', times: 'forever' });
  expect(await south()).toMatchObject({ outcome: 'failed' });
  expect(await now()).toMatchObject({ live: null, doubt: expect.stringContaining('could not be confirmed') as string });
  expect((await open()).filter((text) => text.startsWith('lost-rows'))).toEqual(known);
  await control.clear();
  await watch();
  await south();
  expect(await now()).toMatchObject({ live: 10, doubt: null });
  expect(await open()).toEqual([]);
});

test('an upload that is proved late settles the feeds without a delivery as well', async () => {
  const { control, south, now, open, watch } = await twoFeeds();
  await control.faults(rejecting('1001', '1002', '1003'), { fault: 'index-lag', for: '1h' });
  expect(await south()).toMatchObject({ outcome: 'failed' });
  expect(await now()).toMatchObject({ live: null, proved: { live: 10 } });
  await control.advance('1h');
  await watch();
  expect(await now()).toMatchObject({ live: 7, rejectedRemotely: 3, doubt: null });
  expect(await open()).toMatchObject([expect.stringMatching(/^lost-rows: 3 of the 10/)]);
});

test("while somebody else's upload is live nothing of ours is said to be, until ours is again", async () => {
  const { world, watch, now, south, ctx, north } = await twoFeeds();
  const { id } = await world.uploaded('brand\toem\nATE\t7\n');
  await watch();
  expect((await answerOf(north, ctx)).now).toEqual({
    live: null,
    rejectedRemotely: null,
    since: null,
    upload: null,
    doubt: expect.stringContaining(`else's upload ${id}`) as string,
    proved: expect.objectContaining({ live: 10 }) as object,
  });
  await south();
  expect(await now()).toMatchObject({ live: 10, doubt: null });
});

test('a dataset that equals the live one is accounted for anew: its rows may come from another feed by now', async () => {
  const lane = await twoFeeds({}, { a: {}, north: {}, south: {} });
  const { ctx, control, deliverAs, now, traced, uploads, timeline, south } = lane;
  // The first row stays where it is, and is another feed's.
  const taken = await deliverAs('a', ['1001']);
  expect(taken).toMatchObject({ outcome: 'unchanged' });
  expect(await uploads()).toHaveLength(2);
  expect((await answerOf(taken.id, ctx)).rows).toMatchObject({ live: 1 });
  expect(await now('a')).toMatchObject({ live: 1 });
  expect(await now()).toMatchObject({ live: 9 });
  expect((await timeline()).at(-1)).toMatch(/9 rows are live \(10 before\), 1 outranked by another feed$/);
  expect(await traced('1001')).toMatchObject({ live: true, winner: 'a' });

  await control.faults(rejecting('1001'));
  await south();
  expect(await now('a')).toMatchObject({ live: 0, rejectedRemotely: 1 });
  expect(await now()).toMatchObject({ live: 9, rejectedRemotely: 0 });
  expect(await traced('1001')).toMatchObject({ live: false, winner: 'a' });
});

test('the same rows again say which of them are rejected, with the rejections beside the account', async () => {
  const { ctx, control, south, deliverAs } = await twoFeeds();
  await control.faults(rejecting('1001', '1002'));
  await south();
  const again = await deliverAs('north', NORTH);
  expect(again).toMatchObject({ outcome: 'unchanged', rejections_total: 2 });
  expect(again.reason).toMatch(
    /equals the live one; nothing was sent; 2 of its 10 rows have been rejected by the service/,
  );
  expect(await answerOf(again.id, ctx)).toMatchObject({ rows: { live: 8, rejectedRemotely: 2 } });
});

test('the report of what a feed contributes has the rejections that stand now', async () => {
  const { ctx, control, south, north } = await twoFeeds();
  const rejected = async () => {
    const found: unknown[] = [];
    const input = await reportInput(await getRun(ctx.ledger.db, north), ctx);
    for await (const { oem, line } of input.rejections()) found.push([oem, line]);
    return found;
  };
  expect(await rejected()).toEqual([]);
  await control.faults(rejecting('1002'));
  await south();
  expect(await rejected()).toEqual([['1002', 3]]);
  await control.clear();
  await south();
  expect(await rejected()).toEqual([]);
});

test('what an earlier version recorded is read as it is: good counts, and rejected rows that nobody knows', async () => {
  const { ctx, control, south, now, traced, open } = await twoFeeds();
  await control.faults(rejecting('1001', '1002'));
  const run = await south();
  const proved = await lastVerified(ctx.ledger.db, 'main');
  const accounts = proved?.intent.accounts ?? {};
  for (const account of Object.values(accounts)) delete account.rejections;
  await updateIntent(ctx.ledger.db, proved!.intent.id, { accounts });
  await ctx.ledger.db.deleteFrom('incidents').execute();

  expect(await now()).toMatchObject({ live: 8, rejectedRemotely: 2, doubt: null });
  expect(await traced('1001')).toMatchObject({
    live: false,
    why: expect.stringContaining('which 2 rows of north the service rejected in upload') as string,
  });
  // What south delivered in that very upload was kept with its run.
  expect(await traced('2001')).toMatchObject({ live: true });
  expect(run.rejections_total).toBe(0);
  await control.faults(rejecting('1001', '1002', '1003'));
  await south();
  expect(await traced('1001')).toMatchObject({
    live: false,
    why: expect.stringContaining('rejected the row') as string,
  });
  expect(await open()).toMatchObject([expect.stringMatching(/^lost-rows: 1 of the 8 rows that were live/)]);
});

test('what tells of rows that are rejected outlives the run that it was drawn for, as long as its dataset is kept', async () => {
  const { ctx, clock, control, south, traced, now } = await twoFeeds();
  await control.faults(rejecting('1001'));
  await south();
  const runs = await ctx.ledger.db.selectFrom('runs').selectAll().execute();
  for (const { id } of runs) await updateRun(ctx.ledger.db, id, { stage: 'done', finished_at: 1 });
  clock.time = Date.now() + 500 * 86_400_000;
  await prune({ dryRun: false }, ctx);
  expect(await now()).toMatchObject({ live: 9, rejectedRemotely: 1 });
  expect(await traced('1001')).toMatchObject({
    live: false,
    why: expect.stringContaining('rejected the row of north'),
  });
});
