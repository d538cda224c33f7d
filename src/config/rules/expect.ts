import { REGIONS } from '../../calendar/holidays.ts';
import { looksLikeDate, readRange } from '../schema/expect/dates.ts';
import { nearest } from '../read/nearest.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config, ExpectConfig } from '../schema/schema.ts';
import { isTimeZone, unknownZone } from './schedule.ts';

const DAY_MS = 86_400_000;

/** When deliveries are due: one way to say it, days that come, regions and dates that exist. */
export function expectationsAreUsable(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([feed, { expect, expectEvery }]) => {
    if (expect === undefined) return [];
    const path: Path = ['feeds', feed, 'expect'];
    const findings = findingsIn(expect, path);
    const message = 'says when deliveries are due, and so does expectEvery; leave one of them';
    return expectEvery === undefined ? findings : findings.concat({ path, message });
  });
}

function findingsIn({ timezone, tolerance, times, by, holidays = [], away = [] }: ExpectConfig, path: Path): Finding[] {
  const findings: Finding[] = [];
  if (timezone !== undefined && !isTimeZone(timezone)) findings.push(unknownZone([...path, 'timezone'], timezone));
  if (tolerance > DAY_MS) findings.push({ path: [...path, 'tolerance'], message: 'is too long; the longest is 24h' });
  if (times !== undefined && by.length > 1)
    findings.push({
      path: [...path, 'times'],
      message: `"by" names ${by.length} times of day, and a delivery is due by each of them; leave "times" out`,
    });
  const days = Array.isArray(holidays) ? holidays : [];
  findings.push(...days.flatMap((written, at) => findingIn(holidayProblem(written), [...path, 'holidays', at])));
  findings.push(...away.flatMap((written, at) => findingIn(rangeProblem(written), [...path, 'away', at])));
  return findings;
}

function findingIn(message: string | null, path: Path): Finding[] {
  return message === null ? [] : [{ path, message }];
}

function rangeProblem(written: string): string | null {
  const range = readRange(written);
  return typeof range === 'string' ? range : null;
}

function holidayProblem(written: string): string | null {
  if (looksLikeDate(written)) return rangeProblem(written);
  if (REGIONS.includes(written)) return null;
  const country = written.split(/[-_ ]/u)[0]!.toUpperCase();
  const near =
    REGIONS.find((region) => region === written.toUpperCase().replaceAll(/[_ ]/gu, '-')) ?? nearest(written, REGIONS);
  const ofCountry = REGIONS.filter((region) => region.startsWith(`${country}-`));
  const advice =
    near !== undefined
      ? `did you mean "${near}"?`
      : REGIONS.includes(country)
        ? `known of ${country}: ${[country, ...ofCountry].join(', ')}; write other days as dates`
        : `write its days as dates, or { file: PATH }; known are ${REGIONS.filter((one) => !one.includes('-')).join(', ')} and parts of some of them`;
  return `the holidays of "${written}" are not known; ${advice}`;
}
