import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORGOTTEN_AFTER, subjectsOf, waitUntil } from '../../src/access/throttle.ts';

const counted = fc.record({ failures: fc.nat(1000), at: fc.nat(10_000_000) });
const kinds = fc.record({ pair: counted, address: counted, user: counted }, { requiredKeys: [] });
const later = fc.nat(2 * FORGOTTEN_AFTER);

test('more failures never shorten a wait, and nobody waits longer than a quarter of an hour', () => {
  fc.assert(
    fc.property(counted, later, ({ failures, at }, passed) => {
      const now = at + passed;
      const [fewer, more] = [failures, failures + 1].map(
        (count) => waitUntil({ pair: { failures: count, at } }, now) ?? now,
      );
      expect(more).toBeGreaterThanOrEqual(fewer!);
      expect(more! - at).toBeLessThanOrEqual(Math.max(15 * 60_000, passed));
    }),
  );
});

test('a wait ends, and what is old is forgotten', () => {
  fc.assert(
    fc.property(kinds, later, (seen, passed) => {
      const now = Math.max(0, ...Object.values(seen).map(({ at }) => at)) + passed;
      const end = waitUntil(seen, now);
      expect(end === null ? null : waitUntil(seen, end)).toBeNull();
      expect(waitUntil(seen, now + FORGOTTEN_AFTER)).toBeNull();
    }),
  );
});

test('where the user has signed in before, only their own failures there count', () => {
  fc.assert(
    fc.property(kinds, later, (seen, passed) => {
      const known = { failures: 0, at: 0 };
      const own = seen.pair === undefined ? {} : { pair: seen.pair };
      expect(waitUntil({ ...seen, known }, passed)).toBe(waitUntil(own, passed));
    }),
  );
});

test('no two pairs of user and address are counted as one', () => {
  const name = fc.string({ maxLength: 60 });
  fc.assert(
    fc.property(name, name, fc.ipV4(), fc.ipV6(), (one, other, here, there) => {
      const pairs = [subjectsOf(one, here), subjectsOf(one, there), subjectsOf(other, here)].map(({ pair }) => pair);
      expect(new Set(pairs).size).toBe(one === other ? 2 : 3);
    }),
  );
});
