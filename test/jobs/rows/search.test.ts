import { expect, test } from 'vitest';
import { matcherOf } from '../../../src/jobs/rows/search.ts';

const ROW = { brand: 'MANN FILTER', oem: '6205', name: 'Filter' };
const STRIP = { prefixes: ['NT-', 'NT '], suffixes: ['/OE', ' OE'] };

test.each([
  ['6205', true],
  ['NT-6205', true],
  ['mann filter nt-6205/oe', true],
  ['NT 6205', true],
  ['mann filter nt 6205', true],
  ['MANN FILTER 6205 OE', true],
  ['NTN 6205', false],
  ['MANN NT', false],
])('"%s" finds a row whose number was stripped: %s', (search, found) => {
  expect(matcherOf(search, { table: null, strip: STRIP })!(ROW)).toBe(found);
});
