import { expect, test } from 'vitest';
import { appendWithin, fitCells } from '../../src/tables/fit-row.ts';

const LIMITS = { fileSize: 1e9, cellLength: 4, rowLength: 10 };

test('a cell and a row keep one character more than their limits', () => {
  expect(fitCells({ cells: ['1234', '123456', '12345'] }, LIMITS)).toEqual({ cells: ['1234', '12345', '12'] });
  expect(appendWithin('123', '456', 4)).toBe('12345');
  expect(appendWithin('12345', '6', 4)).toBe('12345');
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
  expect(fitCells({ cells: ['12345', '12345', '', '123', '12'] }, LIMITS)).toEqual({
    cells: ['12345', '12345', '', '1'],
  });
});
