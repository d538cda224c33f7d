import { expect, test } from 'vitest';
import { settleLate } from '../../../src/jobs/watch/late-arrival.ts';
import { liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { pause } from '../../../src/jobs/decisions/pause.ts';
import { lastVerified } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { createAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import { attemptsSince } from '../../../src/ledger/uploads/watches.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

test('an attempt that arrived late and was overtaken by then is recorded, and what was proved since stays what is live', async () => {
  const { ctx, clock, deliver } = await laneWorld();
  expectLive(await deliver('1'));
  const { db } = ctx.ledger;
  const older = await lastVerified(db, 'main');
  const lost = await createAttempt(db, older!.intent, 2, clock.time);
  await updateUpload(db, lost.id, { state: 'lost', closed_at: clock.time });
  clock.time += 60_000;
  expectLive(await deliver('1', '2'));
  const current = await lastVerified(db, 'main');
  clock.time += 60_000;

  const attempt = (await attemptsSince(db, 'main', 0)).find(({ id }) => id === lost.id)!;
  const taken = await acquireLease(ctx.ledger, 'login-main', ctx.owner, 60_000);
  if ('heldFor' in taken) throw new Error('somebody else works');
  const said = { id: '4711', state: 'success', sourceFile: null, linesProcessed: 1, error: null };
  const record = { ...said, lastModified: clock.time, errorFileExists: false };
  const work = { login: 'main', lease: taken.lease, signal: new AbortController().signal, sending: false };
  expect(await settleLate(work, { record, attempt, isLive: false }, current!, ctx)).toBe('again');

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
  await pause({ kind: 'login', name: 'main' }, { who: 'test', reason: 'test' }, ctx);
  await control.advance('10h');
  await control.advance('1m');
  expect(await live()).toEqual(['1']);
  await watch();
  await watch();

  expect((await lastVerified(db, 'main'))?.upload.id).toBe(current?.upload.id);
  expect(await liveNowOf('north', 'main', db)).toMatchObject({ live: null, proved: { live: 2 } });
  expect((await listIncidents(db, { login: 'main' })).map(({ kind }) => kind)).toContain('late-arrival');
});
