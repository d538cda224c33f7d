import { expect, test } from 'vitest';
import { habitsOf } from '../../src/values/value-habits.ts';

const rows = (brand: string, count: number, number = (at: number) => `${brand[0]!}${at}`) =>
  Array.from({ length: count }, (_, at): [string, string] => [brand, number(at)]);

const makersOf = (parts: [string, string][]) => habitsOf(parts, { hasDates: false }).makers;

test('a word for nothing in a large part of the column, with numbers of its own, is a maker', () => {
  expect(makersOf([...rows('NONAME', 40), ...rows('BOSCH', 60)])).toEqual(['NONAME']);
  expect(makersOf([...rows('N.A.', 10)])).toEqual(['NA']);
});

test('in a few rows, or with the same number in each, it is none', () => {
  expect(makersOf([...rows('NONAME', 10), ...rows('BOSCH', 90)])).toEqual([]);
  expect(makersOf([...rows('NONAME', 40, () => '1'), ...rows('BOSCH', 60)])).toEqual([]);
});

test('some words are never a maker', () => {
  for (const word of ['n/a', '-', 'null', 'без бренда', '0']) expect(makersOf(rows(word, 50))).toEqual([]);
});
