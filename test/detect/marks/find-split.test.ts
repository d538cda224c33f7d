import { expect, test } from 'vitest';
import { makerKind, isNoMakerEvidence } from '../../../src/detect/columns/makers.ts';
import { findSplit, withSplit } from '../../../src/detect/marks/find-split.ts';
import type { ColumnMapping } from '../../../src/model.ts';
import { plainSettings } from '../../support/read-settings.ts';

const TOGETHER = ['BOSCH 0986424797', 'ATE 13.0460-7117.2', 'TRW GDB1330', 'SACHS 3000 951 097', 'VALEO 826034'];

function found(cells: string[][], header: string[], mapping: ColumnMapping[] = []) {
  const rows = cells.map((row, at) => ({ line: at + 2, cells: row }));
  const { columns } = plainSettings();
  return findSplit({ rows, mapping, columns, header, width: header.length }, { makerKind, isNoMakerEvidence });
}

function sure(key: string, position: number): ColumnMapping {
  return { key, column: key, position, sure: true, evidence: 'named' };
}

test('a column of brands with their numbers is found where there is no column of brands', () => {
  const rows = TOGETHER.map((cell) => [cell, 'Pads', '12.50']);
  expect(found(rows, ['Teil', 'Text', 'Preis'])).toMatchObject({
    split: 'brand-number',
    position: 1,
    column: 'Teil',
    evidence: '5 of 5 cells hold a known maker and a number',
    brands: ['BOSCH', 'ATE', 'TRW', 'SACHS', 'VALEO'],
  });
});

test.each([
  ['there is a column of brands', TOGETHER.map((cell) => [cell, 'ATE']), [sure('brand', 2)]],
  ['names begin with a brand', TOGETHER.map((cell) => [`${cell} Bremsbelag`, 'x']), []],
  ['few cells have both', TOGETHER.map((cell, at) => [at < 3 ? cell : '77', 'x']), []],
  ['no maker is known', TOGETHER.map((cell) => [cell.replace(/^\S+/, 'Qwx'), 'x']), []],
])('nothing is found where %s', (_why, rows, mapping) => {
  expect(found(rows, ['Teil', 'Text'], mapping)).toBeNull();
});

test('the column that is missing is taken out of the cells of the other one', () => {
  const mapping = withSplit([sure('oem', 2), { ...sure('brand', 1), sure: false }], 'brand-number');
  expect(mapping.map(({ key, position, sure: isSure }) => [key, position, isSure])).toEqual([
    ['oem', 2, true],
    ['brand', 2, true],
  ]);
  expect(withSplit([sure('brand', 1), sure('oem', 2)], 'brand-number')).toHaveLength(2);
  expect(withSplit([sure('oem', 2)], null)).toEqual([sure('oem', 2)]);
});
