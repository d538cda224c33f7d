import { describe, expect, test } from 'vitest';
import { isHoliday, REGIONS } from '../../src/calendar/holidays.ts';

/** The holidays of a region in a year that are on none of its weekends. */
function workdaysOff(region: string, year: number): string[] {
  const days: string[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    if (new Date(at).getUTCDay() % 6 !== 0 && isHoliday(region, day)) days.push(day.slice(5));
  }
  return days;
}

// As the calendars of the countries have them.
test.each([
  ['DE', 2026, '01-01 04-03 04-06 05-01 05-14 05-25 12-25'],
  ['DE-BY', 2026, '01-01 01-06 04-03 04-06 05-01 05-14 05-25 06-04 12-25'],
  ['DE-SN', 2026, '01-01 04-03 04-06 05-01 05-14 05-25 11-18 12-25'],
  ['DE-BE', 2027, '01-01 03-08 03-26 03-29 05-06 05-17'],
  ['PL', 2026, '01-01 01-06 04-06 05-01 06-04 11-11 12-24 12-25'],
  ['RU', 2027, '01-01 01-04 01-05 01-06 01-07 01-08 02-23 03-08 11-04'],
  ['FR', 2026, '01-01 04-06 05-01 05-08 05-14 05-25 07-14 11-11 12-25'],
  ['FR-67', 2028, '04-14 04-17 05-01 05-08 05-25 06-05 07-14 08-15 11-01 12-25 12-26'],
  ['GB-ENG', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  ['GB-ENG', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ['IE', 2026, '01-01 02-02 03-17 04-06 05-04 06-01 08-03 10-26 12-25'],
  ['IE', 2030, '01-01 02-01 04-22 05-06 06-03 08-05 10-28 12-25 12-26'],
  ['SE', 2026, '01-01 01-06 04-03 04-06 05-01 05-14 12-25'],
  ['RO', 2026, '01-01 01-02 01-06 01-07 04-10 04-13 05-01 06-01 11-30 12-01 12-25'],
  ['US', 2027, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
])('%s in %i', (region, year, days) => {
  expect(workdaysOff(region, year).join(' ')).toBe(days);
});

describe('Easter', () => {
  test.each([
    [2019, '2019-04-21', '2019-04-28'],
    [2024, '2024-03-31', '2024-05-05'],
    [2025, '2025-04-20', '2025-04-20'],
    [2026, '2026-04-05', '2026-04-12'],
    [2038, '2038-04-25', '2038-04-25'],
    [2049, '2049-04-18', '2049-04-25'],
  ])('of %i', (_year, western, eastern) => {
    expect(isHoliday('FI', western)).toBe(true);
    expect(isHoliday('GR', eastern)).toBe(true);
  });
});

test('a part of a country has its holidays, and every region has some', () => {
  for (const region of REGIONS) {
    const [country = ''] = region.split('-');
    const own = workdaysOff(region, 2026);
    expect(own).toEqual(expect.arrayContaining(workdaysOff(country, 2026)));
    expect(own.length).toBeGreaterThan(2);
  }
});
