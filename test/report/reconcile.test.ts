import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomeOf, reconcile, type ReconcileInput } from '../../src/report/reconcile.ts';
import { rowCounts } from '../support/answers.ts';

const LOCAL = { read: 1250, expanded: 0, accepted: 1203, rejectedLocally: 40, duplicates: 7, leftOut: 0, skipped: 30 };

/** An upload of which everything is known, with what matters to a test changed. */
function account(changes: Partial<ReconcileInput> = {}) {
  const lines = { sent: 5000, processed: 5000 };
  const known = { local: LOCAL, outranked: 0, rejectedRemotely: 0, untraced: 0, errorsKnown: true, lines } as const;
  return reconcile({ finished: 'success', ...known, ...changes });
}

describe('an account', () => {
  test('of an upload without errors: everything accepted is live', () => {
    expect(account()).toEqual({
      ...LOCAL,
      outranked: 0,
      contributed: 1203,
      rejectedRemotely: 0,
      live: 1203,
      unexplained: 0,
    });
  });

  test('of outranked and rejected rows', () => {
    const rows = account({ outranked: 11, rejectedRemotely: 6 });
    expect(rows).toMatchObject({ contributed: 1192, live: 1186, unexplained: 0 });
  });

  test('of rows that made several offers each', () => {
    const local = { ...LOCAL, read: 1000, expanded: 250 };
    expect(account({ local })).toMatchObject({ read: 1000, expanded: 250, accepted: 1203, live: 1203 });
  });

  test.each([
    ['rejections that fit no row, or several', { untraced: 3 }, 3],
    ['lines that the service did not process', { lines: { sent: 5000, processed: 4990 } }, 10],
    ['more lines than rows and header', { lines: { sent: 5000, processed: 5004 } }, 3],
    ['an error file that could not be fetched', { errorsKnown: false }, 1203],
    ['an upload that did not succeed', { finished: 'other' as const }, 1203],
    ['nothing: the header may be counted', { lines: { sent: 5000, processed: 5001 } }, 0],
    ['nothing: the service does not show its lines', { lines: { sent: 5000, processed: null } }, 0],
  ])('is in doubt because of %s', (_why, changes, unexplained) => {
    expect(account(changes)).toMatchObject({ unexplained, live: 1203 - unexplained });
  });

  test('never has more uncertain rows than there are', () => {
    expect(account({ untraced: 1_000_000, rejectedRemotely: 3 })).toMatchObject({ live: 0, unexplained: 1200 });
  });

  test.each([
    [{ outranked: 1204 }],
    [{ rejectedRemotely: 1204 }],
    [{ untraced: -1 }],
    [{ local: { ...LOCAL, duplicates: 8 } }],
    [{ local: { ...LOCAL, expanded: 1 } }],
    [{ outranked: 0.5 }],
  ])('of numbers that contradict each other is refused: %j', (changes) => {
    expect(() => account(changes)).toThrow('The row counts of a run contradict each other.');
  });
});

const count = fc.nat(5000);
/** Rows that made so many offers, some of them several. */
function read(offers: number, share: number) {
  const expanded = Math.floor(offers * share);
  return { read: offers - expanded, expanded };
}
const anyInput = fc
  .record({
    accepted: count,
    rejectedLocally: count,
    duplicates: count,
    leftOut: count,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    outranked: count,
    rejectedRemotely: count,
    carried: fc.option(count, { nil: undefined }),
  })
  .map(({ accepted: brought, rejectedLocally, duplicates, leftOut, share, outranked, rejectedRemotely, carried }) => ({
    accepted: brought + (carried ?? 0),
    brought,
    rejectedLocally,
    duplicates,
    leftOut,
    share,
    outranked,
    rejectedRemotely,
    change:
      carried === undefined
        ? {}
        : { change: { base: carried, carried, added: 0, changed: 0, same: 0, removed: 0, absent: 0 } },
  }))
  .map(({ accepted, brought, rejectedLocally, duplicates, leftOut, share, outranked, rejectedRemotely, change }) => ({
    local: {
      ...read(brought + rejectedLocally + duplicates + leftOut, share),
      ...change,
      accepted,
      rejectedLocally,
      duplicates,
      leftOut,
      skipped: 0,
    },
    outranked: Math.min(outranked, accepted),
    rejectedRemotely: Math.min(rejectedRemotely, accepted - Math.min(outranked, accepted)),
  }));
const anyEnd = fc.record({
  finished: fc.constantFrom('success' as const, 'other' as const),
  untraced: count,
  errorsKnown: fc.boolean(),
  lines: fc.record({ sent: count, processed: fc.option(count) }),
});

test('every account balances', () => {
  fc.assert(
    fc.property(anyInput, anyEnd, (input, end) => {
      const rows = reconcile({ ...input, ...end });
      const { change, ...counts } = rows;
      expect(rows.read + rows.expanded + (change?.carried ?? 0)).toBe(
        rows.accepted + rows.rejectedLocally + rows.duplicates + rows.leftOut,
      );
      expect(change).toEqual(input.local.change);
      expect(rows.accepted).toBe(rows.contributed + rows.outranked);
      expect(rows.contributed).toBe(rows.live + rows.rejectedRemotely + rows.unexplained);
      expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(0);
      expect(end.finished === 'success' || rows.live === 0).toBe(true);
    }),
  );
});

test.each([
  ['live', { read: 10, duplicates: 2, outranked: 3, live: 5 }],
  ['partial', { read: 10, rejectedLocally: 1, live: 9 }],
  ['partial', { read: 10, rejectedRemotely: 1, live: 9 }],
  ['partial', { read: 10, unexplained: 1, live: 9 }],
])('the outcome is %s for %j', (outcome, rows) => {
  expect(outcomeOf(rowCounts(rows))).toBe(outcome);
});
