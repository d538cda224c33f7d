import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSsd } from '../../src/sandbox/ssd.ts';

test('an ssd is read as what was written, and fits into a query and a command line as it is', () => {
  const ssd = createSsd(randomBytes(32));
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), (catalog, vehicle, place) => {
      const text = ssd.write({ catalog, vehicle, place });
      expect(text).toMatch(/^[\w-]+$/);
      expect(ssd.read(text)).toEqual({ catalog, vehicle, place });
    }),
  );
});

test('an ssd with one letter changed, cut, invented or of another data folder is refused', () => {
  const ssd = createSsd(randomBytes(32));
  const good = ssd.write({ catalog: 'NRD2611', vehicle: 3 });
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.constantFrom(...'abcXYZ019-_'.split('')), (at, letter) => {
      fc.pre(good[at] !== letter);
      expect(() => ssd.read(good.slice(0, at) + letter + good.slice(at + 1))).toThrow(
        'is not one that this service gave',
      );
    }),
  );
  const foreign = createSsd(randomBytes(32)).write({ catalog: 'NRD2611', vehicle: 3 });
  for (const text of ['', 'x', good.slice(0, -1), good.slice(1), `${good}A`, foreign, 'ü'.repeat(30)])
    expect(() => ssd.read(text)).toThrow('is not one that this service gave');
});
