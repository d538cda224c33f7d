import { expect, test } from 'vitest';
import { stripNumber } from '../../src/parts/strip-number.ts';

const STRIP = { prefixes: ['NT-', 'VAL'], suffixes: ['/OE', '-N'] };

test.each([
  ['NT-0986424797', '0986424797'],
  ['nt-0986/oe', '0986'],
  ['0986-N', '0986'],
  ['VAL 700', '700'],
  ['0986', '0986'],
  ['NT-', 'NT-'],
  ['NT-/OE', 'NT-/OE'],
  ['NT-NT-1', 'NT-1'],
  ['', ''],
])('%s becomes %s', (number, stripped) => expect(stripNumber(number, STRIP)).toBe(stripped));

test('nothing is taken off where nothing is set', () => expect(stripNumber('NT-1', null)).toBe('NT-1'));
