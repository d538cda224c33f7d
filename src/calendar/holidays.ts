import { remembered } from '../remembered.ts';
import { dayName } from './expected-days.ts';
import { isWeekend } from './holiday-rule.ts';
import { HOLIDAY_RULES } from './holiday-rules.ts';

/** The countries and parts of them whose holidays are known: `DE`, `DE-BY`. */
export const REGIONS: readonly string[] = Object.keys(HOLIDAY_RULES);

/** Whether a day such as `2026-12-25` is a public holiday of a known region, or of the country that it is a part of. */
export function isHoliday(region: string, day: string): boolean {
  return holidaysIn(`${region} ${day.slice(0, 4)}`).has(day);
}

/** The holidays of a region in a year: `DE-BY 2026`. */
const holidaysIn = remembered((text): ReadonlySet<string> => {
  const [region = '', written] = text.split(' ');
  const [country = ''] = region.split('-');
  const rules = [...new Set([country, region])].flatMap((name) => HOLIDAY_RULES[name] ?? []);
  // The day off for New Year may be the last day of the year before.
  const found = [0, 1].flatMap((later) => rules.map((rule) => rule(Number(written) + later)));
  const days = new Set(found.filter(({ moves, day }) => !moves || !isWeekend(day)).map(({ day }) => day));
  for (const { day } of found
    .filter(({ moves, day: on }) => moves && isWeekend(on))
    .toSorted((a, b) => a.day - b.day)) {
    let next = day;
    while (isWeekend(next) || days.has(next)) next += 1;
    days.add(next);
  }
  return new Set([...days].map(dayName));
});
