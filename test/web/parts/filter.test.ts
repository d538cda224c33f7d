import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { filterPeriod } from '../../../src/web/parts/filter.ts';

function days(query: string, timezone: string) {
  const ctx = { config: { web: { timezone } } } as Context;
  const { since, until } = filterPeriod({ url: new URL(`http://127.0.0.1/runs?${query}`), ctx });
  return [since, until].map((at) => (at === undefined ? null : new Date(at).toISOString()));
}

test.each([
  ['since=2026-03-29&until=2026-03-29', 'UTC', '2026-03-29T00:00:00.000Z', '2026-03-30T00:00:00.000Z'],
  // The clocks go forward on this day: it has 23 hours.
  ['since=2026-03-29&until=2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  // Midnight comes twice on this day, which has 25 hours.
  ['since=2026-11-01&until=2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['since=2026-01-02', 'America/New_York', '2026-01-02T05:00:00.000Z', null],
  ['since=0001-01-01&until=9999-12-31', 'Europe/Berlin', '1970-01-01T23:00:00.000Z', '9998-01-01T23:00:00.000Z'],
  ['since=2026-02-31x&until=banana', 'Europe/Berlin', null, null],
])('the days of a filter are those of the console: %s in %s', (query, timezone, since, until) => {
  expect(days(query, timezone)).toEqual([since, until]);
});
