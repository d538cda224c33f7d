import { expect, test } from 'vitest';
import { readQuietEnd } from '../../../../src/jobs/decisions/incident/until.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);
const HOUR = 3_600_000;

test.each([
  ['delivery', { until: 'delivery', ends: NOW + 336 * HOUR }],
  [' worse ', { until: 'worse', ends: NOW + 336 * HOUR }],
  ['now', { until: 'time', ends: NOW }],
  ['90m', { until: 'time', ends: NOW + 1.5 * HOUR }],
  ['3d', { until: 'time', ends: NOW + 72 * HOUR }],
  ['2w', { until: 'time', ends: NOW + 336 * HOUR }],
  ['2026-05-05', { until: 'time', ends: Date.UTC(2026, 4, 5) }],
  ['2026-05-05 08:00', { until: 'time', ends: Date.UTC(2026, 4, 5, 8) }],
  ['2026-05-05T08:00:30Z', { until: 'time', ends: Date.UTC(2026, 4, 5, 8, 0, 30) }],
  ['2026-05-05T08:00+02:00', { until: 'time', ends: Date.UTC(2026, 4, 5, 6) }],
])('%j ends a quiet', (text, end) => {
  expect(readQuietEnd(text, NOW)).toEqual(end);
});

test.each([
  ['soon', '"soon" ends no quiet: write delivery, worse, now, a span such as 3d, or a time such as'],
  ['', '"" ends no quiet'],
  ['0d', '"0d" ends no quiet'],
  ['2026-13-40', '"2026-13-40" ends no quiet'],
  ['2026-05-03', 'The time "2026-05-03" is past.'],
  ['2027-06-01', 'The time "2027-06-01" is more than 366 days ahead'],
  ['99999w', 'is more than 366 days ahead'],
])('%j does not', (text, why) => {
  expect(() => readQuietEnd(text, NOW)).toThrow(why);
});
