import { describe, expect, test } from 'vitest';
import { mapHeader, mapPositions, structureIssues } from '../../../src/validate/header/header.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();
const [brand, oem, name, tags] = columns as [
  (typeof columns)[0],
  (typeof columns)[0],
  (typeof columns)[0],
  (typeof columns)[0],
];

describe('by name', () => {
  test.each([
    [['Brand', 'OEM', 'Name', 'Tags']],
    [['\uFEFF"BRAND"', ' o e m ', 'DESCRIPTION', '«теги»']],
    [['Производитель', 'part_number', 'Désignation', 'tags ']],
    [['Hersteller', 'Part\u00a0Number', 'De\u0301signation', 'TAGS']],
  ])('%j', (header) => {
    expect(mapHeader(columns, header, 1)).toMatchObject({ places: [0, 1, 2, 3], dropped: [], issues: [] });
  });

  test('columns that nothing asks for are dropped by name, empty ones silently', () => {
    const map = mapHeader(columns, ['Price', 'Brand', '', ' Stock ', 'OEM', '', ''], 1);
    expect(map).toMatchObject({ places: [1, 4, null, null], dropped: ['Price', 'Stock'], leastCells: 5, mostCells: 7 });
  });

  test('of two columns for one the first is used, with a warning', () => {
    const map = mapHeader(columns, ['Brand', 'Бренд', 'oem'], 3);
    expect(map.places.slice(0, 2)).toEqual([0, 2]);
    expect(map.dropped).toEqual(['Бренд']);
    expect(map.issues).toMatchObject([{ code: 'column-ambiguous', severity: 'warning', line: 3, column: 'brand' }]);
    expect(map.issues[0]?.message).toContain('"Brand", "Бренд"');
  });

  test('a name of the configuration goes before a default name, without a warning', () => {
    const named = [brand, { ...oem, configured: ['Katalog'], names: ['Katalog', ...oem.names] }];
    const map = mapHeader(named, ['Brand', 'OEM', 'Katalog'], 1);
    expect(map).toMatchObject({ places: [0, 2], dropped: ['OEM'], issues: [] });
  });

  test('a position wins over names, a value fills a missing column', () => {
    const positioned = [{ ...brand, fallback: 'BOSCH' }, { ...oem, position: 2 }, name, tags];
    expect(mapHeader(positioned, ['oem', 'Kat-Nr'], 1)).toMatchObject({ places: [null, 1, null, null], issues: [] });
  });
});

describe('by position', () => {
  test('in files without a header', () => {
    const positioned = [{ ...brand, position: 3 }, { ...oem, position: 1 }, name, tags];
    const map = mapPositions(positioned, 4, 1);
    expect(map).toMatchObject({ places: [2, 0, null, null], dropped: ['column 2', 'column 4'], issues: [] });
  });

  test('a position beyond the file is missing, as are columns without one', () => {
    const map = mapPositions([{ ...brand, position: 9 }, oem], 2, 1);
    expect(map.issues.map((issue) => issue.column)).toEqual(['brand', 'oem']);
    expect(map.issues[0]?.message).toContain('position 9');
    expect(map.issues[0]?.message).toContain(
      '2, without a header. Set its position, as in feeds.NAME.columns.brand: 1.',
    );
  });
});

describe('by what detection is sure of', () => {
  const found = (key: string, position: number, sure: boolean) => ({ key, column: null, position, sure, evidence: '' });

  test('with a header and without one; what is not sure is not used', () => {
    const mapping = [found('brand', 2, true), found('oem', 1, false)];
    expect(mapHeader(columns, ['Xa', 'Xb'], 1, mapping).places).toEqual([1, null, null, null]);
    expect(mapPositions(columns, 2, 1, mapping).places).toEqual([1, null, null, null]);
    expect(mapPositions(columns, 1, 1, mapping).places).toEqual([null, null, null, null]);
  });

  test('a position of the settings that is doubted is not used either', () => {
    const placed = [brand, { ...oem, position: 2 }];
    expect(mapHeader(placed, ['Brand', 'Preis'], 1, [found('oem', 2, false)]).places).toEqual([0, null]);
  });
});

describe('compared with the live delivery', () => {
  const header = (...names: string[]) => ({ columns: names, width: names.length, mapping: [] });

  test('columns that have changed are a warning', () => {
    expect(structureIssues(header('Brand', 'Nr'), header('Brand', 'Number'), 3)).toMatchObject([
      {
        code: 'structure-changed',
        severity: 'warning',
        line: 3,
        message: expect.stringContaining('"Nr" is now "Number"'),
      },
    ]);
    expect(structureIssues({ columns: [], width: 3, mapping: [] }, { columns: [], width: 4 }, 1)).toMatchObject([
      { message: expect.stringContaining('4 columns instead of 3') },
    ]);
  });

  test.each([
    [null, header('Brand', 'Nr')],
    [header('Brand', 'Nr'), header(' brand', 'NR', '')],
    [
      { columns: [], width: 3, mapping: [] },
      { columns: [], width: 3 },
    ],
    // Earlier versions did not record the width.
    [
      { columns: [], width: 0, mapping: [] },
      { columns: [], width: 3 },
    ],
  ])('%j, %j: nothing has changed', (earlier, now) => {
    expect(structureIssues(earlier, now, 1)).toEqual([]);
  });
});
