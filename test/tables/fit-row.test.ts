import { expect, test } from 'vitest';
import { appendWithin, fitCells, fitRow, rowFitter } from '../../src/tables/fit-row.ts';

const LIMITS = { fileSize: 1e9, cellLength: 4, rowLength: 10 };

test('a row ends with its last filled cell, and a blank row is none', () => {
  expect(fitRow(['A', undefined, 'C', '', undefined], LIMITS)).toEqual(['A', '', 'C']);
  expect(fitRow(['', ' ', undefined], LIMITS)).toBeNull();
  expect(fitRow([], LIMITS)).toBeNull();
});

test('a cell and a row keep one character more than their limits', () => {
  expect(fitRow(['1234', '123456', '12345'], LIMITS)).toEqual(['1234', '12345', '12']);
  expect(appendWithin('123', '456', 4)).toBe('12345');
  expect(appendWithin('12345', '6', 4)).toBe('12345');
});

test('a table of more cells than a list has is refused', () => {
  const fit = rowFitter({ path: '', folder: '', name: 'prices', limits: LIMITS, records: null, charset: null }, 1_000);
  const wide = Array.from({ length: 500 }, (_, at) => (at === 499 ? 'x' : undefined));
  expect(fit(wide)).toHaveLength(500);
  expect(fit(wide)).toHaveLength(500);
  expect(fit([undefined])).toBeNull();
  expect(() => fit(['A'])).toThrow('prices has more than 1,000 cells, most of them empty. Delete the empty columns');
});

test('cells far to the right count for the limits, too', () => {
  const far = [
    { column: 300, text: '123456' },
    { column: 301, text: '12345' },
  ];
  expect(fitCells({ cells: ['1234', '', '12'], far }, LIMITS)).toEqual({
    cells: ['1234', '', '12'],
    far: [{ column: 300, text: '12345' }],
  });
  expect(fitCells({ cells: ['12345', '12345', '123'] }, LIMITS)).toEqual({ cells: ['12345', '12345', '1'] });
  expect(fitCells({ cells: ['12345', '12345', '', '123', '12'] }, LIMITS)).toEqual({ cells: ['12345', '12345', '', '1'] });
});
