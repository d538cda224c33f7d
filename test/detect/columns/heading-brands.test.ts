import { expect, test } from 'vitest';
import { brandInHeadings, withHeadings } from '../../../src/detect/columns/heading-brands.ts';
import type { Makers } from '../../../src/detect/columns/judge/makers-in.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();
const makers: Makers = {
  makerKind: (cell) => (['BOSCH', 'TRW', 'Kortex'].includes(cell) ? 'parts' : null),
  isNoMakerEvidence: () => false,
};
const OEM = { key: 'oem', column: 'oem', position: 1, sure: true, evidence: '' };

/** The evidence for brands in headings, of a table of two columns whose header is in line 1. */
async function evidence(rows: string[], changes: { mapping?: (typeof OEM)[]; fallback?: string } = {}) {
  const { mapping = [OEM], fallback = null } = changes;
  const mine = columns.map((column) => (column.key === 'brand' ? { ...column, fallback } : column));
  const cells = rows.map((row, at) => ({
    line: at + 2,
    cells: row.split(';').map((text) => ({ text, quoted: false })),
  }));
  const found = await brandInHeadings(mine, mapping, {
    header: { names: ['oem', 'name'], line: 1, sure: true, evidence: '' },
    rows: cells,
    makers: () => Promise.resolve(makers),
    hints: {},
  });
  return found?.evidence ?? null;
}

test('rows with a single text that are makers, in any column or in all of them', async () => {
  const said = '2 of 2 rows with a single cell are known makers';
  expect(await evidence(['BOSCH;', 'B1;Pad', ';TRW', 'T1;Pad'])).toBe(said);
  expect(await evidence(['BOSCH;BOSCH', 'B1;Pad', 'TRW;', 'T1;Pad'])).toBe(said);
});

test('a maker first, and groups below', async () => {
  const rows = ['BOSCH;', 'Filters;', 'B1;Filter', 'Pads;', 'B2;Pad', 'Hoses;', 'B3;Hose'];
  expect(await evidence(rows)).toBe('1 of 4 rows with a single cell are known makers');
});

test.each([
  ['no row has a single text', ['B1;Pad', 'B2;Pad']],
  ['the single texts are no makers', ['Filters;', 'B1;Filter', 'Pads;', 'B2;Pad']],
  ['most of them are groups', ['Filters;', 'B1;Filter', 'Pads;', 'B2;Pad', 'BOSCH;', 'B3;Hose']],
  ['there is nothing else', ['BOSCH;', 'TRW;']],
])('nothing is proposed where %s', async (_why, rows) => {
  expect(await evidence(rows)).toBeNull();
});

test('nothing is proposed where the brand is known, or a default', async () => {
  const rows = ['BOSCH;', 'B1;Pad'];
  expect(await evidence(rows, { mapping: [{ ...OEM, key: 'brand' }] })).toBeNull();
  expect(await evidence(rows, { fallback: 'ATE' })).toBeNull();
});

test('the proposal stands where the brand does among the columns', () => {
  const headings = { ...OEM, key: 'brand', position: 0 };
  expect(withHeadings(columns, [OEM], headings).map(({ key }) => key)).toEqual(['brand', 'oem']);
  expect(withHeadings(columns, [OEM], null)).toEqual([OEM]);
});
