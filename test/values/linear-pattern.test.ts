import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linearPattern, PatternError } from '../../src/values/linear-pattern.ts';
import { repetitions } from '../support/repetitions.ts';

test.each([
  ['abc', 'xABCx', true],
  ['^abc$', 'abc', true],
  ['^abc$', 'abcd', false],
  ['^$', '', true],
  ['^$', 'a', false],
  ['a|^b', 'cb', false],
  [String.raw`^\d{3}-\d+$`, '123-4', true],
  [String.raw`^\d{3}-\d+$`, '12-4', false],
  ['[A-F]{2,3}$', 'xxfe', true],
  ['[^0-9]', '123', false],
  [String.raw`[\d.]+x`, '1.2X', true],
  ['(?:ab)+c', 'ababc', true],
  [String.raw`\(used\)`, 'Pads (USED)', true],
  ['ФИЛЬТР', 'масляный фильтр', true],
  ['.*', '', true],
  ['colou?r', 'color', true],
  ['[]a]', ']', true],
])('%s finds something in %s: %s', (pattern, text, found) => expect(linearPattern(pattern).test(text)).toBe(found));

test.each([
  [String.raw`(a)\1`, 'is not known, or refers back'],
  ['a(?=b)', 'it looks around'],
  ['(?<n>a)', 'it looks around'],
  ['(a', 'is never closed'],
  ['a)', 'closes what was never opened'],
  ['[a', 'is never closed'],
  ['*a', 'repeats nothing'],
  ['a{3,2}', 'cannot be counted'],
  ['a{x}', 'begins no number of repetitions'],
  ['(a{100}){100}', 'repeats too much'],
  ['a'.repeat(501), 'is longer than 500 characters'],
  ['[z-a]', 'the wrong way round'],
  ['a\\', 'ends in a backslash'],
])('%s is refused: %s', (pattern, why) => {
  expect(() => linearPattern(pattern)).toThrow(PatternError);
  expect(() => linearPattern(pattern)).toThrow(why);
});

/** Repeated groups in each other, deeper than this, take the regular expression of the language minutes. */
const DEPTH = 2;

const anyPattern = fc.letrec<{ one: string; any: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: DEPTH, depthIdentifier: 'groups' },
    fc.constantFrom('a', 'b', '1', '.', '[ab]', '[^a]', String.raw`\d`, String.raw`\w`, '^', '$'),
    tie('any').map((inner) => `(${inner})`),
  ),
  any: fc
    .array(fc.tuple(tie('one'), fc.constantFrom('', '', '?', '*', '+', '{1,2}', '*?')), { minLength: 1, maxLength: 3 })
    .map((all) => all.map(([one, repeat]) => one + (/[$^]$/.test(one) ? '' : repeat)).join(''))
    .chain((one) => fc.constantFrom(one, `${one}|b`)),
})).any;

test('a pattern finds what a regular expression finds', () => {
  fc.assert(
    fc.property(anyPattern, fc.string({ unit: fc.constantFrom('a', 'b', '1', 'c'), maxLength: 8 }), (pattern, text) => {
      expect(linearPattern(pattern).test(text)).toBe(new RegExp(pattern, 'iu').test(text));
    }),
    { numRuns: repetitions(2000) },
  );
});

test('patterns that take regular expressions for ever take no time', () => {
  const text = `${'a'.repeat(20_000)}!`;
  const start = performance.now();
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '(a*)*b', 'a{0,50}a{0,50}a{0,50}b']) {
    expect(linearPattern(pattern).test(text)).toBe(false);
  }
  expect(performance.now() - start).toBeLessThan(5000);
});
