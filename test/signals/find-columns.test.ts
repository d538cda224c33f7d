import { expect, test } from 'vitest';
import { findSignals } from '../../src/signals/find-columns.ts';

const find = (header: string[], settings: Partial<Parameters<typeof findSignals>[0]> = {}, used: number[] = []) =>
  findSignals({ price: 'auto', stock: 'auto', ...settings }, { header, width: header.length || 4, used });

test('columns are known by their names in the languages of the trade', () => {
  expect(find(['Hersteller', 'Artikelnummer', 'Preis', 'Bestand'])).toEqual({
    price: { column: 'Preis', position: 3 },
    stock: { column: 'Bestand', position: 4 },
    problems: [],
  });
  expect(find(['Бренд', 'Артикул', 'Цена', 'Остаток'])).toMatchObject({
    price: { position: 3 },
    stock: { position: 4 },
  });
});

test('a whole name goes before a word of it, and a name with another meaning is none', () => {
  expect(find(['Price', 'Old price list note'])).toMatchObject({ price: { position: 1 }, problems: [] });
  expect(find(['Price date'])).toMatchObject({ price: null, problems: [] });
});

test('names that are set go before what is known; case and spaces make no difference', () => {
  const header = ['Brand', 'Price', 'EK  netto', 'Stock'];
  expect(find(header, { price: ['VK', 'ek netto'], stock: 'off' })).toMatchObject({
    price: { column: 'EK  netto', position: 3 },
    stock: null,
    problems: [],
  });
});

test('a position finds a column with and without a header', () => {
  expect(find(['Brand', 'Price', 'Price'], { price: 3 })).toMatchObject({ price: { column: 'Price', position: 3 } });
  expect(find([], { price: 4 })).toMatchObject({ price: { column: null, position: 4 }, stock: null, problems: [] });
});

test('a column that is set and not there, and two of one name, are problems', () => {
  expect(find(['Brand', 'Cost', 'Cost', 'Qty'], { price: 'Cost', stock: ['Lager'] }).problems).toEqual([
    { kind: 'price', problem: 'ambiguous', wanted: 'Cost', found: '"Cost" (column 2), "Cost" (column 3)' },
    {
      kind: 'stock',
      problem: 'missing',
      wanted: 'Lager',
      found: '"Brand" (column 1), "Cost" (column 2), "Cost" (column 3), "Qty" (column 4)',
    },
  ]);
  expect(find(['Net price', 'Retail price']).problems).toMatchObject([{ kind: 'price', problem: 'ambiguous' }]);
  expect(find([], { price: 9 }).problems).toMatchObject([{ problem: 'missing', wanted: 'position 9' }]);
});

test('a list without such columns is none that lacks them, and uploaded columns are not taken', () => {
  expect(find(['Brand', 'OEM'])).toEqual({ price: null, stock: null, problems: [] });
  expect(find(['Brand', 'Price'], {}, [1])).toMatchObject({ price: null });
});
