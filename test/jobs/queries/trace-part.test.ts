import { expect, test } from 'vitest';
import { moment } from '../../../src/wording/words.ts';
import { checkExpectations } from '../../../src/jobs/feeds/expectations.ts';
import { tracePart } from '../../../src/jobs/queries/trace-part.ts';
import { noteDelivery } from '../../../src/ledger/runs/deliveries.ts';
import { freezeFeed } from '../../../src/ledger/runs/freezes.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { laneWorld } from '../lane-world.ts';

const DAY = 86_400_000;

type Lane = Awaited<ReturnType<typeof laneWorld>>;

/** What trace says of one part: of the login, and of one feed. */
async function traceOf({ ctx }: Lane, oem: string, of = 'north') {
  const { live, why, feeds } = await tracePart({ brand: 'BOSCH', oem }, 'main', ctx);
  const [trace, ...others] = feeds.filter(({ feed }) => feed === of);
  expect(others).toEqual([]);
  return { live, why, verdict: trace?.verdict, messages: trace?.messages };
}

test('a feed that has expired is traced as what it is: about to leave, then gone, with what brings it back', async () => {
  const lane = await laneWorld({}, {}, { north: { expires: '14d' }, south: {} });
  const { ctx, clock } = lane;
  const arrival = { feed: 'north', login: 'main', name: 'n.csv', fingerprint: '1' };
  await lane.deliver('1', '2');
  await noteDelivery(ctx.ledger.db, arrival, clock.time);
  await lane.deliverAs('south', ['2', '3']);
  expect(await traceOf(lane, '1')).toEqual({ live: true, why: null, verdict: 'live', messages: [] });

  clock.time += 7 * DAY;
  await checkExpectations(ctx);
  clock.time += 8 * DAY;
  const why = 'nothing was delivered for longer than feeds.north.expires (14 d)';
  expect(await traceOf(lane, '1')).toEqual({
    live: true,
    why: null,
    verdict: 'live',
    messages: [`${why}, so it leaves the dataset with the next upload; a new delivery keeps it`],
  });

  await lane.deliverAs('south', ['2', '3', '4']);
  expect(await traceOf(lane, '1')).toEqual({
    live: false,
    why: 'it left the dataset with the expired rows of north',
    verdict: 'expired',
    messages: [`${why}, so it left the dataset; its next good delivery brings it back`],
  });
  expect(await traceOf(lane, '2', 'south')).toMatchObject({ live: true, verdict: 'live' });

  await noteDelivery(ctx.ledger.db, { ...arrival, fingerprint: '2' }, clock.time);
  await lane.deliver('1');
  expect(await traceOf(lane, '1')).toEqual({ live: true, why: null, verdict: 'live', messages: [] });
});

test('a pause and a freeze are said beside the row, with who, since when and the command that ends them', async () => {
  const lane = await laneWorld();
  const { ctx, clock } = lane;
  await lane.deliver('1');
  const decision = { login: 'main', at: clock.time, who: 'anna' };
  await addPause(ctx.ledger.db, { kind: 'login', name: 'main', at: clock.time, who: 'anna', reason: 'stock-taking.' });
  const since = moment(clock.time);
  const pause = `the login main has been paused since ${since} by anna: stock-taking; nothing new from it goes live until \`offerline resume login:main --reason TEXT\``;
  expect(await traceOf(lane, '1')).toEqual({ live: true, why: null, verdict: 'live', messages: [pause] });

  await freezeFeed(ctx.ledger.db, { ...decision, feed: 'north', reason: 'wrong prices' });
  const freeze = `the feed has been frozen since ${since} by anna: wrong prices; its deliveries are held until \`offerline release feed:north --reason TEXT\``;
  expect(await traceOf(lane, '1')).toMatchObject({ verdict: 'live', messages: [freeze, pause] });

  // What was delivered before the pause waits, and says for what.
  await lane.deliver('1', '2');
  expect(await traceOf(lane, '2')).toEqual({
    live: false,
    why: 'it is waiting to be uploaded from north',
    verdict: 'waiting',
    messages: [freeze, pause],
  });
});

test('after an upload that was not proved nothing is said to be live, and the one before is named', async () => {
  const lane = await laneWorld();
  await lane.deliver('1');
  await lane.control.faults({ fault: 'lose-rows' });
  expect(await lane.deliver('1', '2')).toMatchObject({ outcome: 'failed' });
  const [proved, unproved] = await lane.uploads();
  expect(await traceOf(lane, '1')).toMatchObject({
    live: false,
    why: `upload ${unproved?.offerId} was accepted but could not be confirmed as live; in upload ${proved?.offerId}, the last one verified, it is live from north`,
  });
  expect(await traceOf(lane, '2')).toMatchObject({ live: false, verdict: 'not-uploaded' });
});

test("while somebody else's upload is live, and after one that failed, nothing is said to be live either", async () => {
  const lane = await laneWorld();
  await lane.deliver('1001');
  const { id } = await lane.world.uploaded('brand\toem\nATE\t7007\n');
  await lane.watch();
  expect(await traceOf(lane, '1001')).toMatchObject({
    live: false,
    why: expect.stringMatching(new RegExp(`else's upload ${id} .*the last one verified, it is live from north$`)),
  });
  // What takes its place is looked at at once.
  expect(await lane.deliver('1001', '1002')).toMatchObject({ outcome: 'live' });
  expect(await traceOf(lane, '1001')).toMatchObject({ live: true, why: null });
});

test('asked about some feeds only, a trace neither lists nor names the others', async () => {
  const lane = await laneWorld({}, {}, { north: { priority: 1 }, south: {} });
  await lane.deliver('1');
  await lane.deliverAs('south', ['1', '2']);
  const part = { brand: 'BOSCH', oem: '1' };
  const [upload] = (await lane.uploads()).slice(-1);
  const whole = await tracePart(part, 'main', lane.ctx);
  expect(whole).toMatchObject({
    live: true,
    winner: 'north',
    elsewhere: false,
    row: { feed: 'north', line: 2 },
    offerId: upload?.offerId,
    since: expect.stringMatching(/^2026-05-04T/),
    receipt: { verified: true },
  });
  const south = await tracePart(part, 'main', lane.ctx, ['south']);
  expect(south).toMatchObject({
    live: true,
    winner: null,
    elsewhere: true,
    row: null,
    feeds: [{ feed: 'south', verdict: 'outranked', messages: ['another feed won the part'] }],
  });
  expect(JSON.stringify(south)).not.toContain('north');
});
