import { assert, constantFrom, nat, property, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { patternOf } from '../../../src/pull/choose/pattern.ts';

test.each([
  ['price_*.csv', 'price_2026-11-27.XLS'],
  ['price_*.csv', 'prices_2026-11-27.csv'],
  ['price_*.csv', 'prcie_2026-11-27.csv'],
  ['price_*.csv', 'Price 27.11.2026.csv'],
  ['price_{yyyy-MM-dd}.csv', 'price_27.11.2026.csv'],
  ['price_{yyyy-MM-dd}.csv', 'price_20261127.zip'],
  ['price_{yyyyMMdd}.csv', 'price.csv'],
  ['*.csv', 'anything.xlsx'],
  ['*.{csv,zip}', 'anything.txt'],
  ['{north,south}_*.{csv,zip}', 'nort_1.xls'],
  ['price.csv', 'price.csv.zip'],
  ['price_{yyyyMMdd}.csv', 'price_20261128.csv.gz'],
  ['цены*.xlsx', 'Цена 27.11.xls'],
  ['Restposten.csv', 'restposen.csv'],
])('of the pattern %s, %s almost fits', (pattern, name) => {
  expect(patternOf(pattern).nearOf(name)).toBe('misnamed');
});

test.each([
  ['price_*.csv', 'price_1.csv'],
  ['price_*.csv', 'stock_2026-11-27.csv'],
  ['price_*.csv', 'price_list.pdf'],
  ['price_*.csv', 'readme.txt'],
  ['*.csv', 'readme.md'],
  ['*.csv', '.hidden.xls'],
  ['north_*.csv', 'south_1.csv'],
  ['a*.csv', 'b1.csv'],
  ['price_1.csv', 'price_2.csv'],
  ['stock_A*.csv', 'stock_B_1.csv'],
  ['tecdoc_de_*.csv', 'tecdoc_fr_1.csv'],
  ['{north,south}.csv', 'east.csv'],
])('of the pattern %s, %s does not almost fit', (pattern, name) => {
  expect(patternOf(pattern).nearOf(name)).toBeUndefined();
});

test('a transfer that is not finished is told as one', () => {
  const pattern = patternOf('price_*.csv');
  expect(pattern.nearOf('price_1.csv.part')).toBe('unfinished');
  expect(pattern.nearOf('stock_1.csv.part')).toBeUndefined();
});

test('a name of which a letter was changed, lost, added or exchanged is near; one that fits never is', () => {
  const stem = stringMatching(/^[a-z]{5,12}$/u);
  assert(
    property(stem, nat(), constantFrom('change', 'lose', 'add', 'swap'), (word, seed, how) => {
      const at = seed % (word.length - 1);
      const [before, here, next, rest] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)];
      const typo = {
        change: `${before}ß${next}${rest}`,
        lose: `${before}${next}${rest}`,
        add: `${before}${here}x${next}${rest}`,
        swap: `${before}${next}${here}${rest}`,
      }[how];
      const pattern = patternOf(`${word}.csv`);
      expect(pattern.nearOf(`${typo}.csv`) !== undefined || pattern.matches(`${typo}.csv`)).toBe(true);
      expect(pattern.nearOf(`${word}.csv`)).toBeUndefined();
    }),
  );
});
