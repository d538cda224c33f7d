import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryHabits, type PastDelivery } from '../../../src/jobs/propose/delivery-times.ts';
import { daysWritten } from '../../../src/jobs/propose/gather-times.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday. */
const FROM = Date.UTC(2026, 7, 31);
const PERIOD = { from: FROM, to: FROM + 70 * DAY, timezone: 'UTC', tolerance: 2 * HOUR, stops: [], isOff: () => false };

/** Deliveries at certain hours of the days that a test wants. */
function deliveries(hours: number[], isDay: (day: number) => boolean, rows = 1000): PastDelivery[] {
  return Array.from({ length: 70 }, (_none, day) => day)
    .filter(isDay)
    .flatMap((day) => hours.map((hour) => ({ run: `${day}-${hour}`, at: FROM + day * DAY + hour * HOUR, read: rows })));
}

function later({ run, at, read }: PastDelivery, by: number): PastDelivery {
  return { run, at: at + by, read };
}

const isWorkday = (day: number) => day % 7 < 5;

describe('a proposal', () => {
  test('has the days on which most came, the time by which four fifths had come, and what would have been late', () => {
    const given = deliveries([6], (day) => isWorkday(day) && day !== 16).map((one, at) =>
      at === 20 ? later(one, 5 * HOUR) : one,
    );
    const { proposal, why, habits, late } = deliveryHabits(given, PERIOD);
    expect({ proposal, why }).toEqual({ proposal: { weekdays: [1, 2, 3, 4, 5], by: [6 * HOUR], times: 1 }, why: null });
    expect(habits.map(({ weekday, days, delivered }) => [weekday, delivered, days])).toEqual([
      [1, 10, 10],
      [2, 10, 10],
      [3, 9, 10],
      [4, 10, 10],
      [5, 10, 10],
      [6, 0, 10],
      [0, 0, 10],
    ]);
    expect(habits[1]).toMatchObject({ times: { first: 6 * HOUR, usual: 6 * HOUR, last: 11 * HOUR } });
    expect(late).toHaveLength(2);
    expect(late.map(({ came }) => came === null)).toEqual([true, false]);
  });

  test('has a time for each of several deliveries a day, and their number where they come together', () => {
    expect(
      deliveryHabits(
        deliveries([6, 13.2], () => true),
        PERIOD,
      ).proposal,
    ).toEqual({
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      by: [6 * HOUR, 13.25 * HOUR],
      times: 2,
    });
    expect(deliveryHabits(deliveries([6, 6.1], isWorkday), PERIOD).proposal).toMatchObject({ times: 2 });
  });

  test('takes what comes around midnight for one day', () => {
    const around = deliveries([24.3], (day) => isWorkday(day)).map((one, at) =>
      at % 3 === 0 ? later(one, -HOUR) : one,
    );
    const { proposal, late } = deliveryHabits(around, PERIOD);
    expect(proposal).toEqual({ weekdays: [2, 3, 4, 5, 6], by: [0.5 * HOUR], times: 1 });
    expect(late).toEqual([]);
  });

  test('is a distance where no day is certain, or there are too many a day', () => {
    const sparse = deliveries([6], (day) => day % 5 === 0);
    expect(deliveryHabits(sparse, PERIOD)).toMatchObject({ proposal: { every: 5 * DAY }, why: 'irregular' });
    const hourly = deliveries([0, 3, 6, 9, 12, 15, 18, 21], () => true);
    expect(deliveryHabits(hourly, PERIOD)).toMatchObject({ proposal: { every: 3 * HOUR }, why: 'often' });
  });

  test('is none of few deliveries, or a short time', () => {
    expect(deliveryHabits([], PERIOD)).toMatchObject({ proposal: null, why: 'few', late: [] });
    expect(
      deliveryHabits(
        deliveries([6], (day) => day % 8 === 0),
        PERIOD,
      ).proposal,
    ).toBeNull();
    const short = deliveries([6, 12, 18], (day) => day < 10);
    expect(deliveryHabits(short, { ...PERIOD, to: FROM + 10 * DAY }).proposal).toBeNull();
  });

  test('counts no days on which nothing was to be expected', () => {
    const isOff = (name: string) => name >= '2026-10-01';
    const given = deliveries([6], (day) => isWorkday(day) && day < 31);
    expect(deliveryHabits(given, PERIOD).proposal).toEqual({ every: 3 * DAY });
    const { proposal, late } = deliveryHabits(given, { ...PERIOD, isOff });
    expect(proposal).toMatchObject({ weekdays: [1, 2, 3, 4, 5] });
    expect(late).toEqual([]);
  });
});

test('whatever came, a proposal names times of the day, and what is late is of the period', () => {
  const moments = fc.array(fc.nat(70 * 24 * 60), { maxLength: 60 });
  fc.assert(
    fc.property(
      moments,
      fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'),
      (minutes, timezone) => {
        const given = minutes
          .toSorted((a, b) => a - b)
          .map((minute, at) => ({ run: `${at}`, at: FROM + minute * 60_000, read: minute }));
        const { proposal, why, late, habits } = deliveryHabits(given, { ...PERIOD, timezone });
        expect(proposal === null).toBe(why === 'few');
        for (const { days, delivered } of habits) expect(delivered).toBeLessThanOrEqual(days);
        for (const { due } of late) expect(due >= FROM && due <= PERIOD.to).toBe(true);
        if (proposal === null || 'every' in proposal) return;
        expect(proposal.weekdays.length).toBeGreaterThan(0);
        expect(proposal.by.every((time) => time >= 0 && time < DAY && time % (15 * 60_000) === 0)).toBe(true);
        expect(proposal.by.length === 1 || proposal.by.length === proposal.times).toBe(true);
      },
    ),
  );
});

test.each([
  [[1, 2, 3, 4, 5], 'mon-fri'],
  [[0, 1, 2, 3, 4, 5, 6], 'mon-sun'],
  [[0, 6, 1], 'mon, sat, sun'],
  [[2], 'tue'],
  [[1, 3, 4, 5, 0], 'mon, wed-fri, sun'],
])('%j is written %s', (weekdays, written) => {
  expect(daysWritten(weekdays)).toBe(written);
});
