import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCell } from '../../src/validate/issue-csv.ts';

test('cells are written as csv-stringify writes them, formulas defused', () => {
  const anyCell = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'a ,;"\'\n\r\t=+-@＝＋－＠ф1'.split('')), maxLength: 6 }),
    fc.integer(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 2, maxLength: 4 }), (cells) => {
      expect(`${cells.map(formatCell).join(',')}\n`).toBe(stringify([cells], { escape_formulas: true }));
    }),
    { numRuns: 2000 },
  );
});
