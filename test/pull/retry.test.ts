import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceRetryDelay } from '../../src/pull/retry.ts';

test('a source is asked again after a second, then after twice as long, at most after half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((failures) => sourceRetryDelay(failures))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
});

test('a server that asks for a longer pause is granted it, within half a minute', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(3_600_000), (failures, asked) => {
      const delay = sourceRetryDelay(failures, asked);
      expect(delay).toBeGreaterThanOrEqual(Math.min(asked, 30_000));
      expect(delay).toBeGreaterThanOrEqual(1000);
      expect(delay).toBeLessThanOrEqual(30_000);
      expect(delay).toBeGreaterThanOrEqual(sourceRetryDelay(failures));
    }),
  );
});
