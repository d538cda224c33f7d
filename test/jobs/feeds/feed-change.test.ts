import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideChange, type FeedChange, type LostBefore } from '../../../src/jobs/feeds/feed-change.ts';
import { rowCounts } from '../../support/answers.ts';
import { repetitions } from '../../support/repetitions.ts';

const account = (live: number, rejectedRemotely = 0, more: { outranked?: number; unexplained?: number } = {}) =>
  rowCounts({ read: 40, contributed: live + rejectedRemotely, live, rejectedRemotely, ...more });

const QUIET: FeedChange = {
  feed: 'north',
  run: 'r1',
  delivered: false,
  before: account(40),
  after: account(40),
  beforeIntent: 'i1',
  lost: 0,
  open: null,
  allowed: 0.2,
};
const OPEN = { before: 'i0', offerId: '17', wasLive: 40, lost: 20, grewIn: '17' };

const decided = (change: Partial<FeedChange>) => decideChange({ ...QUIET, ...change }, '18');

test('a feed of which nothing changed is told nothing', () => {
  expect(decided({})).toMatchObject({ line: null, lostRows: null });
});

test('without a delivery any lost row is an incident, and a line on the timeline', () => {
  expect(decided({ after: account(39, 1), lost: 1 })).toMatchObject({
    line: 'upload 18, without a delivery of its own: 39 rows are live (40 before), 1 rejected by the service',
    lostRows: {
      raise: { code: 'rows-lost', offerId: '18', wasLive: 40, lost: 1, live: 39 },
      numbers: { before: 'i1', offerId: '18', wasLive: 40, lost: 1, live: 39, grewIn: '18' },
    },
  });
});

test('rows that another feed won, or that are unexplained, are told and are not lost to rejections', () => {
  expect(decided({ after: account(30, 0, { outranked: 8, unexplained: 2 }) })).toMatchObject({
    line: 'upload 18, without a delivery of its own: 30 rows are live (40 before), 8 outranked by another feed, 2 unexplained',
    lostRows: null,
    unexplained: { count: 2 },
    noneRejected: null,
  });
});

test('a delivery may lose the share that the setting allows, and its own account is what is told of it', () => {
  const delivered = true;
  expect(decided({ delivered, after: account(32, 8), lost: 8 })).toMatchObject({ line: null, lostRows: null });
  expect(decided({ delivered, after: account(31, 9), lost: 9 })).toMatchObject({
    line: null,
    lostRows: { raise: { code: 'rows-lost', wasLive: 40, lost: 9 } },
    unexplained: null,
  });
  expect(decided({ delivered, after: account(31, 9), lost: 9, allowed: 1 })).toMatchObject({ lostRows: null });
});

test('rejected rows that never were live are no loss', () => {
  expect(decided({ delivered: true, before: account(0, 40), after: account(0, 40) })).toMatchObject({ lostRows: null });
  expect(decided({ delivered: true, before: null, after: account(20, 20) })).toMatchObject({ lostRows: null });
});

test('an open loss lasts until none of its rows is rejected, keeps where it began, and is told anew only when it grows', () => {
  const less = decided({ open: OPEN, before: account(20, 20), after: account(30, 10), lost: 10 });
  expect(less.lostRows).toMatchObject({ numbers: { ...OPEN, lost: 10, live: 30 } });
  const more = decided({ open: OPEN, before: account(20, 20), after: account(10, 30), lost: 30, delivered: true });
  expect(more.lostRows).toMatchObject({ numbers: { ...OPEN, lost: 30, grewIn: '18' } });
  expect(decided({ open: OPEN, before: account(20, 20) })).toMatchObject({
    lostRows: { recover: 'none of the 20 lost rows is rejected any more; 40 rows are live in upload 18' },
  });
});

test('an open loss does not end while nobody knows which rows are rejected', () => {
  const unknown = account(0, 0, { unexplained: 40 });
  expect(decided({ open: OPEN, before: account(20, 20), after: unknown }).lostRows).toBeNull();
  const illegible = account(39, 0, { unexplained: 1 });
  expect(decided({ open: OPEN, before: account(20, 20), after: illegible }).lostRows).toBeNull();
});

test('rows that were unexplained before were not said to be live, and no more are lost than were', () => {
  const before = account(1, 0, { unexplained: 39 });
  expect(decided({ before, after: account(20, 20), lost: 20 })).toMatchObject({
    lostRows: { numbers: { wasLive: 1, lost: 1 } },
  });
  expect(decided({ before: account(0, 0, { unexplained: 40 }), after: account(20, 20), lost: 20 }).lostRows).toBeNull();
});

test('a feed that leaves the dataset is said to, and has lost nothing to rejections', () => {
  expect(decided({ open: OPEN, after: null, lost: null })).toMatchObject({
    line: 'upload 18, in which it has no part: no row of it is live (40 before)',
    lostRows: { recover: 'it has no rows in upload 18, which is live now' },
  });
});

test('where nobody knows which rows were rejected before, only what must be new counts', () => {
  expect(decided({ before: account(30, 10), after: account(25, 15), lost: null })).toMatchObject({
    lostRows: { numbers: { lost: 5 } },
  });
  expect(decided({ before: account(30, 10), after: account(30, 10), lost: null })).toMatchObject({ lostRows: null });
});

const anyCount = fc.nat(50);
const anyAccount = fc.option(fc.tuple(anyCount, anyCount).map(([live, rejected]) => account(live, rejected)));
const anyChange = fc.record<FeedChange>({
  feed: fc.constant('north'),
  run: fc.constant('r1'),
  delivered: fc.boolean(),
  before: anyAccount,
  after: anyAccount,
  beforeIntent: fc.constant('i1'),
  lost: fc.option(anyCount),
  open: fc.option(fc.record<LostBefore>({ ...constants(OPEN), lost: fc.integer({ min: 1, max: 50 }) })),
  allowed: fc.constantFrom(0, 0.2, 1),
});

function constants({ before, offerId, wasLive, grewIn }: LostBefore) {
  const [of, upload, live, grew] = [
    fc.constant(before),
    fc.constant(offerId),
    fc.constant(wasLive),
    fc.constant(grewIn),
  ];
  return { before: of, offerId: upload, wasLive: live, grewIn: grew };
}

/** Without an open loss, lost rows are rows of what was live before. */
function isPossible({ open, lost, before }: FeedChange): boolean {
  return open !== null || lost === null || lost <= (before?.live ?? 0);
}

function isSound(change: FeedChange): boolean {
  const { lostRows } = decideChange(change, '18');
  // What is open is either kept or closed.
  if (lostRows === null) return change.open === null;
  // Nothing is closed that was not open.
  if ('recover' in lostRows) return change.open !== null;
  const { lost, wasLive } = lostRows.numbers;
  return lost > 0 && lost <= wasLive && change.after !== null;
}

test('of any change: no more is said to be lost than was live, and an incident is open exactly while rows are lost', () => {
  const property = fc.property(anyChange.filter(isPossible), isSound);
  expect(fc.check(property, { numRuns: repetitions(3000) })).toMatchObject({ failed: false });
});
