import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  scoreSuppliers,
  type PeriodFacts,
  type ScoredDelivery,
  type SupplierFacts,
} from '../../../src/report/scorecard/measure.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function delivery(day: number, changes: Partial<ScoredDelivery> = {}): ScoredDelivery {
  return { run: `r${day}`, at: day * DAY, outcome: 'live', read: 1000, rejected: 0, restructured: false, ...changes };
}

function period(deliveries: ScoredDelivery[], changes: Partial<PeriodFacts> = {}): PeriodFacts {
  const arrivals = deliveries.map(({ run, at }) => ({ run, at }));
  return { from: 100 * DAY, to: 110 * DAY, last: 99 * DAY, arrivals, deliveries, problems: [], ...changes };
}

function supplier(now: PeriodFacts, changes: Partial<SupplierFacts> = {}): SupplierFacts {
  const expected = { expected: { every: DAY }, stops: [] };
  return { feed: 'north', name: 'Nord Teile', ...expected, known: null, now, before: period([]), ...changes };
}

const scoreOf = (facts: SupplierFacts) => scoreSuppliers([facts])[0]!;

describe('on time', () => {
  test('is the share of gaps that were no longer than expected, and names the late deliveries', () => {
    const { onTime } = scoreOf(
      supplier(
        period(
          [100, 101, 104, 105].map((day) => delivery(day)),
          { to: 105.5 * DAY },
        ),
      ),
    ).measures;
    expect(onTime).toEqual({ share: 0.75, good: 3, of: 4, runs: ['r104'] });
  });

  test('counts the gap that lasts as soon as it is too long', () => {
    const { onTime } = scoreOf(supplier(period([delivery(100)]))).measures;
    expect(onTime).toMatchObject({ good: 1, of: 2 });
  });

  test('is not measured where nothing is expected', () => {
    expect(scoreOf(supplier(period([delivery(100)]), { expected: null })).measures.onTime.share).toBeNull();
  });

  test('is by days where deliveries are due by the clock, and what stopped it does not count', () => {
    // Day 100 is Saturday, 11 April 1970.
    const expected = {
      weekdays: [1, 2, 3, 4, 5],
      by: [8 * HOUR],
      timezone: 'UTC',
      tolerance: 2 * HOUR,
      isOff: (day: string) => day === '1970-04-17',
    };
    const deliveries = [delivery(102 + 7 / 24), delivery(103 + 11 / 24), delivery(109 + 7 / 24)];
    const stops = [{ from: 105 * DAY, to: 106 * DAY }];
    const { onTime } = scoreOf(supplier(period(deliveries, { to: 110 * DAY }), { expected, stops })).measures;
    expect(onTime).toEqual({ share: 2 / 4, good: 2, of: 4, runs: [deliveries[1]!.run] });
  });
});

test('complete are deliveries with nine tenths of the usual rows', () => {
  const now = period([delivery(100), delivery(101, { read: 900 }), delivery(102, { read: 899 }), delivery(103)]);
  expect(scoreOf(supplier(now)).measures.complete).toEqual({ share: 0.75, good: 3, of: 4, runs: ['r102'] });
});

test('clean are the rows that nobody rejected', () => {
  const now = period([delivery(100, { rejected: 100 }), delivery(101, { read: null }), delivery(102)]);
  expect(scoreOf(supplier(now)).measures.clean).toEqual({ share: 0.95, good: 1900, of: 2000, runs: ['r100'] });
});

test('stable are deliveries with the columns of the one before and about as many rows', () => {
  const now = period([
    delivery(100),
    delivery(101, { restructured: true }),
    delivery(102, { read: 1201 }),
    delivery(103),
  ]);
  expect(scoreOf(supplier(now)).measures.stable).toEqual({ share: 1 / 3, good: 1, of: 3, runs: ['r101', 'r102'] });
});

test('recovery is the median of the problems that are over, and counts the open ones', () => {
  const problems = [1, 3, 8, null].map((days, at) => ({
    run: `p${at}`,
    openedAt: 100 * DAY,
    recoveredAt: days === null ? null : (100 + days) * DAY,
  }));
  expect(scoreOf(supplier(period([], { problems }))).recovery).toEqual({
    median: 3 * DAY,
    solved: 3,
    open: 1,
    runs: ['p0', 'p1', 'p2', 'p3'],
  });
});

test('whoever delivered too little has no score and no rank, and equal scores share one', () => {
  const full = period(
    [100, 101, 102].map((day) => delivery(day)),
    { to: 103 * DAY },
  );
  const scores = scoreSuppliers([
    supplier(period([delivery(100)]), { feed: 'little' }),
    supplier(full, { feed: 'b' }),
    supplier(full, { feed: 'a' }),
    supplier(
      period(
        [100, 101, 102].map((day) => delivery(day, { rejected: 10 })),
        { to: 103 * DAY },
      ),
      { feed: 'c' },
    ),
  ]);
  expect(scores.map(({ feed, rank }) => [feed, rank])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 3],
    ['little', null],
  ]);
});

test('the trend compares with the period before', () => {
  const good = period(
    [100, 101, 102].map((day) => delivery(day)),
    { to: 103 * DAY },
  );
  const bad = period(
    [97, 98, 99].map((day) => delivery(day, { rejected: 400 })),
    { from: 97 * DAY, to: 100 * DAY, last: 96 * DAY },
  );
  expect(scoreOf(supplier(good, { before: bad })).trend).toBeCloseTo(0.1, 5);
  expect(scoreOf(supplier(good)).trend).toBeNull();
});

const DELIVERIES = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 239 }),
    read: fc.option(fc.nat(100_000)),
    rejected: fc.nat(100_000),
    restructured: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('whatever was delivered, shares are between 0 and 1, ranks without gaps upwards, and the order of suppliers does not matter', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(DELIVERIES, fc.option(fc.integer({ min: 1, max: 20 }))), { maxLength: 8 }),
      (list) => {
        const suppliers = list.map(([deliveries, days], at) => {
          const sorted = deliveries.toSorted((a, b) => a.hours - b.hours);
          const shown = sorted.map(({ hours, ...rest }, n) =>
            delivery(100 + hours / 24, { run: `r${at}-${n}`, ...rest }),
          );
          return supplier(period(shown), { feed: `f${at}`, expected: days === null ? null : { every: days * DAY } });
        });
        const scores = scoreSuppliers(suppliers);
        for (const { measures, overall } of scores) {
          const shares = [overall, ...Object.values(measures).map(({ share }) => share)].filter(
            (share) => share !== null,
          );
          expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
          for (const { good, of, runs } of Object.values(measures)) expect(good <= of && runs.length <= 30).toBe(true);
        }
        const ranks = scores.flatMap(({ rank }) => (rank === null ? [] : [rank]));
        for (const [at, rank] of ranks.entries()) expect(rank === at + 1 || rank === ranks[at - 1]).toBe(true);
        expect(scoreSuppliers(suppliers.toReversed())).toEqual(scores);
      },
    ),
  );
});
