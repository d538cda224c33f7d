import { expect, test } from 'vitest';
import { planColumns, type FileColumns } from '../../../../src/jobs/read/several/plan-columns.ts';

function file(name: string, columns: string[], known: Record<string, number> = {}): FileColumns {
  const mapping = Object.entries(known).map(([key, position]) => {
    return { key, position, column: columns[position - 1] ?? null, sure: true, evidence: '' };
  });
  return { name, header: true, columns, width: columns.length, mapping };
}

test('columns of the same name stand under each other, wherever they are', () => {
  const planned = planColumns([
    file('a.csv', ['Brand', 'Number', 'Price'], { brand: 1, oem: 2 }),
    file('b.csv', ['price', ' NUMBER', 'Stock', 'Brand'], { brand: 4, oem: 2 }),
  ]);
  expect(planned).toEqual({
    header: true,
    columns: ['Brand', 'Number', 'Price', 'Stock'],
    width: 4,
    places: [
      [0, 1, 2],
      [2, 1, 3, 0],
    ],
    keys: [
      { key: 'brand', place: 0 },
      { key: 'oem', place: 1 },
    ],
  });
});

test('columns that mean the same do so, whatever their names; others of the same name stay apart', () => {
  const planned = planColumns([
    file('a.csv', ['Marke', 'Artikel'], { brand: 1, oem: 2 }),
    file('b.csv', ['Artikel', 'OEM', 'Hersteller'], { name: 1, oem: 2, brand: 3 }),
  ]);
  expect(planned).toMatchObject({
    columns: ['Marke', 'Artikel', 'Artikel'],
    places: [
      [0, 1],
      [2, 1, 0],
    ],
  });
});

test('a name that stands twice in a file has a column for each', () => {
  expect(planColumns([file('a.csv', ['x', 'x']), file('b.csv', ['x', 'x', 'x'])])).toMatchObject({
    columns: ['x', 'x', 'x'],
    places: [
      [0, 1],
      [0, 1, 2],
    ],
  });
});

test('a file without a header goes by the columns of the first, if it has as many', () => {
  const headed = file('a.csv', ['Brand', 'Number'], { brand: 1, oem: 2 });
  const bare = { name: 'b.csv', header: false, columns: [], width: 2, mapping: [] };
  expect(planColumns([headed, bare])).toMatchObject({
    columns: ['Brand', 'Number'],
    places: [
      [0, 1],
      [0, 1],
    ],
  });
  expect(planColumns([headed, { ...bare, width: 3 }])).toEqual({
    different: { name: 'b.csv', width: 3, first: { name: 'a.csv', width: 2 } },
  });
});

test('what one file only proposes is sure where another one is sure of that name, in whatever order they come', () => {
  const proposed = (name: string, columns: string[], position: number): FileColumns => {
    const brand = { key: 'brand', position, column: columns[position - 1]!, sure: false, evidence: '' };
    return { ...file(name, columns), mapping: [brand] };
  };
  const sure = [
    file('ate.csv', ['Marka', 'Numer'], { brand: 1, oem: 2 }),
    file('trw.csv', ['Numer', 'Producent'], { brand: 2, oem: 1 }),
  ];
  const columns = { brand: 0, number: 1 };
  const ofVehicles = proposed('skoda.csv', ['Numer', 'producent '], 2);
  expect(planColumns([...sure, ofVehicles])).toMatchObject({
    places: [
      [columns.brand, columns.number],
      [columns.number, columns.brand],
      [columns.number, columns.brand],
    ],
  });
  expect(planColumns([ofVehicles, ...sure])).toMatchObject({
    columns: ['Numer', 'producent '],
    places: [
      [0, 1],
      [1, 0],
      [0, 1],
    ],
  });
  // Nobody is sure of that name.
  expect(planColumns([...sure, proposed('vw.csv', ['Numer', 'Fabryka'], 2)])).toMatchObject({
    columns: ['Marka', 'Numer', 'Fabryka'],
  });
});
