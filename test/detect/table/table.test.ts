import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutRows, cutTable } from '../../../src/detect/table/table.ts';
import { repetitions } from '../../support/repetitions.ts';

test('rows that are split are those that are cut', () => {
  const piece = fc.constantFrom(
    'BOSCH',
    '1 987',
    ';',
    ';',
    ',',
    '\n',
    '\r\n',
    '\r\r\n',
    '\r',
    '"',
    "'",
    '"a;b"',
    ' ',
    'ü',
    '',
  );
  const layout = fc.record({
    delimiter: fc.constantFrom(';', ',', null),
    quote: fc.constantFrom('"', "'", null),
    escape: fc.constantFrom('"', '\\', null),
  });
  fc.assert(
    fc.property(fc.array(piece, { size: 'large' }), layout, fc.constantFrom('', 'x\n'), (pieces, layout, more) => {
      const text = pieces.join('') + more.repeat(250);
      const rows = cutTable(text, layout, 200).rows.map(({ cells }) => cells.map((cell) => cell.text));
      expect(cutRows(text, layout, 200)).toEqual(rows);
    }),
    { numRuns: repetitions(2000) },
  );
});
