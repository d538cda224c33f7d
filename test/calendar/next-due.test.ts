import { expect, test } from 'vitest';
import { nextDue } from '../../src/calendar/next-due.ts';
import { LONG } from '../support/repetitions.ts';
import {
  daysOfChange,
  dueTimes,
  minutesShown,
  ODD_ZONES,
  readFields,
  zonesThatDiffer,
} from '../support/schedule-model.ts';

const DAY = 86_400_000;

/** The next times of a schedule, as the clocks of its time zone show them, and as UTC. */
function next(cron: string, timezone: string, from: string, times: number): string[] {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return dueFrom(cron, timezone, Date.parse(from), times).map(
    (at) => `${clock.format(at)} = ${new Date(at).toISOString().slice(11, 16)}Z`,
  );
}

function dueFrom(cron: string, timezone: string, from: number, times: number): number[] {
  const found: number[] = [];
  for (let at = from; found.length < times; found.push(at)) at = nextDue({ cron, timezone }, at);
  return found;
}

/** Every due time of a period. */
function allDue(cron: string, timezone: string, from: number, until: number): number[] {
  const found: number[] = [];
  for (let at = nextDue({ cron, timezone }, from - 1); at < until; at = nextDue({ cron, timezone }, at)) found.push(at);
  return found;
}

const SKIPPED = [
  ['30 0 * * *', 'Africa/Cairo', '2027-04-29T12:00Z', ['2027-04-30 01:00:00 = 22:00Z', '2027-05-01 00:30:00 = 21:30Z']],
  ['0 0 * * *', 'Asia/Beirut', '2027-03-27T12:00Z', ['2027-03-28 01:00:00 = 22:00Z', '2027-03-29 00:00:00 = 21:00Z']],
  ['@daily', 'Asia/Beirut', '2027-03-27T12:00Z', ['2027-03-28 01:00:00 = 22:00Z', '2027-03-29 00:00:00 = 21:00Z']],
  [
    '15 2 * * *',
    'Australia/Lord_Howe',
    '2026-10-03T12:00Z',
    ['2026-10-04 02:30:00 = 15:30Z', '2026-10-05 02:15:00 = 15:15Z'],
  ],
  [
    '30 2 * * 0',
    'Europe/Berlin',
    '2026-03-28T12:00Z',
    ['2026-03-29 03:00:00 = 01:00Z', '2026-04-05 02:30:00 = 00:30Z'],
  ],
  [
    '*/15 2 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00Z',
    ['2026-03-29 03:00:00 = 01:00Z', '2026-03-30 02:00:00 = 00:00Z'],
  ],
  [
    '0 2,3 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00Z',
    ['2026-03-29 03:00:00 = 01:00Z', '2026-03-30 02:00:00 = 00:00Z'],
  ],
  [
    '45 23 * * 6',
    'America/Nuuk',
    '2026-03-28T12:00Z',
    ['2026-03-29 00:00:00 = 01:00Z', '2026-04-04 23:45:00 = 00:45Z'],
  ],
  [
    '20 30 2 29 3 *',
    'Europe/Berlin',
    '2026-01-01T00:00Z',
    ['2026-03-29 03:00:00 = 01:00Z', '2027-03-29 02:30:20 = 00:30Z'],
  ],
] as const;

test.each(SKIPPED)('%s in %s: a time that the clocks skip comes when they do, once', (cron, timezone, from, due) => {
  expect(next(cron, timezone, from, 2)).toEqual(due);
});

const TWICE = [
  [
    '30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    ['2026-10-25 02:30:00 = 00:30Z', '2026-10-26 02:30:00 = 01:30Z'],
  ],
  [
    '30 2 * * *',
    'Europe/Berlin',
    '2026-10-25T01:10Z',
    ['2026-10-26 02:30:00 = 01:30Z', '2026-10-27 02:30:00 = 01:30Z'],
  ],
  [
    '45 1 * * *',
    'Australia/Lord_Howe',
    '2027-04-03T12:00Z',
    ['2027-04-04 01:45:00 = 14:45Z', '2027-04-05 01:45:00 = 15:15Z'],
  ],
  ['30 23 * * *', 'Asia/Beirut', '2026-10-24T12:00Z', ['2026-10-24 23:30:00 = 20:30Z', '2026-10-25 23:30:00 = 21:30Z']],
  [
    '0 */2 * * *',
    'Europe/Berlin',
    '2026-10-24T23:00Z',
    ['2026-10-25 02:00:00 = 00:00Z', '2026-10-25 04:00:00 = 03:00Z'],
  ],
  [
    '* 59 2 * * *',
    'Europe/Berlin',
    '2026-10-25T00:59:58Z',
    ['2026-10-25 02:59:59 = 00:59Z', '2026-10-26 02:59:00 = 01:59Z'],
  ],
] as const;

test.each(TWICE)('%s in %s after %s: a time that the clocks show twice comes once', (cron, timezone, from, due) => {
  expect(next(cron, timezone, from, 2)).toEqual(due);
});

test('a due time is always later than the moment that is asked about', () => {
  const start = Date.parse('2027-04-03T11:00Z');
  for (const timezone of ['Australia/Lord_Howe', 'Pacific/Chatham']) {
    for (const cron of ['0 * * * *', '*/15 * * * *', '15 2 * * *', '0 */2 * * *']) {
      const moments = Array.from({ length: 90 }, (_, at) => start + at * 5 * 60_000);
      expect(moments.filter((at) => nextDue({ cron, timezone }, at) <= at)).toEqual([]);
    }
  }
});

test('a schedule of every hour goes on by the hour while the clocks change', () => {
  const hours = (cron: string, timezone: string, from: string, times: number) => {
    const due = dueFrom(cron, timezone, Date.parse(from), times);
    return due.slice(1).map((at, index) => (at - due[index]!) / 60_000);
  };
  expect(hours('0 * * * *', 'Europe/Berlin', '2026-03-28T22:00Z', 8)).toEqual(Array(7).fill(60));
  expect(hours('30 * * * *', 'Europe/Berlin', '2026-10-24T22:00Z', 8)).toEqual(Array(7).fill(60));
  expect(hours('@hourly', 'Africa/Cairo', '2027-04-29T18:00Z', 8)).toEqual(Array(7).fill(60));
  expect(hours('*/15 * * * *', 'Australia/Lord_Howe', '2026-10-03T14:00Z', 12)).toEqual(Array(11).fill(15));
  expect(hours('*/15 * * * *', 'Australia/Lord_Howe', '2027-04-03T14:00Z', 12)).toEqual(Array(11).fill(15));
  expect(hours('0 * * * *', 'Australia/Lord_Howe', '2026-10-03T12:00Z', 5)).toEqual([60, 60, 90, 60]);
});

const CALENDAR = [
  ['0 6 29 2 *', ['2028-02-29', '2032-02-29', '2036-02-29']],
  ['0 6 L * *', ['2026-01-31', '2026-02-28', '2026-03-31']],
  ['0 6 L 2 *', ['2026-02-28', '2027-02-28', '2028-02-29']],
  ['0 6 31 * *', ['2026-01-31', '2026-03-31', '2026-05-31']],
  ['0 6 * * 5L', ['2026-01-30', '2026-02-27', '2026-03-27']],
  ['0 6 * * 0', ['2026-01-04', '2026-01-11', '2026-01-18']],
  ['0 6 * * 7', ['2026-01-04', '2026-01-11', '2026-01-18']],
  ['0 6 * * sat-7', ['2026-01-03', '2026-01-04', '2026-01-10']],
  ['0 6 13 * 5', ['2026-01-02', '2026-01-09', '2026-01-13']],
  ['@weekly', ['2026-01-04', '2026-01-11', '2026-01-18']],
  ['@monthly', ['2026-02-01', '2026-03-01', '2026-04-01']],
  ['@yearly', ['2027-01-01', '2028-01-01', '2029-01-01']],
  ['@annually', ['2027-01-01', '2028-01-01', '2029-01-01']],
  ['@daily', ['2026-01-02', '2026-01-03', '2026-01-04']],
  ['@midnight', ['2026-01-02', '2026-01-03', '2026-01-04']],
  ['@weekdays', ['2026-01-02', '2026-01-05', '2026-01-06']],
  ['@weekends', ['2026-01-03', '2026-01-04', '2026-01-10']],
] as const;

test.each(CALENDAR)('%s comes on the days that it names', (cron, days) => {
  expect(next(cron, 'Asia/Tokyo', '2026-01-01T03:00Z', 3).map((due) => due.slice(0, 10))).toEqual(days);
});

test('seconds are counted, and a moment between two seconds is before the next', () => {
  expect(nextDue({ cron: '30 0 6 * * *', timezone: 'UTC' }, Date.UTC(2026, 4, 4, 6, 0, 30))).toBe(
    Date.UTC(2026, 4, 5, 6, 0, 30),
  );
  expect(nextDue({ cron: '* * * * * *', timezone: 'Europe/Berlin' }, Date.UTC(2026, 4, 4, 6, 0, 30, 1))).toBe(
    Date.UTC(2026, 4, 4, 6, 0, 31),
  );
  expect(nextDue({ cron: '0 6 * * *', timezone: 'UTC' }, Date.UTC(2026, 4, 4, 5, 59, 59, 999))).toBe(
    Date.UTC(2026, 4, 4, 6),
  );
});

/** Hourly and more often; at certain hours; weekly and monthly, on days on which clocks change. */
const FREQUENT = ['0 * * * *', '30 * * * *', '*/15 * * * *'];
const DAILY = ['0 0 * * *', '30 0 * * *', '15 2 * * *', '59 23 * * *', '30 1-3 * * *', '*/20 2 * * *', '0 */2 * * *'];
const RARE = [
  '30 2 * * 0',
  '45 23 * * 6',
  '0 0 1 * *',
  '0 3 L * *',
  '15 0 29-31 3,10 *',
  '30 2 1 * 7',
  '10 1 29 2 *',
  '0 * 29 2 *',
  '20 * * 3,10 0',
];

const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2029, 0, 1);

test('around each change of the clocks a schedule is due when a clock that is watched says so', () => {
  const distinct = new Set(LONG ? zonesThatDiffer(FROM, UNTIL) : ODD_ZONES);
  for (const timezone of LONG ? Intl.supportedValuesOf('timeZone') : ODD_ZONES) {
    const schedules = distinct.has(timezone) ? [...DAILY, ...FREQUENT, ...RARE] : DAILY;
    const changes = daysOfChange(timezone, FROM, LONG ? UNTIL : Date.UTC(2027, 0, 1));
    for (const day of LONG ? [...changes, Date.UTC(2028, 1, 29)] : changes) {
      expect(differences(schedules, timezone, day - DAY / 4, day + 1.25 * DAY)).toEqual([]);
    }
  }
});

test.each(LONG ? ODD_ZONES : ['Australia/Lord_Howe'])(
  'in %s a schedule of some days is due in all the years',
  (timezone) => {
    const [from, until] = LONG ? [FROM, UNTIL] : [Date.UTC(2028, 0, 1), Date.UTC(2028, 5, 1)];
    expect(differences(RARE, timezone, from, until)).toEqual([]);
  },
);

/** The schedules that the program and the model have different times for, with both. */
function differences(schedules: readonly string[], timezone: string, from: number, until: number) {
  const shown = minutesShown(timezone, from, until);
  return schedules.flatMap((cron) => {
    const due = allDue(cron, timezone, from, until);
    const expected = dueTimes(readFields(cron), shown, from);
    return String(due) === String(expected) ? [] : [{ cron, timezone, due: dates(due), expected: dates(expected) }];
  });
}

const dates = (moments: number[]) => moments.map((at) => new Date(at).toISOString());
