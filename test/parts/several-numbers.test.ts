import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cutNumbers,
  NUMBER_MARKS,
  numberShape,
  partedNumbers,
  severalNumbers,
} from '../../src/parts/several-numbers.ts';

test('a cell is parted where each piece looks like a whole number', () => {
  expect(severalNumbers('A00037,B00091', NUMBER_MARKS, null)).toEqual({ marks: [','], pieces: ['A00037', 'B00091'] });
  expect(severalNumbers('A00037 / B00091', NUMBER_MARKS, null)?.pieces).toEqual(['A00037', 'B00091']);
  expect(severalNumbers('A00037,B00091/C', NUMBER_MARKS, null)?.pieces).toEqual(['A00037', 'B00091/C']);
});

test.each(['0 986 424 797', 'A/B', '12/34', '1K0 698 151/A', '331/24987', '1,5', '0,986', 'GDB1330, front', 'A00037,'])(
  '%s is one number',
  (text) => expect(severalNumbers(text, NUMBER_MARKS, null)).toBeNull(),
);

test('the pieces around a slash look like the numbers of the column', () => {
  const shapes = new Set(['A99999']);
  expect(severalNumbers('A00037/B00091', NUMBER_MARKS, shapes)).not.toBeNull();
  expect(severalNumbers('12345/67890', NUMBER_MARKS, shapes)).toBeNull();
});

test('the pieces around a comma look like each other, or like the numbers of the column', () => {
  const shapes = new Set(['AAAAA99', 'A999']);
  expect(severalNumbers('XTHFT10,5400', [','], shapes)).toBeNull();
  expect(severalNumbers('B00037,B00091', [','], shapes)?.pieces).toEqual(['B00037', 'B00091']);
  expect(severalNumbers('XTHFT10,5400', [','], null)?.pieces).toEqual(['XTHFT10', '5400']);
});

test('where a person has named the marks, they part whatever stands between them, but a slash only whole numbers', () => {
  expect(partedNumbers('A00037,B00091/C00007', [',', '/'])).toEqual(['A00037', 'B00091', 'C00007']);
  expect(partedNumbers('W7, OC9,,n/a', [',', '/'])).toEqual(['W7', 'OC9', 'n/a']);
  expect(partedNumbers('1K0 698 151/A', ['/', ' '])).toBeNull();
  expect(partedNumbers('67890,', [','])).toEqual(['67890']);
  expect(partedNumbers('67890', [','])).toBeNull();
  expect(partedNumbers(Array.from({ length: 100 }, (_, at) => 10_000 + at).join(';'), [';'])).toHaveLength(100);
});

test('the same number twice is one', () => {
  expect(severalNumbers('A00037,A00037', NUMBER_MARKS, null)).toBeNull();
});

test('the shape of a number leaves out blanks, dashes and dots', () => {
  expect(numberShape('1K0-698.151 A')).toBe('9A9999999A');
});

test('pieces are filled, trimmed and each of them once, whatever the cell is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('A', '1', ' ', ',', '/', '\n', '\r') }), (text) => {
      const pieces = cutNumbers(text, NUMBER_MARKS);
      expect(pieces).toEqual([...new Set(pieces)]);
      expect(pieces.every((piece) => piece === piece.trim() && piece !== '')).toBe(true);
    }),
  );
});
