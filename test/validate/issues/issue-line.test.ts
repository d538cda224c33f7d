import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCell, issueCsvHead, issueCsvLine } from '../../../src/validate/issues/issue-line.ts';
import { csvReaders } from '../../support/csv-readers.ts';
import { POISONED_CELLS, RUNS } from '../../support/poisoned-cells.ts';
import { repetitions } from '../../support/repetitions.ts';

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
    { numRuns: repetitions(2000) },
  );
});

test.each(csvReaders())('$name finds each poisoned cell in its place, as a text', async ({ rows }) => {
  const head = issueCsvHead(['brand', '=1\n+1']);
  const lines = POISONED_CELLS.map((value, at) =>
    issueCsvLine(
      {
        code: 'x',
        severity: 'error',
        sheet: null,
        line: at,
        column: value,
        value,
        message: value,
        cells: [value, value, value],
      },
      ['brand', 'oem'],
    ),
  );
  const [names, ...found] = await rows(Buffer.from(head + lines.join('')));
  const unbroken = (cell: string) => cell.replaceAll(/\r\n?/g, '\n').trim();
  expect(names?.map(unbroken)).toEqual([
    'code',
    'severity',
    'sheet',
    'line',
    'column',
    'value',
    'message',
    'original brand',
    'original =1\n+1',
    'original further cells',
  ]);
  expect(found.map((row) => row.map(unbroken))).toEqual(
    POISONED_CELLS.map((cell, at) => {
      const written = unbroken(RUNS.test(cell) ? `'${cell}` : cell);
      return ['x', 'error', '', String(at), written, written, written, written, written, written];
    }),
  );
});
