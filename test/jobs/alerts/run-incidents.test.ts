import { expect, test } from 'vitest';
import { adviceOnIncident } from '../../../src/incidents.ts';
import { recordIncidents } from '../../../src/jobs/alerts/run-incidents.ts';
import { approveRun, rejectRun } from '../../../src/jobs/decisions/review.ts';
import { factsOf, listIncidents, openIncident } from '../../../src/ledger/alerts/incidents.ts';
import { getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const ANN = { who: 'ann', via: 'cli', origin: null } as const;
const APPROVED = 'approved by ann: season end; its rows are waiting to be uploaded';

/** A delivery that shrank is held, as often as it comes, and the incident of that is recorded. */
async function heldLane() {
  const lane = await laneWorld({ guard: { maxRowDrop: '50%' } });
  const { ctx, clock, deliver, incidents } = lane;
  expectLive(await deliver('1', '2', '3', '4'));
  const hold = async () => {
    clock.time += 1000;
    const run = await deliver('1');
    expect(run).toMatchObject({ outcome: 'held' });
    await recordIncidents(run, ctx);
    return run.id;
  };
  return {
    ...lane,
    hold,
    approve: (run: string) => approveRun(run, { ...ANN, reason: 'season end' }, ctx),
    reject: (run: string) => rejectRun(run, { ...ANN, reason: 'half is missing. Sent again.' }, ctx),
    /** The outcome of a run is reported. */
    report: async (run: string) => recordIncidents(await getRun(ctx.ledger.db, run), ctx),
    deliveries: async () => (await incidents()).filter(({ kind }) => kind === 'delivery'),
  };
}

test('an approved delivery waits for its upload, needs no decision, and is over when it is live', async () => {
  const { ctx, hold, approve, report, toRest, deliveries } = await heldLane();
  const run = await hold();
  expect(await deliveries()).toMatchObject([{ over: false, text: expect.stringMatching(/^held: /) as string }]);
  await approve(run);
  expect(await deliveries()).toMatchObject([{ over: false, times: 1, text: APPROVED }]);
  const [open] = await listIncidents(ctx.ledger.db);
  expect(adviceOnIncident(factsOf(open!)).steps).toEqual([
    'No decision is needed: this ends as soon as these rows are live.',
    `See what was delivered: \`offerline show ${run}\``,
  ]);
  await toRest();
  await report(run);
  expect(await deliveries()).toMatchObject([{ over: true }]);
});

test('the incident of a rejected delivery is over with the decision, which is how it ended', async () => {
  const { ctx, hold, reject, report } = await heldLane();
  const run = await hold();
  const [open] = await listIncidents(ctx.ledger.db);
  await reject(run);
  const over = { id: open!.id, recovery: 'rejected by ann: half is missing', recovered_run: null };
  expect(await listIncidents(ctx.ledger.db, { all: true })).toMatchObject([over]);
  await report(run);
  expect(await listIncidents(ctx.ledger.db, { all: true })).toMatchObject([over]);
});

test('what a newer delivery brought stays an incident when an older one is rejected', async () => {
  const { hold, reject, deliveries } = await heldLane();
  const [older] = [await hold(), await hold()];
  await reject(older);
  expect(await deliveries()).toMatchObject([{ over: false }]);
});

test('the same bytes held twice are one incident, which is over when the older run is approved and live', async () => {
  const { hold, approve, report, toRest, deliveries } = await heldLane();
  const [older, newer] = [await hold(), await hold()];
  expect(await deliveries()).toMatchObject([{ times: 2 }]);
  await approve(older);
  await report(newer);
  expect(await deliveries()).toMatchObject([{ over: false, text: APPROVED }]);
  await toRest();
  await report(older);
  expect(await deliveries()).toMatchObject([{ over: true }]);
});

test('a held delivery of an earlier version, whose reasons have no codes, is not announced again', async () => {
  const { ctx, hold, approve, report, toRest, deliveries } = await heldLane();
  const { db } = ctx.ledger;
  const older = await hold();
  const { outcome, delivery_sha, reason } = await getRun(db, older);
  const uncoded = { reason_code: null, reason_facts: null };
  const cause = [outcome, delivery_sha, reason].join(' ');
  await db.updateTable('runs').set(uncoded).where('id', '=', older).execute();
  await db
    .updateTable('incidents')
    .set({ ...uncoded, cause, told_at: 1 })
    .where('kind', '=', 'delivery')
    .execute();
  const newer = await hold();
  expect(await deliveries()).toMatchObject([{ over: false, times: 2 }]);
  expect(await openIncident(db, { kind: 'delivery', login: 'main', feed: 'north' })).toMatchObject({
    told_at: 1,
    cause: expect.stringContaining('"guard"') as string,
    reason_code: 'run-ended',
  });
  // The report of the older one is written again; its approval ends the incident, too.
  await report(older);
  expect(await deliveries()).toHaveLength(1);
  await approve(older);
  await report(newer);
  expect(await deliveries()).toMatchObject([{ over: false, text: APPROVED }]);
  await toRest();
  await report(older);
  expect(await deliveries()).toMatchObject([{ over: true }]);
});

test('an approved delivery that the service fails is announced as a failure', async () => {
  const { control, hold, approve, report, toRest, deliveries } = await heldLane();
  const run = await hold();
  await approve(run);
  await control.faults({ fault: 'fail', error: 'disk full' });
  await toRest();
  await report(run);
  expect(await deliveries()).toMatchObject([
    { over: true, text: APPROVED },
    { over: false, text: expect.stringMatching(/^failed: .*disk full/) as string },
  ]);
});

test('rows that changes left as they were are counted once', async () => {
  const { ctx, deliver, incidents } = await laneWorld();
  const { id, account } = await deliver('1', '2');
  const change = { base: 201, carried: 201, added: 1, changed: 0, same: 0, removed: 0, absent: 0 };
  const rows = { ...account!, read: 2, accepted: 202, contributed: 202, live: 202, rejectedLocally: 1, change };
  await updateRun(ctx.ledger.db, id, { outcome: 'partial', account: rows });
  await recordIncidents(await getRun(ctx.ledger.db, id), ctx);
  expect(await incidents()).toMatchObject([{ text: '202 of 203 rows are live, 1 rejected here' }]);
});
