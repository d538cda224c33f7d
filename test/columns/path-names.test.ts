import { describe, expect, test } from 'vitest';
import { meaningsOfPath, ownName } from '../../src/columns/path-names.ts';

/** What a path means, in short: `~` for a name among the words, `?` for a weak one. */
function brief(path: string): string {
  return meaningsOfPath(path)
    .map(({ meaning, whole, strength }) => `${meaning}${strength === 'weak' ? '?' : ''}${whole ? '' : '~'}`)
    .join(' ');
}

describe('the name of a field in a record', () => {
  test.each([
    ['properties/numer', 'oem? internalCode?'],
    ['generalInformation/orderCode', 'oem? internalCode?'],
    ['product/@brand', 'brand'],
    ['@article', 'oem?'],
    ['details/Katalognummer', 'oem'],
    ['attributes/部品番号', 'oem'],
  ])('means what its last part means: %s', (path, meaning) => expect(brief(path)).toBe(meaning));

  test.each([
    ['producer/name', 'brand'],
    ['brand/name', 'brand'],
    ['manufacturer/i18n/value', 'brand'],
    ['Изготовитель/Наименование', 'brand'],
    ['brand/id', 'internalCode'],
    ['data/name', 'name'],
  ])('means what is around it when it says nothing by itself: %s', (path, meaning) =>
    expect(brief(path)).toBe(meaning),
  );

  test.each(['analogs/brand', 'applications/car/make', 'vehicle/brand'])('of something else is no brand: %s', (path) =>
    expect(brief(path).split(' ')).not.toContain('brand'),
  );
});

test('numbers of other parts are tags, and their makers are nothing that an offer has', () => {
  expect(['analogs/brand', 'oe_numbers/number', 'variants/crosses/article'].map(brief)).toEqual([
    'other~',
    'tags?~',
    'tags?~',
  ]);
});

test('a field has an exact name of its own unless what is around it says what it is', () => {
  expect(['product/@brand', '@article', 'properties/oem'].map(ownName)).toEqual(['brand', 'article', 'oem']);
  expect(['analogs/brand', 'supplier/name', 'brand/name', 'vehicle/brand'].map(ownName)).toEqual(['', '', '', '']);
});
