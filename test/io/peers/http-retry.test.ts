import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { isTransientStatus, parseRetryAfter } from '../../../src/io/peers/http-retry.ts';

const YEAR_2100 = Date.UTC(2100, 0, 1) / 1000;

test('seconds are told from a date, and both give the time that is left', () => {
  assert(
    property(integer({ min: 0, max: 100_000 }), integer({ min: 0, max: YEAR_2100 }), (seconds, at) => {
      const now = at * 1000;
      expect(parseRetryAfter(` ${seconds} `, now)).toBe(seconds * 1000);
      expect(parseRetryAfter(new Date(now + seconds * 1000).toUTCString(), now)).toBe(seconds * 1000);
    }),
  );
});

test('a date in the past asks for no wait, and no header asks for a negative one', () => {
  expect(parseRetryAfter('Tue, 05 May 2026 06:02:00 GMT', Date.UTC(2026, 4, 6))).toBe(0);
  assert(property(string(), (header) => (parseRetryAfter(header, Date.now()) ?? 0) >= 0));
  expect(parseRetryAfter('soon', 0)).toBeNull();
});

test('only 408, 425, 429 and 5xx may pass', () => {
  assert(
    property(
      integer({ min: 100, max: 599 }),
      (status) => isTransientStatus(status) === ([408, 425, 429].includes(status) || status >= 500),
    ),
  );
});
