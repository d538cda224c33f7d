import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsAttention, rejectedShare, worstFirst } from '../../../src/notify/digest/rank.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { OF_SEVERITY, supplier } from './digest-input.ts';

const english = openLanguage('en');

const WORST_FIRST = [
  supplier({ name: 'lost rows', incident: OF_SEVERITY.high }),
  supplier({ name: 'half of it gone', incident: OF_SEVERITY.medium, live: 600 }),
  supplier({ name: 'held', incident: OF_SEVERITY.medium }),
  supplier({ name: 'uncertain', live: null }),
  supplier({ name: 'late', isLate: true }),
  supplier({ name: 'a few rejected', incident: OF_SEVERITY.low, file: { read: 1201, rejected: 12, leftOut: 0 } }),
  supplier({ name: 'fine' }),
];

test('the gravest incident first, then who lost most', () => {
  expect(worstFirst(WORST_FIRST.toReversed(), english).map(({ name }) => name)).toEqual(
    WORST_FIRST.map(({ name }) => name),
  );
});

test('attention is for more than a few rejected rows', () => {
  const names = WORST_FIRST.filter(needsAttention).map(({ name }) => name);
  expect(names).toEqual(['lost rows', 'half of it gone', 'held', 'uncertain', 'late']);
  expect(needsAttention(supplier({ live: 0 }))).toBe(true);
  expect(needsAttention(supplier({ file: { read: 1201, rejected: 600, leftOut: 0 } }))).toBe(true);
  expect(needsAttention(supplier({ file: { read: 0, rejected: 0, leftOut: 0 } }))).toBe(false);
});

test('the order does not depend on the order in which suppliers come, and none is lost', () => {
  const count = fc.option(fc.integer({ min: 0, max: 9 }));
  const any = fc
    .record({
      live: count,
      liveDayBefore: count,
      liveWeekBefore: count,
      isLate: fc.boolean(),
      incident: fc.constantFrom(...Object.values(OF_SEVERITY), null),
      file: fc.option(fc.record({ read: fc.nat(9), rejected: fc.nat(9), leftOut: fc.nat(9) })),
    })
    .map(supplier);
  const several = fc.array(any, { maxLength: 12 }).map((all) => all.map((one, n) => ({ ...one, feed: `f${n}` })));
  fc.assert(
    fc.property(several, (suppliers) => {
      const ranked = worstFirst(suppliers, english);
      expect(worstFirst(suppliers.toReversed(), english)).toEqual(ranked);
      expect(ranked.toSorted((a, b) => a.feed.localeCompare(b.feed))).toEqual(
        suppliers.toSorted((a, b) => a.feed.localeCompare(b.feed)),
      );
      const attention = ranked.map(needsAttention);
      expect(attention.lastIndexOf(true)).toBeLessThan(
        attention.indexOf(false) === -1 ? Infinity : attention.indexOf(false),
      );
      for (const one of suppliers) expect(rejectedShare(one)).toBeLessThanOrEqual(1);
    }),
  );
});
