import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTS } from '../../../src/app/lists/lists.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Problem } from '../../../src/config/read/problem.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** The settings of a feed with what is expected of it, and a file beside the configuration. */
async function load(expected: object | string, { file, feed = {} }: { file?: string | Buffer; feed?: object } = {}) {
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  if (file !== undefined) writeFileSync(join(folder, 'closed.csv'), file);
  const north = { login: 'main', source: { type: 'directory', path: './in' }, ...feed, expect: expected };
  const path = join(folder, 'offerline.yaml');
  writeFileSync(path, JSON.stringify({ logins: { main: {} }, feeds: { north } }));
  const { config } = await loadConfig({ file: path, env: {}, lists: LISTS });
  return { ...config.feeds['north']!.expect!, inFile: config.fileHolidays?.['north'] };
}

/** What is wrong with it: the place below the feed, or the line of the file, and the message. */
async function problems(...given: Parameters<typeof load>): Promise<string[]> {
  const error = await load(...given).catch((refused: unknown) => refused);
  if (!(error instanceof OfferlineError)) return [];
  return (error.details['problems'] as Problem[]).map(({ file, line, path, message }) => {
    const place = file.endsWith('closed.csv') ? `closed.csv:${line}` : path.replace('feeds.north.', '');
    return `${place} ${message.replaceAll(/\/\S*\/(?=closed\.csv)/g, '')}`;
  });
}

const DAILY = { days: 'mon-fri', by: '08:00' };

describe('days', () => {
  test.each([
    ['mon-fri', 'mon tue wed thu fri'],
    ['MON, wed - thu', 'mon wed thu'],
    [['sat-mon', 'thu'], 'sun mon thu sat'],
    ['sun-sat', 'sun mon tue wed thu fri sat'],
    ['sun', 'sun'],
  ])('%s', async (days, read) => {
    expect((await load({ ...DAILY, days })).days.join(' ')).toBe(read);
  });

  test.each([
    [
      'mo-fr',
      'expected days of the week such as mon-fri, or [mon, wed-sat], not "mo" (did you mean "mon"), found "mo-fr"',
    ],
    [
      'weekdays',
      'expected days of the week such as mon-fri, or [mon, wed-sat], not "weekdays" (known: sun, mon, tue, wed, thu, fri, sat), found "weekdays"',
    ],
    [
      'mon-wed-fri',
      'expected days of the week such as mon-fri, or [mon, wed-sat], not "mon-wed-fri", found "mon-wed-fri"',
    ],
    [[], 'expected a list with at least one day of the week such as [mon, wed-sat], found an empty one'],
    [5, 'expected days of the week such as mon-fri, or [mon, wed-sat], found 5'],
  ])('%s is refused', async (days, message) => {
    expect(await problems({ ...DAILY, days })).toEqual([`expect.days ${message}`]);
  });
});

describe('times', () => {
  test('one or several, the earliest first, with two hours of tolerance', async () => {
    expect(await load(DAILY)).toMatchObject({ by: ['08:00'], tolerance: 7_200_000 });
    expect((await load({ ...DAILY, by: ['14:00', '06:30'], tolerance: '30m' })).by).toEqual(['06:30', '14:00']);
  });

  test.each([
    [
      { by: '8:00' },
      'expect.by expected a time of day such as 08:00, or a list of such times, not "8:00", found "8:00"',
    ],
    [
      { by: '24:00' },
      'expect.by expected a time of day such as 08:00, or a list of such times, not "24:00", found "24:00"',
    ],
    [{ by: 8 }, 'expect.by expected a time of day such as 08:00, or a list of such times, found 8'],
    [
      { by: ['08:00', '08:00'] },
      'expect.by expected each time of day once, and "08:00" is there twice ("times" says how many are due by one time), found several values',
    ],
    [
      { by: ['08:00', '14:00'], times: 2 },
      'expect.times "by" names 2 times of day, and a delivery is due by each of them; leave "times" out',
    ],
    [{ times: 0 }, 'expect.times expected a number of at least 1, found 0'],
    [{ tolerance: '25h' }, 'expect.tolerance is too long; the longest is 24h'],
    [
      { timezone: 'Europe/Berln' },
      'expect.timezone unknown time zone "Europe/Berln"; write one such as Europe/Berlin or UTC',
    ],
    [{ untill: '08:00' }, 'expect.untill unknown key; known: days, by, timezone, holidays, tolerance, times, away'],
  ])('%o is refused', async (wrong, message) => {
    expect(await problems({ ...DAILY, ...wrong })).toEqual([message]);
  });

  test('days and a time have to be there', async () => {
    expect(await problems({})).toEqual([
      'expect.days is missing; expected days of the week such as mon-fri, or [mon, wed-sat]',
      'expect.by is missing; expected a time of day such as 08:00, or a list of such times',
    ]);
  });

  test('a feed is expected in one way', async () => {
    expect(await problems(DAILY, { feed: { expectEvery: '26h' } })).toEqual([
      'expect says when deliveries are due, and so does expectEvery; leave one of them',
    ]);
  });
});

describe('holidays and absences', () => {
  test('regions, dates and ranges', async () => {
    const expected = await load({
      ...DAILY,
      holidays: ['DE-BY', '2026-12-24', '2026-12-28/2027-01-05'],
      away: ['2026-08-03'],
    });
    expect(expected).toMatchObject({
      holidays: ['DE-BY', '2026-12-24', '2026-12-28/2027-01-05'],
      away: ['2026-08-03'],
    });
    expect((await load({ ...DAILY, holidays: 'PL' })).holidays).toEqual(['PL']);
  });

  test.each([
    [{ holidays: ['DE-BU'] }, 'expect.holidays[0] the holidays of "DE-BU" are not known; did you mean "DE-BB"?'],
    [{ holidays: ['de-by'] }, 'expect.holidays[0] the holidays of "de-by" are not known; did you mean "DE-BY"?'],
    [
      { holidays: ['PL-Mazowsze'] },
      'expect.holidays[0] the holidays of "PL-Mazowsze" are not known; known of PL: PL; write other days as dates',
    ],
    [{ holidays: ['2026-02-30'] }, 'expect.holidays[0] there is no day 2026-02-30'],
    [
      { holidays: ['24.12.2026'] },
      'expect.holidays[0] "24.12.2026" is neither a date such as 2026-12-24 nor days such as 2026-12-24/2027-01-06',
    ],
    [{ away: ['2027-01-06/2026-12-24'] }, 'expect.away[0] "2027-01-06/2026-12-24" ends before it begins'],
    [{ away: ['2026-01-01/2029-01-01'] }, 'expect.away[0] "2026-01-01/2029-01-01" has 1097 days; 800 are the most'],
    [
      { holidays: { files: 'x' } },
      'expect.holidays expected a list of regions and dates such as [DE-BY, 2026-12-24], or { file: PATH }, found several values',
    ],
  ])('%o is refused', async (wrong, message) => {
    const [found = ''] = await problems({ ...DAILY, ...wrong });
    expect(found).toBe(message);
  });

  test('a country that is not known is told which are', async () => {
    const [found = ''] = await problems({ ...DAILY, holidays: ['Bavaria'] });
    expect(found).toMatch(
      /^expect\.holidays\[0\] the holidays of "Bavaria" are not known; write its days as dates, or \{ file: PATH \}; known are AT, BE, /u,
    );
  });

  test('a file of dates is read, with what else stands in its lines', async () => {
    const file = 'date;why\n2026-12-24;Christmas Eve\n2026-12-28/2026-12-30;closed\n';
    const read = (text: string) => load({ ...DAILY, holidays: { file: 'closed.csv' } }, { file: text });
    expect((await read(file)).inFile).toEqual(['2026-12-24', '2026-12-28', '2026-12-29', '2026-12-30']);
    expect((await read('\uFEFF2026-12-24\r\n\r\n2026-12-31\r\n')).inFile).toEqual(['2026-12-24', '2026-12-31']);
  });

  test.each([
    [
      '2026-12-24\n24.12.2026\n',
      'closed.csv:2 "24.12.2026" is neither a date such as 2026-12-24 nor days such as 2026-12-24/2027-01-06',
    ],
    ['2026-12-24\n2026-13-01\n', 'closed.csv:2 there is no day 2026-13-01'],
    ['2027-01-06/2026-12-24\n', 'closed.csv:1 "2027-01-06/2026-12-24" ends before it begins'],
    ['', 'expect.holidays.file closed.csv has no date: write one such as 2026-12-24 in each line'],
  ])('of a wrong file the line is named: %s', async (file, message) => {
    expect(await problems({ ...DAILY, holidays: { file: 'closed.csv' } }, { file })).toEqual([message]);
  });

  test('a file that is not there is named', async () => {
    expect(await problems({ ...DAILY, holidays: { file: 'closed.csv' } })).toEqual([
      'expect.holidays.file closed.csv does not exist',
    ]);
  });
});
