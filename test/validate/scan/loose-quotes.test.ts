import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasLooseQuotes } from '../../../src/validate/scan/loose-quotes.ts';
import { repetitions } from '../../support/repetitions.ts';

const DIALECT = { delimiter: ';', quote: '"', escape: '"', newline: '\n' };

test.each([
  ['an inch mark', 'head\na;hose 5";b\n', true],
  ['an inch mark above the table', 'list of 5" hoses\na;b\n', false],
  ['proper quotes', 'head\n"a ""b""";"c\nd 5"""\r\n"x";y\n', false],
  ['none', 'a;b\n', false],
])('%s', (_, text, loose) => {
  expect(hasLooseQuotes(text, DIALECT, 2)).toBe(loose);
});

test('a table that was written properly has none', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab1 "\\;\n\r'.split('')), maxLength: 8 });
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.constantFrom('"', '\\'), (rows, escape) => {
      const text = stringify(rows, { delimiter: ';', escape, quoted_match: /[\r\n]/ });
      expect(hasLooseQuotes(text, { ...DIALECT, escape }, 1)).toBe(false);
    }),
    { numRuns: repetitions(1000) },
  );
});
