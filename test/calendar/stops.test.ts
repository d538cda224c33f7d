import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStopped, mergedStops, passedAfter, type Stop } from '../../src/calendar/stops.ts';

const MOST = 40;

const STOPS = fc.array(
  fc.tuple(fc.nat(MOST), fc.nat(MOST), fc.boolean()).map(([from, length, lasts]): Stop => {
    return { from, to: lasts && length > MOST - 4 ? Infinity : from + length };
  }),
  { maxLength: 5 },
);

test('so much time has passed as a clock counts that stands still within the spans', () => {
  fc.assert(
    fc.property(STOPS, fc.nat(MOST), fc.nat(MOST), (stops, at, span) => {
      const end = passedAfter(at, span, mergedStops(stops));
      let [now, left] = [at, span];
      // Beyond this moment only what lasts stops the clock.
      while (left > 0 && now < 20 * MOST) {
        if (!isStopped(now, stops)) left -= 1;
        now += 1;
      }
      expect(end).toBe(left > 0 ? Infinity : now);
    }),
  );
});

test('merged spans are in order, apart, and cover the same moments', () => {
  fc.assert(
    fc.property(STOPS, (stops) => {
      const merged = mergedStops(stops);
      for (const [at, { from, to }] of merged.entries())
        expect(from > (merged[at - 1]?.to ?? -1) && to > from).toBe(true);
      for (let at = 0; at < 3 * MOST; at += 1) expect(isStopped(at, merged)).toBe(isStopped(at, stops));
    }),
  );
});
