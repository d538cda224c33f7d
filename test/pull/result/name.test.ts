import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isResultName, numberedName, resultName } from '../../../src/pull/result/name.ts';

const RESULT = { name: '{name}_result.xlsx' };

test.each([
  ['prices.csv', 'prices_result.xlsx'],
  ['price.list.csv.gz', 'price.list.csv_result.xlsx'],
  ['Цены', 'Цены_result.xlsx'],
  ['a\uFFFDb.csv', 'a_b_result.xlsx'],
  ['.csv', 'csv_result.xlsx'],
  ['$1 {name}.csv', '$1 {name}_result.xlsx'],
])('the result of %j is called %j', (delivery, result) => {
  expect(resultName(RESULT, delivery)).toBe(result);
});

test('a fixed name is the same for each delivery', () => {
  expect(resultName({ name: 'result.xlsx' }, 'prices.csv')).toBe('result.xlsx');
});

test('a number stands before the ending, in its folder', () => {
  expect(numberedName('prices_result.xlsx', 1)).toBe('prices_result.xlsx');
  expect(numberedName('out/prices_result.xlsx', 2)).toBe('out/prices_result (2).xlsx');
});

test.each([
  ['PRICES_Result.XLSX', true],
  ['prices_result (12).xlsx', true],
  ['_result.xlsx', false],
  ['prices_result.csv', false],
  ['prices_results.xlsx', false],
  ['prices (2).xlsx', false],
])('whether %j is called like a result: %j', (name, is) => {
  expect(isResultName(RESULT, name)).toBe(is);
});

test('whatever the delivery is called, its result is known by its name, with and without a number', () => {
  const names = fc.constantFrom('{name}_result.xlsx', 'errors of {name}.xlsx', 'result.xlsx', 'R_{name}_(1).xlsx');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), names, fc.integer({ min: 1, max: 999 }), (delivery, name, number) => {
      expect(isResultName({ name }, numberedName(resultName({ name }, delivery), number))).toBe(true);
    }),
  );
});
