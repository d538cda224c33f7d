import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastOccasions } from '../../../src/jobs/alerts/occasions.ts';
import { LONG } from '../../support/repetitions.ts';
import { daysOfChange, dueTimes, minutesShown, ODD_ZONES, readFields } from '../../support/schedule-model.ts';

const at = (time: string) => Date.parse(time);
const shown = (occasions: { day: string; at: number }[]) =>
  occasions.map(({ day, at: moment }) => `${day} ${new Date(moment).toISOString().slice(0, 16)}Z`);

test('the newest first, now included', () => {
  const six = { at: '06:00', timezone: 'UTC' };
  expect(shown(lastOccasions(six, at('2026-05-04T06:00Z'), 2))).toEqual([
    '2026-05-04 2026-05-04T06:00Z',
    '2026-05-03 2026-05-03T06:00Z',
  ]);
  expect(shown(lastOccasions(six, at('2026-05-04T05:59Z'), 2))).toEqual(['2026-05-03 2026-05-03T06:00Z']);
});

test('only on the days that are picked', () => {
  const mondays = { at: '07:30', timezone: 'Europe/Berlin', on: ({ weekday }: { weekday: number }) => weekday === 1 };
  expect(shown(lastOccasions(mondays, at('2026-05-06T12:00Z'), 8))).toEqual(['2026-05-04 2026-05-04T05:30Z']);
});

test('the clocks go forward: a time that they skip comes when they do, and the others stay where they are', () => {
  const night = { at: '02:30', timezone: 'Europe/Berlin' };
  expect(shown(lastOccasions(night, at('2026-03-30T12:00Z'), 3))).toEqual([
    '2026-03-30 2026-03-30T00:30Z',
    '2026-03-29 2026-03-29T01:00Z',
    '2026-03-28 2026-03-28T01:30Z',
  ]);
});

test('the clocks go back: a time that they show twice comes once, the first time', () => {
  const night = { at: '02:30', timezone: 'Europe/Berlin' };
  expect(shown(lastOccasions(night, at('2026-10-26T12:00Z'), 3))).toEqual([
    '2026-10-26 2026-10-26T01:30Z',
    '2026-10-25 2026-10-25T00:30Z',
    '2026-10-24 2026-10-24T00:30Z',
  ]);
});

test('every day has one occasion, in every time zone', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/New_York'];
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  const now = fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2030-01-01T00:00Z') });
  fc.assert(
    fc.property(fc.constantFrom(...zones), time, now, (timezone, [hours, minutes], moment) => {
      const clock = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      const found = lastOccasions({ at: clock, timezone }, moment, 60);
      expect(found.length).toBeGreaterThanOrEqual(59);
      expect(new Set(found.map(({ day }) => day)).size).toBe(found.length);
      const moments = found.map((occasion) => occasion.at);
      expect(moments).toEqual(moments.toSorted((a, b) => b - a));
      for (const occasion of found) expect(moment).toBeGreaterThanOrEqual(occasion.at);
    }),
  );
});

test('around each change of the clocks an occasion comes when a schedule of its time does', () => {
  const [day, start] = [86_400_000, at('2026-01-01T00:00Z')];
  const end = start + (LONG ? 1096 : 365) * day;
  for (const timezone of LONG ? Intl.supportedValuesOf('timeZone') : ODD_ZONES) {
    for (const change of daysOfChange(timezone, start, end)) {
      const [from, until] = [change - 2 * day, change + 2 * day];
      const shown = minutesShown(timezone, from, until);
      for (const [hour, minute] of [
        ['00', '00'],
        ['00', '30'],
        ['02', '15'],
        ['23', '45'],
      ] as const) {
        const due = dueTimes(readFields(`${Number(minute)} ${Number(hour)} * * *`), shown, from);
        const found = lastOccasions({ at: `${hour}:${minute}`, timezone }, until - 1, 6).map((occasion) => occasion.at);
        expect(found.filter((moment) => moment >= from).toReversed(), `${hour}:${minute} ${timezone}`).toEqual(due);
      }
    }
  }
});
