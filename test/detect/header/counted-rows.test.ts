import { expect, test } from 'vitest';
import { areCountedWithoutName } from '../../../src/detect/header/counted-rows.ts';

const names = ['brand', 'number', 'price'];
const row = (count: string, at: number) => [count, 'ATE', `13.046${at}`, '5'];

test.each([[['1', '2', '3', '4']], [['0', '1', '2']]])('rows that are counted beside the header: %j', (counts) => {
  expect(areCountedWithoutName(names, counts.map(row))).toBe(true);
});

test.each([
  ['too few rows', ['1', '2']],
  ['a count from elsewhere', ['5', '6', '7']],
  ['a gap', ['1', '2', '4']],
  ['zeros', ['01', '02', '03']],
])('rows that are not: %s', (_, counts) => {
  expect(areCountedWithoutName(names, counts.map(row))).toBe(false);
});

test('a header as wide as its rows, or with a column without a name, has a cell for each column', () => {
  const below = ['1', '2', '3'].map(row);
  expect(areCountedWithoutName(['no', ...names], below)).toBe(false);
  expect(areCountedWithoutName(['brand', '', 'price'], below)).toBe(false);
});
