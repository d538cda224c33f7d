import { expect, test } from 'vitest';
import type { PartnerSettings } from '../../../../src/config/schema/feed-settings.ts';
import { findRoles } from '../../../../src/jobs/read/joined/find-roles.ts';

function join(patterns: Record<string, string>, isEntry = false) {
  const dialect = { charset: 'auto', delimiter: 'auto', header: 'auto' } as const;
  const files = Object.entries(patterns).map(([role, pattern]): PartnerSettings => ({
    role,
    pattern,
    isEntry,
    brand: [],
    oem: [],
    columns: null,
    dialect,
  }));
  return { files };
}

const JOIN = join({ list: 'prices*', stock: 'stock_{yyyy-MM-dd}*' });

test.each([
  [['prices.csv', 'stock_2026-11-29.csv'], { list: 0, partners: [1] }],
  [['out/stock_2026-11-29.csv', 'out/prices.csv'], { list: 1, partners: [0] }],
  [['prices.csv'], { problem: 'no file is stock (stock_{yyyy-MM-dd}*)', missing: 'stock' }],
  [['stock_2026-11-29.csv'], { problem: 'no file is the list (list: prices*)', missing: 'list' }],
  [
    ['prices.csv', 'prices (2).csv', 'stock_2026-11-29.csv'],
    { problem: 'several files may be the list (list: prices*): prices.csv, prices (2).csv', missing: null },
  ],
  [['prices.csv', 'stock_2026-11-29.csv', 'brakes.csv'], { problem: 'nothing says what brakes.csv is', missing: null }],
])('%j', (names, found) => {
  expect(findRoles(names, JOIN)).toEqual(found);
});

test('a file that may be two of them is neither', () => {
  expect(findRoles(['prices-stock.csv'], join({ list: '*prices*', stock: '*stock*' }))).toEqual({
    problem: 'prices-stock.csv may be stock (*stock*), but is list (*prices*)',
    missing: null,
  });
});

test('entries of an archive are found by globs, with their folders', () => {
  const entries = join({ list: 'de/*.csv', stock: 'stock.csv' }, true);
  expect(findRoles(['de/a.csv', 'x/stock.csv.gz'], entries)).toEqual({ list: 0, partners: [1] });
});

test('ten partners have a file each', () => {
  const names = Array.from({ length: 10 }, (_, at) => `depot-${at}.csv`);
  const roles = Object.fromEntries([['list', 'list*'], ...names.map((name, at) => [`depot${at}`, name])]) as Record<
    string,
    string
  >;
  expect(findRoles([...names, 'list.csv'], join(roles))).toEqual({
    list: 10,
    partners: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  });
});
