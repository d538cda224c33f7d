import { expect, test } from 'vitest';
import { profilesOf } from '../../../src/detect/columns/column-profile.ts';
import { isProduct } from '../../../src/detect/columns/products.ts';

/** Which columns of some rows are sums, by their places. */
function sumsIn(rows: string[][]): number[] {
  const table = { header: [], width: rows[0]!.length, rows };
  return profilesOf(table).flatMap((profile, at) => (isProduct(profile, table) ? [at] : []));
}

const ROWS = Array.from({ length: 10 }, (_, row) => ({
  number: 10_400 + row * 37,
  count: 3 + (row % 4),
  price: 12.5 + row,
}));

test('quantity times price is a sum, also when it is rounded or some rows have none', () => {
  expect(sumsIn(ROWS.map(({ number, count, price }) => [number, count, price, count * price].map(String)))).toEqual([
    3,
  ]);
  const rounded = ROWS.map(({ count, price }, row) => [
    `${count}`,
    `${price}`.replace('.', ','),
    row === 4 ? '' : `${Math.round(count * price)}`,
  ]);
  expect(sumsIn(rounded.map(([count, price, sum]) => [sum!, price!, count!]))).toContain(0);
});

test('numbers are no sums, nor is what is multiplied by one', () => {
  expect(sumsIn(ROWS.map(({ number, count, price }) => [number, count, price].map(String)))).toEqual([]);
  expect(sumsIn(ROWS.map(({ number }) => [`${number}`, '1', `${number}`]))).toEqual([]);
});
