import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStock } from '../../src/values/stocks.ts';
import { repetitions } from '../support/repetitions.ts';

function stock(cell: string) {
  const found = parseStock(cell);
  return found.kind === 'known' ? found.value : found.kind;
}

test.each([
  ['0', 0],
  ['12', 12],
  ['>10', 10],
  ['> 10', 10],
  ['>0', 1],
  ['10+', 10],
  ['10-50', 10],
  ['1 – 4 шт.', 1],
  ['<5', 1],
  ['<1', 0],
  ['5 шт.', 5],
  ['7 pcs', 7],
  ['1.000', 1000],
  ['2,00', 2],
  ['-3', 0],
  ['да', 1],
  ['много', 1],
  ['In stock', 1],
  ['+++', 1],
  ['Auf Lager', 1],
  ['нет', 0],
  ['Под заказ', 0],
  ['out of stock', 0],
  ['-', 0],
])('%s is a stock', (cell, value) => {
  expect(stock(cell)).toBe(value);
});

test.each([
  ['12', 12, 12],
  ['в наличии', 1, Infinity],
  ['нет', 0, 0],
  ['>10', 11, Infinity],
  ['>0', 1, Infinity],
  ['>=10', 10, Infinity],
  ['≥10', 10, Infinity],
  ['10+', 10, Infinity],
  ['<10', 1, 9],
  ['<=10', 1, 10],
  ['≤1', 0, 1],
  ['<1', 0, 0],
  ['10-50', 10, 50],
  ['1 000 … 2 000', 1000, 2000],
  ['50-10', 50, 50],
  ['~10', 10, 10],
])('%s is from %d to %d', (cell, least, most) => {
  expect(parseStock(cell)).toMatchObject({ kind: 'known', least, most });
});

test('what is not given is nothing, and other texts are no stock', () => {
  expect(['', '?', 'n/a'].map(stock)).toEqual(['none', 'none', 'none']);
  expect(['GDB1330', '3 days', 'Mo-Fr'].map(stock)).toEqual(['unreadable', 'unreadable', 'unreadable']);
});

test('a number is that number, at least and with a unit, too; more than none is one', () => {
  const dressed = fc.constantFrom(['', ''], ['>', ''], ['', '+'], ['≥ ', ' pcs'], ['', ' шт.']);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), dressed, (value, [before, after]) => {
      expect(stock(`${before}${value}${after}`)).toBe(before === '>' ? Math.max(1, value) : value);
    }),
  );
});

test('any text is a stock that is not negative, none or unreadable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (cell) => {
      const found = parseStock(cell);
      expect(found.kind !== 'known' || (found.value >= 0 && found.least >= 0 && found.most >= found.least)).toBe(true);
    }),
    { numRuns: repetitions(500) },
  );
});
