import * as fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { COLUMNS, matchExpression, type Wanted } from '../../src/sandbox/search/match.ts';
import { understand, type Recognisers } from '../../src/sandbox/search/terms.ts';
import { wordsOf } from '../../src/sandbox/search/words.ts';
import { repetitions } from '../support/repetitions.ts';

const NUMBERS = new Set(['0986424797', 'W71275', '424797']);
const recognisers: Recognisers = {
  vehicles: (key) => (key === '1Z9M25CA2EC152943' ? [11] : key === 'HA120133691' ? [] : undefined),
  brand: (key) => ['BOSCH', 'MOTONORD', 'MOTO'].includes(key),
  number: (key) => (NUMBERS.has(key) ? [1] : undefined),
};
const termsOf = (query: string) => understand(wordsOf(query), recognisers);

test('words are parted by spaces, quotes, semicolons, and by commas except between digits', () => {
  const texts = (query: string) => wordsOf(query).map(({ text }) => text);
  expect(texts('  a "b" «c»;d ')).toEqual(['a', 'b', 'c', 'd']);
  expect(texts('pads,front 1,5 mm')).toEqual(['pads', 'front', '1,5', 'mm']);
  expect(texts('(W712/75), oil-filter!')).toEqual(['W712/75', 'oil-filter']);
  expect(texts('! ? -- …')).toEqual([]);
});

test('a leading ? marks a word, another one does not', () => {
  expect(wordsOf('?a b? ??c ?').map(({ text, optional }) => [text, optional])).toEqual([
    ['a', true],
    ['b', false],
    ['c', true],
  ]);
});

test('the longest number, brand and vehicle is recognised', () => {
  expect(termsOf('bosch 0 986 424 797 pads').terms).toEqual([
    { as: 'brand', key: 'BOSCH', optional: false },
    { as: 'number', key: '0986424797', details: [1], optional: false },
    { as: 'words', text: 'pads', optional: false },
  ]);
  expect(termsOf('moto nord').terms).toEqual([{ as: 'brand', key: 'MOTONORD', optional: false }]);
  expect(termsOf('moto oil').terms.map(({ as }) => as)).toEqual(['brand', 'words']);
  expect(termsOf('w 712/75 1Z9M25CA2 EC152943')).toEqual({
    terms: [{ as: 'number', key: 'W71275', details: [1], optional: false }],
    vehicles: [11],
  });
});

test('a vehicle that is not indexed is an optional word', () => {
  expect(termsOf('pads HA12-0133691')).toEqual({
    terms: [
      { as: 'words', text: 'pads', optional: false },
      { as: 'words', text: 'HA12-0133691', optional: true },
    ],
    vehicles: null,
  });
});

test('a marked word in the middle ends a run', () => {
  expect(termsOf('0 986 ?424 797').terms).toEqual([
    { as: 'words', text: '0', optional: false },
    { as: 'words', text: '986', optional: false },
    { as: 'number', key: '424797', details: [1], optional: true },
  ]);
});

test('every word of a query is in exactly one term or names a vehicle', () => {
  const word = fc.constantFrom(
    '0',
    '986',
    '424',
    '797',
    'bosch',
    'moto',
    'nord',
    '?pads',
    '?w712',
    '75',
    '1Z9M25CA2EC152943',
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const { terms, vehicles } = termsOf(words.join(' '));
      const spoken = terms.map((term) => (term.as === 'words' ? term.text.toUpperCase() : term.key)).join('');
      const expected = wordsOf(words.join(' ')).filter(({ key }) => key !== '1Z9M25CA2EC152943');
      expect(spoken.replaceAll(' ', '')).toBe(expected.map(({ key }) => key).join(''));
      expect(vehicles?.length ?? 0).toBe(words.filter((one) => one.startsWith('1Z9')).length);
    }),
  );
});

test('words have a key of capitals and digits, and know no order of separators', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const { key } of wordsOf(text)) expect(key).toMatch(/^[\p{L}\p{N}]+$/u);
    }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('A1', 'b2', 'Ö3'), { minLength: 1 }),
      fc.constantFrom('.', '/', '-', '_', '+'),
      (parts, separator) => {
        expect(wordsOf(parts.join(separator)).map(({ key }) => key)).toEqual([parts.join('').toUpperCase()]);
      },
    ),
  );
});

test('whatever is typed, the index understands the expression', () => {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE words USING fts5 (${Object.keys(COLUMNS).join(', ')}, content = '')`);
  const find = db.prepare('SELECT rowid FROM words WHERE words MATCH ?');
  const typed = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('AND', 'OR', 'NOT', 'NEAR(', ')', '{a}', ':', '"', '*', '^', '-', '?', 'x', '\0'))
      .map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(typed, fc.boolean(), fc.boolean(), fc.boolean(), (query, numbers, crosses, restricted) => {
      const wanted: Wanted = {
        terms: termsOf(query).terms,
        names: ['offer', 'detail', 'cross_names'],
        numbers,
        brands: numbers,
        crossBrands: crosses,
        crossNumbers: crosses,
        crossDetails: crosses,
        tags: restricted ? { ids: [1, 2], every: crosses } : null,
        original: restricted ? numbers : null,
        vehicles: restricted ? [3] : null,
      };
      expect(find.all(matchExpression(wanted))).toEqual([]);
    }),
    { numRuns: repetitions(500) },
  );
  db.close();
});
