import { describe, expect, test } from 'vitest';
import { matchNames } from '../../../src/config/schema/match-names.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();

/** Settings that give columns these names, beside those that are known by default. */
function naming(configured: Record<string, string[]>) {
  return columns.map((column) => {
    const own = configured[column.key] ?? [];
    return Object.assign({}, column, { configured: own, names: [...own, ...column.names] });
  });
}

describe('a name that the configuration gives', () => {
  test.each([
    ['behind a default name', ['Brand', 'OEM', 'Katalog'], { oem: ['Katalog'] }, [[0], [2]]],
    ['before a default name', ['Brand', 'Katalog', 'OEM'], { oem: ['Katalog'] }, [[0], [1]]],
    [
      'that is a default name itself',
      ['Brand', 'Part', 'Manufacturer', 'OEM'],
      { brand: ['Manufacturer'] },
      [[2], [3]],
    ],
    ['that another column has by default', ['Бренд', 'Brand', 'OEM'], { name: ['Brand'] }, [[0], [2], [1]]],
  ])('goes first: %s', (_case, header, configured, found) =>
    expect(matchNames(naming(configured), header).slice(0, found.length)).toEqual(found),
  );

  test('leaves open which one is meant where two columns have such names', () => {
    const configured = { oem: ['Katalog', 'Nummer'] };
    expect(matchNames(naming(configured), ['Brand', 'OEM', 'Nummer', 'Katalog'])[1]).toEqual([2, 3]);
  });

  test('that no column has leaves the default names', () => {
    expect(matchNames(naming({ oem: ['Katalog'] }), ['Brand', 'OEM'])).toEqual([[0], [1], [], []]);
  });
});
