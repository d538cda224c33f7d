import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DaysExpected } from '../../src/calendar/expected-days.ts';
import { duesIn, standingAt, type Expected, type Known } from '../../src/calendar/expected.ts';
import { clockTime } from '../../src/wording/words.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BERLIN = 'Europe/Berlin';

/** Monday to Friday by eight in Berlin. */
function days(changes: Partial<DaysExpected> = {}): DaysExpected {
  const settings = { weekdays: [1, 2, 3, 4, 5], by: [8 * HOUR], timezone: BERLIN, tolerance: 2 * HOUR };
  return { ...settings, isOff: () => false, ...changes };
}

/** A moment by the clock of Berlin in winter, with its offset in summer: `2026-11-30 08:00`. */
const at = (text: string, offset = '+01:00') => Date.parse(`${text.replace(' ', 'T')}:00${offset}`);
const summer = (text: string) => at(text, '+02:00');

function known(deliveries: number[], changes: Partial<Known> = {}): Known {
  return { since: null, deliveries, stops: [], ...changes };
}

/** When the next delivery is due by the clock of Berlin, and whether it is late. */
function standing(expected: Expected, facts: Known, now: number): string {
  const { due, late, came, of } = standingAt(expected, facts, now);
  const when = due === null ? 'nothing' : clockTime(due, BERLIN).slice(0, 16);
  return `${when}${late ? ' late' : ''}${of > 1 ? ` ${came} of ${of}` : ''}`;
}

describe('by days', () => {
  // 30 November 2026 is a Monday.
  test('a delivery is due by its time, and late after the tolerance', () => {
    const facts = known([at('2026-11-27 07:00')]);
    expect(standing(days(), facts, at('2026-11-30 09:59'))).toBe('2026-11-30 08:00');
    expect(standing(days(), facts, at('2026-11-30 10:00'))).toBe('2026-11-30 08:00');
    expect(standing(days(), facts, at('2026-11-30 10:01'))).toBe('2026-11-30 08:00 late');
    expect(standing(days(), facts, at('2026-12-02 12:00'))).toBe('2026-11-30 08:00 late');
    const late = known([at('2026-11-27 07:00'), at('2026-11-30 15:00')]);
    expect(standing(days(), late, at('2026-11-30 16:00'))).toBe('2026-12-01 08:00');
  });

  test('one that comes the evening before is on time, a correction of the afternoon is none of the next day', () => {
    const friday = at('2026-11-27 07:00');
    expect(standing(days(), known([friday, at('2026-11-29 20:00')]), at('2026-11-30 11:00'))).toBe('2026-12-01 08:00');
    const corrected = known([at('2026-11-30 07:00'), at('2026-11-30 15:00')]);
    expect(standing(days(), corrected, at('2026-12-01 11:00'))).toBe('2026-12-01 08:00 late');
  });

  test('a delivery makes up for the days before it', () => {
    const facts = known([at('2026-11-24 07:00'), at('2026-11-27 13:00')]);
    expect(standing(days(), facts, at('2026-11-27 14:00'))).toBe('2026-11-30 08:00');
  });

  test('a supplier that never delivered is waited for from the first look on', () => {
    const facts = known([], { since: at('2026-11-30 09:00') });
    expect(standing(days(), facts, at('2026-11-30 23:00'))).toBe('2026-12-01 08:00');
    expect(standing(days(), facts, at('2026-12-01 10:01'))).toBe('2026-12-01 08:00 late');
    expect(standing(days(), known([]), at('2026-11-30 09:00'))).toBe('2026-12-01 08:00');
  });

  test('several times a day, each is due by its own', () => {
    const expected = days({ by: [8 * HOUR, 14 * HOUR] });
    expect(standing(expected, known([at('2026-11-30 07:00')]), at('2026-11-30 15:00'))).toBe('2026-11-30 14:00 1 of 2');
    expect(standing(expected, known([at('2026-11-30 07:00')]), at('2026-11-30 16:01'))).toBe(
      '2026-11-30 14:00 late 1 of 2',
    );
    const both = known([at('2026-11-30 07:00'), at('2026-11-30 13:00')]);
    expect(standing(expected, both, at('2026-11-30 16:01'))).toBe('2026-12-01 08:00 0 of 2');
  });

  test('two by one time', () => {
    const expected = days({ by: [14 * HOUR, 14 * HOUR] });
    const facts = known([at('2026-11-30 09:00')]);
    expect(standing(expected, facts, at('2026-11-30 16:01'))).toBe('2026-11-30 14:00 late 1 of 2');
  });

  test('nothing is due on a day that is off', () => {
    const expected = days({ isOff: (day) => day === '2026-12-25' });
    expect(standing(expected, known([at('2026-12-24 07:00')]), at('2026-12-25 12:00'))).toBe('2026-12-28 08:00');
    expect(standing(days({ isOff: () => true }), known([at('2026-12-24 07:00')]), at('2026-12-25 12:00'))).toBe(
      'nothing',
    );
  });

  test('nothing is due during an absence, also one that was announced when the delivery was late', () => {
    const away = { from: at('2026-11-30 00:00'), to: at('2026-12-03 00:00') };
    const facts = known([at('2026-11-27 07:00')], { stops: [away] });
    expect(standing(days(), facts, at('2026-12-01 12:00'))).toBe('2026-12-03 08:00');
  });

  test('a pause stops the tolerance that has begun', () => {
    const pause = { from: at('2026-11-30 09:00'), to: at('2026-11-30 15:00') };
    const facts = known([at('2026-11-27 07:00')], { stops: [pause] });
    expect(standing(days(), facts, at('2026-11-30 15:59'))).toBe('2026-11-30 08:00');
    expect(standing(days(), facts, at('2026-11-30 16:01'))).toBe('2026-11-30 08:00 late');
    const lasting = known([at('2026-11-27 07:00')], { stops: [{ ...pause, to: Infinity }] });
    expect(standing(days(), lasting, at('2026-12-05 12:00'))).toBe('nothing');
  });
});

describe('where clocks change', () => {
  test('in spring the time of the day stays, and one that is skipped is due when they jump', () => {
    // 29 March 2026 is a Sunday.
    const daily = days({ weekdays: [0, 1, 2, 3, 4, 5, 6] });
    const before = standingAt(daily, known([at('2026-03-28 07:00')]), at('2026-03-28 12:00'));
    expect(before.due).toBe(summer('2026-03-29 08:00'));
    expect(before.lateAt).toBe(summer('2026-03-29 10:00'));
    const night = days({ weekdays: [0, 1], by: [2.5 * HOUR], tolerance: HOUR });
    const skipped = standingAt(night, known([at('2026-03-23 02:00')]), at('2026-03-28 12:00'));
    expect(skipped.due).toBe(at('2026-03-29 02:00'));
    expect(skipped.lateAt).toBe(at('2026-03-29 03:00'));
  });

  test('in autumn a time that is shown twice is due the first time, and the day after it is 25 hours later', () => {
    // 25 October 2026 is a Sunday.
    const night = days({ weekdays: [0, 1], by: [2.5 * HOUR], tolerance: HOUR });
    const facts = known([summer('2026-10-19 02:00')]);
    const { due, lateAt } = standingAt(night, facts, summer('2026-10-24 12:00'));
    expect(due).toBe(summer('2026-10-25 02:30'));
    expect(lateAt).toBe(summer('2026-10-25 02:30') + HOUR);
    const came = known([...facts.deliveries, summer('2026-10-25 02:10')]);
    expect(standingAt(night, came, at('2026-10-25 12:00')).due).toBe(summer('2026-10-25 02:30') + 25 * HOUR);
  });
});

test('by a span: pauses and absences do not count', () => {
  const every = { every: 26 * HOUR };
  const facts = known([at('2026-11-27 06:00')]);
  expect(standing(every, facts, at('2026-11-28 08:00'))).toBe('2026-11-28 08:00');
  expect(standing(every, facts, at('2026-11-28 08:01'))).toBe('2026-11-28 08:00 late');
  const stops = [{ from: at('2026-11-27 12:00'), to: at('2026-11-29 12:00') }];
  expect(standing(every, known(facts.deliveries as number[], { stops }), at('2026-11-28 08:01'))).toBe(
    '2026-11-30 08:00',
  );
  expect(standing(every, known([]), at('2026-11-28 08:01'))).toBe('nothing');
});

describe('of a period', () => {
  const period = { from: at('2026-11-23 00:00'), to: at('2026-11-28 00:00'), last: at('2026-11-20 07:00'), stops: [] };
  const shown = (expected: Expected, deliveries: number[], changes: object = {}) =>
    duesIn(expected, { ...period, deliveries, ...changes }).map(
      ({ due, came, lateAt }) =>
        `${clockTime(due, BERLIN).slice(5, 16)} ${came === null ? 'nothing' : came > lateAt ? 'late' : 'in time'}`,
    );

  test('each due delivery is in time, late or missing', () => {
    const deliveries = ['2026-11-22 21:00', '2026-11-24 10:00', '2026-11-25 10:01', '2026-11-27 07:00'].map((one) =>
      at(one),
    );
    expect(shown(days(), deliveries, { from: at('2026-11-22 00:00') })).toEqual([
      '11-23 08:00 in time',
      '11-24 08:00 in time',
      '11-25 08:00 late',
      '11-26 08:00 nothing',
      '11-27 08:00 in time',
    ]);
  });

  test('what is not late at its end is left out, as are pauses and holidays', () => {
    expect(shown(days(), [], { to: at('2026-11-24 09:00') })).toEqual(['11-23 08:00 nothing']);
    const stops = [{ from: at('2026-11-24 00:00'), to: at('2026-11-26 00:00') }];
    const expected = days({ isOff: (day) => day === '2026-11-27' });
    expect(shown(expected, [], { stops })).toEqual(['11-23 08:00 nothing', '11-26 08:00 nothing']);
  });

  test('before its first delivery nothing was due of a new supplier', () => {
    expect(shown(days(), [at('2026-11-26 07:30')], { last: null })).toEqual([
      '11-26 08:00 in time',
      '11-27 08:00 nothing',
    ]);
  });

  test('gaps between deliveries, and the one that lasts', () => {
    const deliveries = [at('2026-11-23 07:00'), at('2026-11-25 07:00')];
    expect(shown({ every: 30 * HOUR }, deliveries, { last: at('2026-11-22 07:00') })).toEqual([
      '11-23 13:00 in time',
      '11-24 13:00 late',
      '11-26 13:00 nothing',
    ]);
  });
});

const ZONES = ['UTC', BERLIN, 'Australia/Lord_Howe', 'America/New_York', 'Asia/Beirut'];
/** Around both changes of the clocks of most zones. */
const STARTS = [Date.UTC(2026, 2, 20), Date.UTC(2026, 9, 18), Date.UTC(2026, 10, 1)];

const HISTORY = fc.record({
  start: fc.constantFrom(...STARTS),
  weekdays: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
  by: fc.array(fc.nat(23), { minLength: 1, maxLength: 3 }),
  timezone: fc.constantFrom(...ZONES),
  tolerance: fc.nat(24),
  off: fc.nat(20),
  deliveries: fc.array(fc.nat(20 * 24), { maxLength: 30 }),
  stops: fc.array(fc.tuple(fc.nat(20 * 24), fc.nat(100)), { maxLength: 3 }),
  now: fc.integer({ min: 1, max: 20 * 24 }),
});

type History = typeof HISTORY extends fc.Arbitrary<infer One> ? One : never;

function facts({ start, weekdays, by, timezone, tolerance, off, deliveries, stops }: History) {
  const offDay = new Date(start + off * DAY).toISOString().slice(0, 10);
  const expected: DaysExpected = {
    weekdays,
    by: by.map((hour) => hour * HOUR).toSorted((a, b) => a - b),
    timezone,
    tolerance: tolerance * HOUR,
    isOff: (day) => day === offDay,
  };
  return {
    expected,
    deliveries: deliveries.map((hour) => start + hour * HOUR + 60_000).toSorted((a, b) => a - b),
    stops: stops.map(([from, length]) => ({ from: start + from * HOUR, to: start + (from + length) * HOUR })),
  };
}

test('whatever came, what stands late is late in the account of the period, and the next delivery ends it', () => {
  fc.assert(
    fc.property(HISTORY, (history) => {
      const { expected, deliveries, stops } = facts(history);
      const now = history.start + history.now * HOUR;
      const seen = { since: history.start, deliveries, stops };
      const { due, lateAt, late } = standingAt(expected, seen, now);
      if (due === null || lateAt === null) return;
      expect(lateAt).toBeGreaterThanOrEqual(due);
      const shown = new Date(due + offsetOf(due, history.timezone));
      expect(expected.isOff(shown.toISOString().slice(0, 10))).toBe(false);
      expect(stops.some(({ from, to }) => from <= due && due < to)).toBe(false);
      if (!late) return;
      const period = { from: history.start - 7 * DAY, to: now, last: history.start - 30 * DAY, stops };
      const missed = duesIn(expected, { ...period, deliveries: deliveries.filter((one) => one <= now) });
      expect(missed).toContainEqual({ due, lateAt, came: null });
      const after = standingAt(
        expected,
        { ...seen, deliveries: [...deliveries.filter((one) => one <= now), now] },
        now,
      );
      // Of several that are due by one time, the next one is due as well.
      expect(after.due !== due || new Set(expected.by).size < expected.by.length).toBe(true);
      expect(after.late && expected.by.length === 1).toBe(false);
    }),
  );
});

test('a later moment never makes an earlier delivery due, and a delivery more never makes one late', () => {
  fc.assert(
    fc.property(HISTORY, fc.nat(48), (history, hours) => {
      const { expected, stops } = facts(history);
      const now = history.start + history.now * HOUR;
      const deliveries = facts(history).deliveries.filter((one) => one <= now);
      const seen = { since: history.start, deliveries, stops };
      const [first, later] = [standingAt(expected, seen, now), standingAt(expected, seen, now + hours * HOUR)];
      expect(later.due).toBe(first.due);
      const more = standingAt(expected, { ...seen, deliveries: [...deliveries, now] }, now);
      expect(more.late && !first.late).toBe(false);
    }),
  );
});

function offsetOf(moment: number, timezone: string): number {
  return Date.parse(`${clockTime(moment, timezone).replace(' ', 'T')}Z`) - moment;
}
