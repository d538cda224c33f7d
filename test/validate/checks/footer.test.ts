import { expect, test } from 'vitest';
import { isFooter } from '../../../src/validate/checks/footer.ts';

test.each([
  'Total: 12 345 positions',
  'Total: 12|345 positions',
  'Итого|||12 345,50',
  '||Итого:|12 345 руб.',
  'Summe||12.345,00 €',
  'TOTAL|12345|',
  'Всего позиций: 123',
  'Grand total|||',
  'Rows: 120',
])('%s is no offer', (row) => {
  expect(isFooter(row.split('|'), null)).toBe(true);
});

test.each(['Total: 12 345', 'Итого|12345||', 'Summe|3|'])('%s is no offer, even in the place of one', (row) => {
  expect(isFooter(row.split('|'), row.split('|')[0]!)).toBe(true);
});

test('TOTAL is also a brand', () => {
  expect(isFooter(['TOTAL', '166249', ''], 'TOTAL')).toBe(false);
  expect(isFooter(['TOTAL', '', 'Quartz 9000 5W40'], null)).toBe(false);
  expect(isFooter(['Summe', 'ATE', '1'], 'ATE')).toBe(false);
  expect(isFooter(['Gesamtverband', '', '12'], null)).toBe(false);
});
