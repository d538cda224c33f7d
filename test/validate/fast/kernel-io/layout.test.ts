import { expect, test } from 'vitest';
import { NUMBER_MARKS } from '../../../../src/parts/several-numbers.ts';
import type { ColumnMap } from '../../../../src/validate/header/header.ts';
import { isPlainTable } from '../../../../src/validate/fast/kernel-io/layout.ts';
import { plainSettings } from '../../../support/read-settings.ts';

const dialect = { delimiter: ';', quote: '"', escape: null, newline: '\n' };
const map: ColumnMap = {
  places: [0, 1],
  leastCells: 2,
  mostCells: 2,
  broughtCells: 0,
  writtenAs: null,
  hasFullerRows: true,
  numberShapes: null,
  header: ['brand', 'oem'],
  brandFromHeadings: false,
  names: ['brand', 'oem'],
  dropped: [],
  issues: [],
};

test('a list is for kernels with all marks watched that may part several numbers, and without any', () => {
  const watched = { marks: NUMBER_MARKS, shapes: null };
  expect(isPlainTable({ settings: plainSettings({ watched }), map, dialect })).toBe(true);
  expect(isPlainTable({ settings: plainSettings(), map, dialect })).toBe(true);
});

test('a mark of several bytes is for the slow path', () => {
  const numbers = { separators: ['；'], take: 'each' } as const;
  const settings = plainSettings({ numbers: { ...numbers, separators: [...numbers.separators] } });
  expect(isPlainTable({ settings, map, dialect })).toBe(false);
});
