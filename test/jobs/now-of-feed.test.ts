import { expect, test } from 'vitest';
import { answerOf } from '../../src/jobs/answer.ts';
import { nowOfFeed } from '../../src/jobs/now-of-feed.ts';
import { updateWatch } from '../../src/ledger/watches.ts';
import { expectLive, laneWorld } from './lane-world.ts';

async function lane() {
  const world = await laneWorld({}, {}, { north: {}, south: {} });
  return { ...world, now: (feed = 'north') => nowOfFeed(feed, 'main', world.ctx) };
}

test('a feed has live what the newest proved upload says of it, whoever delivered', async () => {
  const { deliver, deliverAs, now } = await lane();
  const nothing = { live: 0, rejectedRemotely: 0, since: null, upload: null, doubt: null };
  expect(await now()).toEqual(nothing);
  expectLive(await deliver('1', '2'));
  expect(await now()).toMatchObject({ live: 2, rejectedRemotely: 0, upload: '9007199254740993', doubt: null });
  expect(await now('south')).toEqual(nothing);
  expectLive(await deliverAs('south', ['3']));
  const { since, ...rest } = await now();
  expect(rest).toEqual({ live: 2, rejectedRemotely: 0, upload: '9007199254740995', doubt: null });
  expect(since).toMatch(/^2026-05-04T.*Z$/);
});

test('while something is in doubt nothing is said to be live but what was proved last', async () => {
  const { ctx, control, deliver, now } = await lane();
  expectLive(await deliver('1', '2'));
  await updateWatch(ctx.ledger.db, 'main', { unverified: '77', unverified_at: 0 });
  const before = { live: 2, upload: '9007199254740993' };
  expect(await now()).toMatchObject({ live: null, since: null, doubt: expect.stringContaining('77'), proved: before });
  await updateWatch(ctx.ledger.db, 'main', { unverified: null, unverified_at: null });
  expect(await now()).toMatchObject({ live: 2, doubt: null });

  await control.faults({ fault: 'lose-rows', times: 'forever' });
  const unproved = await deliver('1', '2', '3');
  expect(await answerOf(unproved.id, ctx)).toMatchObject({
    outcome: 'failed',
    cause: 'unproved',
    now: { live: null, doubt: 'upload 9007199254740995 was accepted and not proved', proved: before },
  });
});
