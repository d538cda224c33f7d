import { expect, test } from 'vitest';
import { partKey } from '../../src/parts/part-key.ts';
import { createSpeller, partKeys, spelledSearches, spellingTable } from '../../src/parts/spellings.ts';

const TABLE = spellingTable(
  new Map([
    ['VAG', 'VW'],
    ['VOLKSWAGENAG', 'VW'],
    ['VW', 'VW'],
    ['MANNFILTER', 'MANN-FILTER'],
  ]),
);

test.each([
  ['VAG', 'VW'],
  ['v.a.g', 'VW'],
  ['Volkswagen AG', 'VW'],
  ['vw', 'VW'],
  ['mann filter', 'MANN-FILTER'],
  ['BOSCH', 'BOSCH'],
  ['', ''],
  ['constructor', 'constructor'],
])('%s stands for %s', (written, brand) => expect(createSpeller(TABLE)(written)).toBe(brand));

test('without a table each brand stands for itself', () => {
  expect(spellingTable(new Map())).toBeNull();
  expect(createSpeller(null)('VAG')).toBe('VAG');
  expect(spelledSearches('VAG1', null)).toEqual([]);
});

test('what a table says makes its digest, not the order in which it is said', () => {
  const [a, b] = [['VAG', 'VW'] as const, ['MB', 'MERCEDES-BENZ'] as const];
  expect(spellingTable(new Map([a, b]))).toEqual(spellingTable(new Map([b, a])));
  expect(spellingTable(new Map([a]))?.digest).not.toBe(spellingTable(new Map([['VAG', 'Vw']]))?.digest);
});

test('a part has the keys of all spellings of its brand, whichever of them is named', () => {
  const keys = ['VW', 'VAG', 'Volkswagen AG'].map((brand) => partKey(brand, '1K0'));
  for (const brand of ['VAG', 'vw', 'VOLKSWAGEN-AG'])
    expect([...partKeys({ brand, oem: '1-K0' }, { table: TABLE, strip: null })].sort()).toEqual(keys.toSorted());
  expect([...partKeys({ brand: 'BOSCH', oem: '1' }, { table: TABLE, strip: null })]).toEqual([partKey('BOSCH', '1')]);
});

test('a search that begins with a spelling means its brand, too', () => {
  expect(spelledSearches('VAG1K0', TABLE)).toEqual(['VW1K0']);
  expect(spelledSearches('BOSCH', TABLE)).toEqual([]);
  expect(spelledSearches('VOLKSWAGENAG', TABLE)).toEqual(['VW']);
});

test('a hundred thousand spellings are looked up as quickly as a few', () => {
  const table = spellingTable(
    new Map(Array.from({ length: 100_000 }, (_, at) => [`SPELLING${at}`, `BRAND ${at % 900}`])),
  );
  const spell = createSpeller(table);
  expect(spell('spelling 99999')).toBe('BRAND 99');
  expect(spell('spelling 100000')).toBe('spelling 100000');
});
