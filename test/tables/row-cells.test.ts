import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowCells } from '../../src/tables/row-cells.ts';
import { repetitions } from '../support/repetitions.ts';

test('a row ends with its last filled cell; far ones stand by themselves', () => {
  const row = new RowCells();
  expect(row.isEmpty).toBe(true);
  row.put(2, 'C');
  row.put(0, 'A');
  expect(row.isEmpty).toBe(false);
  expect(row.take()).toEqual({ cells: ['A', '', 'C'] });
  row.put(16_383, 'XFD');
  row.put(200, 'GS');
  row.put(200, 'again');
  expect(row.take()).toEqual({
    cells: [],
    far: [
      { column: 200, text: 'again' },
      { column: 16_383, text: 'XFD' },
    ],
  });
  expect(row.isEmpty).toBe(true);
  expect(row.take()).toEqual({ cells: [] });
});

test('whatever is put where, each cell is in its column once, the last that was put there', () => {
  const anyCells = fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.string({ minLength: 1 })));
  const row = new RowCells();
  fc.assert(
    fc.property(anyCells, (cells) => {
      for (const [column, text] of cells) row.put(column, text);
      const { cells: near, far = [] } = row.take();
      const read = [
        ...near.entries().filter(([, text]) => text !== ''),
        ...far.map(({ column, text }) => [column, text]),
      ];
      expect(read).toEqual([...new Map(cells)].sort(([a], [b]) => a - b));
    }),
    { numRuns: repetitions(200) },
  );
});
