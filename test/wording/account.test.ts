import { expect, test } from 'vitest';
import { skippedLines } from '../../src/wording/account.ts';

test('each kind of skipped lines is counted, with its first examples', () => {
  const heading = (line: number) => ({ sheet: null, line, value: 'x'.repeat(line) });
  expect(
    skippedLines([
      { kind: 'preamble', rows: 1, examples: [{ sheet: null, line: 1, value: 'Price list' }] },
      { kind: 'blank', rows: 1200, examples: [{ sheet: null, line: 2, value: '' }] },
      { kind: 'lone-cell', rows: 4, examples: [3, 5, 70, 71].map(heading) },
    ]),
  ).toEqual([
    '1 line above the table, such as line 1 [Price list]',
    '1,200 blank lines',
    `4 headings and notes, such as line 3 [xxx], line 5 [xxxxx], line 70 [${'x'.repeat(60)}…]`,
  ]);
});
