import { expect, test } from 'vitest';
import { broughtColumns, type PartnerColumns } from '../../../../src/jobs/read/joined/brought-columns.ts';

function partner(changes: Partial<PartnerColumns> = {}): PartnerColumns {
  const columns = ['Artikel', 'Bestand', ' Preis ', ''];
  return { role: 'stock', header: true, columns, width: 4, keys: [0], wanted: null, ...changes };
}

test('all columns with a name are brought but those that are compared', () => {
  expect(broughtColumns(partner(), ['brand', 'oem'])).toEqual([
    { place: 1, name: 'Bestand' },
    { place: 2, name: 'Preis' },
  ]);
});

test('a name that the list has already gets that of the partner behind it', () => {
  expect(broughtColumns(partner(), ['brand', 'PREIS', 'Bestand', 'Bestand (stock)'])).toEqual([
    { place: 1, name: 'Bestand (stock 2)' },
    { place: 2, name: 'Preis (stock)' },
  ]);
});

test('columns are wanted by their names, whatever their case, or by position; once each', () => {
  expect(broughtColumns(partner({ wanted: ['preis', 2, 'BESTAND'] }), [])).toEqual([
    { place: 2, name: 'Preis' },
    { place: 1, name: 'Bestand' },
  ]);
  expect(broughtColumns(partner({ wanted: ['Menge'] }), [])).toEqual({ missing: 'Menge' });
  expect(broughtColumns(partner({ wanted: [5] }), [])).toEqual({ missing: '5' });
});

test('without a header columns are called by the partner and their position', () => {
  expect(broughtColumns(partner({ header: false, columns: [], width: 3 }), [])).toEqual([
    { place: 1, name: 'stock 2' },
    { place: 2, name: 'stock 3' },
  ]);
});

test('a header that repeats one name for all of its columns has a name for each', () => {
  const columns = Array.from({ length: 3000 }, () => 'Preis');
  const found = broughtColumns(partner({ columns, width: 3000 }), ['Preis']);
  expect(found).toHaveLength(2999);
  expect(new Set((found as { name: string }[]).map(({ name }) => name)).size).toBe(2999);
  expect((found as { name: string }[]).at(-1)?.name).toBe('Preis (stock 2999)');
});
