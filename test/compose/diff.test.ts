import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLive, diffRows } from '../../src/compose/diff.ts';
import type { RowFile } from '../../src/compose/row-file.ts';
import { partKey } from '../../src/parts/part-key.ts';
import { tempFolder } from '../support/temp-folder.ts';

const COLUMNS = ['brand', 'oem', 'name'];

function rowFile(rows: string[][], kind: RowFile['kind'] = 'rows', columns = COLUMNS): RowFile {
  const path = join(tempFolder(), 'rows');
  const ahead = kind === 'rows' ? [] : ['north'];
  writeFileSync(path, rows.map((cells, at) => `${[...ahead, at + 2, ...cells].join('\t')}\n`).join(''));
  return { path, columns, kind };
}

const LIVE = [
  ['BOSCH', '1', 'Pads'],
  ['BOSCH', '2', 'Disc'],
  ['ATE', '3', 'Hose'],
];

test('added, removed and changed rows are told by brand, the most changed first, with examples', async () => {
  const newer = [
    ['bosch', '1', 'Pads, front'],
    ['SKF', '9', 'Bearing'],
    ['BOSCH', '4', ''],
  ];
  expect(await diffRows({ older: rowFile(LIVE), newer: rowFile(newer), columns: COLUMNS })).toEqual({
    before: 3,
    after: 3,
    added: 2,
    removed: 2,
    changed: 1,
    moreBrands: 0,
    brands: [
      {
        brand: 'bosch',
        before: 2,
        after: 2,
        added: 1,
        removed: 1,
        changed: 1,
        examples: [
          {
            change: 'changed',
            oem: '1',
            sheet: null,
            line: 2,
            cells: [
              { column: 'brand', before: 'BOSCH', after: 'bosch' },
              { column: 'name', before: 'Pads', after: 'Pads, front' },
            ],
          },
          { change: 'added', oem: '4', sheet: null, line: 4, cells: [] },
          { change: 'removed', oem: '2', sheet: null, line: 3, cells: [] },
        ],
      },
      {
        brand: 'ATE',
        before: 1,
        after: 0,
        added: 0,
        removed: 1,
        changed: 0,
        examples: [expect.objectContaining({ oem: '3' })],
      },
      {
        brand: 'SKF',
        before: 0,
        after: 1,
        added: 1,
        removed: 0,
        changed: 0,
        examples: [expect.objectContaining({ oem: '9' })],
      },
    ],
  });
});

test('rows under other columns, and a dataset with its feeds, are compared by the columns of today', async () => {
  const older = rowFile([['1', '12.50', 'BOSCH', 'Pads']], 'rows', ['oem', 'price', 'brand', 'name']);
  const newer = rowFile([['BOSCH', '1', 'Pads']], 'index');
  expect(await diffRows({ older, newer, columns: COLUMNS })).toMatchObject({
    added: 0,
    removed: 0,
    changed: 0,
    brands: [],
  });
});

test('examples and brands are bounded, counts are not', async () => {
  const newer = Array.from({ length: 3000 }, (_, at) => [`B${at % 30}`, String(at), '']);
  const diff = await diffRows({ older: rowFile([]), newer: rowFile(newer), columns: COLUMNS });
  expect(diff).toMatchObject({ added: 3000, moreBrands: 10 });
  expect(diff.brands).toHaveLength(20);
  expect(diff.brands[0]).toMatchObject({ added: 100 });
  expect(diff.brands[0]?.examples).toHaveLength(3);
});

const cell = fc.constantFrom('a', 'A', 'b', 'c-c', 'cc', '', 'd');
const rows = fc.uniqueArray(fc.tuple(cell, cell, cell), {
  selector: ([brand, oem]) => partKey(brand, oem),
  maxLength: 20,
});

test('any two sets of rows differ as a naive comparison says', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, async (before, after) => {
      const map = (all: string[][]) => new Map(all.map((row) => [partKey(row[0] ?? '', row[1] ?? ''), row.join('\t')]));
      const [older, newer] = [map(before), map(after)];
      const diff = await diffRows({ older: rowFile(before), newer: rowFile(after), columns: COLUMNS });
      expect(diff).toMatchObject({
        before: older.size,
        after: newer.size,
        added: [...newer.keys()].filter((key) => !older.has(key)).length,
        removed: [...older.keys()].filter((key) => !newer.has(key)).length,
        changed: [...newer].filter(([key, row]) => older.has(key) && older.get(key) !== row).length,
      });
      for (const field of ['added', 'removed', 'changed'] as const) {
        expect(diff.brands.reduce((sum, brand) => sum + brand[field], 0)).toBe(diff[field]);
      }
    }),
  );
});

const TAGGED = ['brand', 'oem', 'tags'];
const TAGS = { key: 'tags', separator: ',' };
const LIVE_PARTS = { older: null, newer: null };

test('tags are counted of parts that stayed: what they gained and what they lost, in whatever order', async () => {
  const older = rowFile(
    [
      ['ATE', '1', 'new,Sale'],
      ['ATE', '2', 'old'],
      ['ATE', '3', 'gone'],
    ],
    'rows',
    TAGGED,
  );
  const newer = rowFile(
    [
      ['ATE', '1', 'sale,new'],
      ['ATE', '2', 'a, b'],
      ['ATE', '4', 'more'],
    ],
    'rows',
    TAGGED,
  );
  expect(await diffLive({ older, newer, columns: TAGGED }, TAGS, LIVE_PARTS)).toMatchObject({
    changed: 2,
    tags: { added: 2, removed: 1 },
  });
});

test('parts that the service rejected were not live before, and are not now', async () => {
  const input = { older: rowFile(LIVE), newer: rowFile(LIVE), columns: COLUMNS };
  const rejected = { older: (_brand: string, oem: string) => oem === '3', newer: (brand: string) => brand === 'BOSCH' };
  expect(await diffLive(input, null, rejected)).toMatchObject({
    before: 2,
    after: 1,
    added: 1,
    removed: 2,
    changed: 0,
    tags: { added: 0, removed: 0 },
  });
});

const tagCell = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });

test('any tags are counted as sets are compared', async () => {
  const side = fc.array(tagCell, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(side, side, async (before, after) => {
      const file = (rows: string[][]) =>
        rowFile(
          rows.map((tags, at) => ['ATE', String(at), tags.join()]),
          'rows',
          TAGGED,
        );
      const sets = (rows: string[][]) =>
        rows.slice(0, Math.min(before.length, after.length)).map((row) => new Set(row));
      const missing = (from: Set<string>[], of: Set<string>[]) =>
        from.reduce((sum, tags, at) => sum + [...tags].filter((tag) => !of[at]?.has(tag)).length, 0);
      const [old, now] = [sets(before), sets(after)];
      const change = await diffLive({ older: file(before), newer: file(after), columns: TAGGED }, TAGS, LIVE_PARTS);
      expect(change.tags).toEqual({ added: missing(now, old), removed: missing(old, now) });
    }),
  );
});

test('of removed parts those that are most looked for are the examples', async () => {
  const older = Array.from({ length: 50 }, (_, at) => ['BOSCH', `${at}`, 'Pads']);
  const of = (oem: string, saleCategory: number) => ({ brand: 'Bosch', oem, saleCategory });
  const demand = { look: 'look', parts: [of('30', 2), of('31', 4), of('40', 1), of('41', 4), of('42', 2)] };
  const input = { older: rowFile(older), newer: rowFile([['SKF', '1', '']]), columns: COLUMNS, demand };
  const { brands } = await diffRows(input);
  const removed = brands.find(({ brand }) => brand === 'BOSCH')!;
  expect(removed).toMatchObject({ removed: 50 });
  expect(removed.examples.map(({ oem }) => oem).toSorted()).toEqual(['30', '40', '42']);
});
