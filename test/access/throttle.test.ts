import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORGOTTEN_AFTER, linkSubjectsOf, linkWaitUntil, subjectsOf, waitUntil } from '../../src/access/throttle.ts';

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

test('after the clock was set back nobody waits until it is as late as it was', () => {
  fc.assert(
    fc.property(kinds, fc.nat(10 * FORGOTTEN_AFTER), (seen, back) => {
      const now = 11 * FORGOTTEN_AFTER - back;
      const later = Object.entries(seen).map(([kind, { failures, at }]) => [kind, { failures, at: now + back - at }]);
      expect((waitUntil(Object.fromEntries(later) as typeof seen, now) ?? now) - now).toBeLessThanOrEqual(30 * 60_000);
      expect(waitUntil({ pair: { failures: 4, at: now + back } }, now)).toBeNull();
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

test('who has a network of IPv6 is counted as one, and an address of IPv4 in either form', () => {
  const pairOf = (address: string) => subjectsOf('anna', address).address;
  expect(pairOf('2001:db8:0:7::1')).toBe(pairOf('2001:DB8:0:7:ffff::9'));
  expect(pairOf('2001:db8:0:7::1')).not.toBe(pairOf('2001:db8:0:8::1'));
  expect(pairOf('fe80::1%eth0')).toBe(pairOf('fe80::2'));
  expect(pairOf('::ffff:10.0.200.7')).toBe(pairOf('10.0.200.7'));
  expect(pairOf('10.0.200.7')).not.toBe(pairOf('10.0.200.8'));
});

test('a network of IPv6 is its first four groups, however the address is written', () => {
  const group = fc.nat(0xffff);
  fc.assert(
    fc.property(fc.tuple(group, group, group, group), fc.tuple(group, group, group, group), (network, host) => {
      const hex = (groups: number[]) => groups.map((one) => one.toString(16)).join(':');
      const short = new URL(`http://[${hex([...network, ...host])}]/`).hostname.slice(1, -1);
      fc.pre(!/^::(ffff:|[\da-f]*$)/u.test(short));
      expect(subjectsOf('anna', short)).toEqual(subjectsOf('anna', `${hex(network)}::`));
    }),
  );
});

test('names are not kept: some of them are passwords in the wrong field', () => {
  expect(Object.values(subjectsOf('hunter2', '10.0.0.1')).join(' ')).not.toContain('hunter2');
});

test('twenty wrong links of a network are free, then it waits, longer each time and for a quarter of an hour at most', () => {
  const now = 1_000_000;
  const waitAfter = (failures: number) => (linkWaitUntil({ failures, at: now }, now) ?? now) - now;
  expect([0, 20, 21, 22, 60].map(waitAfter)).toEqual([0, 0, 2000, 4000, 900_000]);
  expect(linkWaitUntil(undefined, now)).toBeNull();
  expect(linkWaitUntil({ failures: 60, at: now }, now + 900_000)).toBeNull();
  const { guesses, known } = linkSubjectsOf('north', '2001:db8:0:7::1');
  expect(guesses).toBe(linkSubjectsOf('south', '2001:db8:0:7::2').guesses);
  expect(known).not.toBe(linkSubjectsOf('south', '2001:db8:0:7::1').known);
});
