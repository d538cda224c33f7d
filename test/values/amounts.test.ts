import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AmountMarks } from '../../src/model.ts';
import { marksOf, parseAmount } from '../../src/values/amounts.ts';
import { repetitions } from '../support/repetitions.ts';

const GERMAN: AmountMarks = { '.': 'thousands', ',': 'decimal' };
const ENGLISH: AmountMarks = { '.': 'decimal', ',': 'thousands' };

function amount(cell: string, marks = GERMAN) {
  const found = parseAmount(cell, marks);
  return found.kind === 'known' ? found.value : found.kind;
}

test.each([
  ['1.234,56', 1234.56],
  ['1 234.56', 1234.56],
  ['1\u00a0234,5', 1234.5],
  ['1\u202f234\u202f567,50', 1_234_567.5],
  ["1'234.50", 1234.5],
  ['1 234 56750', 123_456_750],
  ['1,23,456.78', 123_456.78],
  ['12,50 €', 12.5],
  ['€12.50', 12.5],
  ['$ 1,234.50', 1234.5],
  ['12,50 руб.', 12.5],
  ['руб. 12,50', 12.5],
  ['12.50 EUR/шт', 12.5],
  ['99 р.', 99],
  ['12,-', 12],
  ['12.– CHF', 12],
  ['.50', 0.5],
  ['0,500', 0.5],
  ['1234.500', 1234.5],
  ['-12,50', -12.5],
  ['12.50-', -12.5],
  ['(12.50)', -12.5],
  ['1.2E+3', 1200],
  ['１２,５０', 12.5],
  ['0', 0],
])('%s is an amount', (cell, value) => {
  expect(amount(cell)).toBe(value);
});

test.each(['', ' ', '-', '—', 'по запросу', 'Auf Anfrage', 'on request', 'n/a', 'call.'])(
  '"%s" gives no price',
  (cell) => {
    expect(amount(cell)).toBe('none');
  },
);

test.each([
  'abc',
  '12%',
  '1.2.3',
  '12 50',
  '0 986 424 797',
  '12,50 kg',
  'GDB1330',
  '2026-11-23',
  '1,2,3',
  '9'.repeat(80),
])('"%s" is no amount', (cell) => {
  expect(amount(cell)).toBe('unreadable');
});

test('the currency is read from its sign, its code or its word', () => {
  const currency = (cell: string) => {
    const found = parseAmount(cell, GERMAN);
    return found.kind === 'known' ? found.currency : null;
  };
  expect(['12 €', 'USD 12', '12 руб.', '12 Kč', '12'].map(currency)).toEqual(['EUR', 'USD', 'RUB', 'CZK', null]);
});

test('three digits behind a mark are read as the other prices of the column are written', () => {
  expect(amount('1.234', marksOf(['12,50', '1.234']))).toBe(1234);
  expect(amount('1.234', marksOf(['12.50', '1.234']))).toBe(1.234);
  expect(amount('1,234', marksOf(['12.50', '1,234']))).toBe(1234);
  expect(amount('1.234', marksOf(['1.234.567', '1.234']))).toBe(1234);
  expect(amount('12.345', marksOf(['12.345', '1.250', '99.999']))).toBe(12.345);
  expect(amount('1.234', marksOf(['1.234', '850', '99']))).toBe(1234);
  expect(amount('1.234', marksOf(['0.123', '1.234']))).toBe(1.234);
  expect(amount('12', marksOf([]))).toBe(12);
});

const STYLES = [
  { group: '.', decimal: ',' },
  { group: ',', decimal: '.' },
  { group: ' ', decimal: ',' },
  { group: '\u202f', decimal: ',' },
  { group: "'", decimal: '.' },
  { group: '', decimal: '.' },
  { group: '', decimal: ',' },
];
const cents = fc.integer({ min: 0, max: 999_999_999 });

test('a price is read as it was meant, however it is written', () => {
  const affixes = fc.constantFrom(['', ''], ['', ' €'], ['EUR ', ''], ['', ' руб.'], ['$', ''], ['', ' zł/szt']);
  fc.assert(
    fc.property(cents, fc.constantFrom(...STYLES), affixes, (value, { group, decimal }, [before, after]) => {
      const whole = String(Math.floor(value / 100)).replaceAll(/\B(?=(\d{3})+$)/g, group);
      const cell = `${before}${whole}${decimal}${String(value % 100).padStart(2, '0')}${after}`;
      for (const marks of [GERMAN, ENGLISH]) expect(amount(cell, marks)).toBeCloseTo(value / 100, 6);
    }),
  );
});

test('a column of one style is read with the marks that are learnt from it', () => {
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1 }), fc.constantFrom(...STYLES), (values, { group, decimal }) => {
      const cells = values.map((value) => {
        const whole = String(Math.floor(value / 100)).replaceAll(/\B(?=(\d{3})+$)/g, group);
        const rest = value % 100;
        // Whole amounts have no decimals.
        return rest === 0 ? whole : `${whole}${decimal}${String(rest).padStart(2, '0')}`;
      });
      fc.pre(values.some((value) => value % 100 !== 0));
      const marks = marksOf(cells);
      for (const [at, cell] of cells.entries()) expect(amount(cell, marks)).toBeCloseTo(values[at]! / 100, 6);
    }),
  );
});

test('any text is an amount, none or unreadable: it never throws and never gives what is no number', () => {
  const pieces = fc.constantFrom(
    '1',
    '0',
    '12',
    '345',
    '.',
    ',',
    ' ',
    "'",
    '-',
    '€',
    'руб',
    '(',
    ')',
    '%',
    'E',
    '+',
    '/',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(pieces).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, fc.array(text), (cell, others) => {
      const found = parseAmount(cell, marksOf(others));
      expect(found.kind !== 'known' || Number.isFinite(found.value)).toBe(true);
    }),
    { numRuns: repetitions(500) },
  );
});
