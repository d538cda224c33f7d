import { expect, test } from 'vitest';
import { readSince } from '../../src/cli/since.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');

test.each([
  ['90m', '2026-11-23T10:30:00Z'],
  ['6h', '2026-11-23T06:00:00Z'],
  ['1d', '2026-11-22T12:00:00Z'],
  ['2w', '2026-11-09T12:00:00Z'],
  ['2026-11-21', '2026-11-21T00:00:00Z'],
  ['2026-11-21 06:30', '2026-11-21T06:30:00Z'],
  ['2026-11-21T06:30:00+03:00', '2026-11-21T03:30:00Z'],
])('%s is %s', (text, at) => {
  expect(new Date(readSince(text)(NOW)).toISOString()).toBe(new Date(at).toISOString());
});

test.each(['', '1', '1x', '-1d', 'yesterday', '2026-13-40', '21.11.2026', '2026-11-21 6:30'])(
  '%j is refused',
  (text) => {
    expect(() => readSince(text)).toThrow('Expected how long ago, such as 6h or 1d, or a date such as 2026-11-21.');
  },
);
