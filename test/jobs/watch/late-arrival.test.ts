import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { gatherWatchFacts } from '../../../src/jobs/watch/gather-facts.ts';
import { planWatch } from '../../../src/jobs/watch/plan-watch.ts';
import { carryOutWatch, type Watched } from '../../../src/jobs/watch/watch.ts';
import type { Watching, WatchFacts } from '../../../src/jobs/watch/watch-facts.ts';
import { liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { pause } from '../../../src/jobs/decisions/pause.ts';
import { lastVerified } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { createAttempt, findUpload, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import { attemptsSince } from '../../../src/ledger/uploads/watches.ts';
import { leaseOf } from '../../upload/upload-world.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

/** Carries out one plan after the other, until something was decided or nothing is left to be done. */
async function watchToEnd(facts: WatchFacts, work: Watching, ctx: Context): Promise<Watched> {
  const step = planWatch(facts);
  if (step === null) return facts;
  const watched = await carryOutWatch(step, facts, work, ctx);
  return watched === 'again' || 'waitUntil' in watched ? watched : watchToEnd(watched, work, ctx);
}

test('an attempt that arrived late and was overtaken by then is recorded, and what was proved since stays what is live', async () => {
  const { ctx, clock, deliver } = await laneWorld();
  expectLive(await deliver('1'));
  const { db } = ctx.ledger;
  const older = await lastVerified(db, 'main');
  const lost = await createAttempt(db, older!.intent, 2, clock.time);
  await updateUpload(db, lost.id, { state: 'lost', closed_at: clock.time });
  const { closed_at } = await findUpload(db, lost.id);
  clock.time += 60_000;
  expectLive(await deliver('1', '2'));
  const current = await lastVerified(db, 'main');
  clock.time += 60_000;

  const listed = { state: 'success', linesProcessed: 1, lastModified: clock.time, error: null, errorFileExists: false };
  const records = [
    { ...listed, id: current!.upload.offer_id!, sourceFile: null },
    { ...listed, id: '4711', sourceFile: `offerline-main-${lost.token}.txt` },
  ];
  const look = { records, attempts: await attemptsSince(db, 'main', 0), met: null };
  const lease = await leaseOf(ctx);
  const facts = await gatherWatchFacts('main', { pending: [], sending: false }, ctx);
  const work = { login: 'main', lease, signal: new AbortController().signal };
  expect(await watchToEnd({ ...facts, found: { look } }, work, ctx)).toBe('again');

  expect(await findUpload(db, lost.id)).toMatchObject({ state: 'success', offer_id: '4711', closed_at });
  expect((await lastVerified(db, 'main'))?.upload.id).toBe(current?.upload.id);
  expect(await liveNowOf('north', 'main', db)).toMatchObject({ live: 2, doubt: null });
});

test('the same rows that arrive once more are accounted for by what the service rejects of them then', async () => {
  const { ctx, clock, control, deliverAs, incidents, watch, world } = await laneWorld({}, {}, { north: {}, south: {} });
  expectLive(await deliverAs('north', ['1', '2', '3']));
  const south = await deliverAs('south', ['4']);
  expectLive(south);
  const { db } = ctx.ledger;
  const lost = await createAttempt(db, (await lastVerified(db, 'main'))!.intent, 2, clock.time);
  await updateUpload(db, lost.id, { state: 'lost', closed_at: clock.time });
  clock.time += 60_000;
  await control.faults({ fault: 'reject-rows', oems: ['1', '2', '4'] });
  await world.uploaded(await world.call('/us2/public/offer/source').then(({ text }) => text));
  await watch();

  expect(await liveNowOf('north', 'main', db)).toMatchObject({ live: 1, rejectedRemotely: 2, doubt: null });
  expect(await liveNowOf('south', 'main', db)).toMatchObject({ live: 0, rejectedRemotely: 1, doubt: null });
  expect(await getRun(db, south.id)).toMatchObject({ outcome: 'partial' });
  const open = (await incidents()).filter(({ kind, over }) => kind === 'lost-rows' && !over);
  expect(open).toHaveLength(2);
});

test('an attempt that arrives late over a newer dataset, while its login is paused, is not forgotten', async () => {
  const { ctx, deliver, watch, live, control } = await laneWorld();
  const { db } = ctx.ledger;
  await control.faults({ fault: 'late-accept', after: '10h' });
  expectLive(await deliver('1'));
  expectLive(await deliver('1', '2'));
  const current = await lastVerified(db, 'main');
  await pause({ kind: 'login', name: 'main' }, { who: 'test', reason: 'test', via: 'cli', origin: null }, ctx);
  await control.advance('10h');
  await control.advance('1m');
  expect(await live()).toEqual(['1']);
  await watch();
  await watch();

  expect((await lastVerified(db, 'main'))?.upload.id).toBe(current?.upload.id);
  expect(await liveNowOf('north', 'main', db)).toMatchObject({ live: null, proved: { live: 2 } });
  expect((await listIncidents(db, { login: 'main' })).map(({ kind }) => kind)).toContain('late-arrival');
});
