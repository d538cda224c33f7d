import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryPatterns } from '../../../src/cli/init/entry-patterns.ts';
import { fitsEntry } from '../../../src/pull/unpack/unpack-all.ts';

test.each([
  [['ate.csv', 'trw.csv'], ['readme.txt'], ['*.csv']],
  [['makers/ate.CSV', 'makers/trw.csv'], ['readme.txt'], ['*.csv']],
  [['ate.csv', 'trw.xlsx'], ['terms.pdf'], ['*.csv', '*.xlsx']],
  [['ate.csv.gz', 'trw.csv'], ['readme.txt'], ['*.csv']],
  [['preise_ate.txt', 'preise_trw.txt'], ['readme.txt'], ['preise_*.txt']],
  [['preise_20261128_ate.txt', 'preise_20261128_trw.txt'], ['readme.txt'], ['preise_*_*.txt']],
  [['ate preise.txt', 'trw preise.txt'], ['readme.txt'], ['* preise.txt']],
  [['ate.txt', 'trw_2026-11-28.txt'], ['readme.txt'], ['ate.txt', 'trw_*.txt']],
  [['trw_2026-11-28.txt', 'ate.txt'], ['trw_2026-11-27.txt'], ['trw_2026-11-28.txt', 'ate.txt']],
])('%j beside %j are taken by %j', (lists, others, patterns) => {
  expect(entryPatterns(lists, others)).toEqual(patterns);
});

test('whatever the names, the patterns take all lists and no other file', () => {
  const name = fc.stringMatching(/^[a-zж][a-z0-9 ()[\]{}*!+@_-]{0,8}\.(?:csv|txt|TXT|gz)$/u);
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 3, maxLength: 8, selector: (one) => one.toLowerCase() }), (names) => {
      const [lists, others] = [names.slice(2), names.slice(0, 2)];
      const patterns = entryPatterns(lists, others);
      const taken = names.filter((one) => patterns.some((pattern) => fitsEntry(one, pattern)));
      expect(taken).toEqual(lists);
      expect(others.filter((other) => taken.includes(other))).toEqual([]);
    }),
  );
});
