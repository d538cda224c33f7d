import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseColumns } from '../../../src/cli/decisions/columns-option.ts';

test.each<[text: string, asked: [key: string, column: string][]]>([
  ['brand=Producator', [['brand', 'Producator']]],
  [
    'brand=Producator,oem=Cod articol',
    [
      ['brand', 'Producator'],
      ['oem', 'Cod articol'],
    ],
  ],
  [
    'brand = 1 , oem="Cod, ""nou"""',
    [
      ['brand', '1'],
      ['oem', 'Cod, "nou"'],
    ],
  ],
  // A shell has taken the quotes away.
  [
    'oem=Nr, alt/neu,brand=Marke',
    [
      ['oem', 'Nr, alt/neu'],
      ['brand', 'Marke'],
    ],
  ],
  [
    'oem=Ø 5", brand="A=B,c=d"',
    [
      ['oem', 'Ø 5"'],
      ['brand', 'A=B,c=d'],
    ],
  ],
])('%s', (text, asked) => {
  expect(parseColumns(text).map(({ key, column }) => [key, column])).toEqual(asked);
});

test.each(['', ' ', 'brand', 'brand=', 'brand=,oem=2', '=x', ',brand=a'])('refused: %j', (text) => {
  expect(() => parseColumns(text)).toThrow(/does not say which column is which/);
});

test('any names in quotes are read as they were written', () => {
  const asked = fc.record({
    key: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]*$/),
    column: fc.string({ unit: 'binary', minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 4 }), (all) => {
      const text = all.map(({ key, column }) => `${key}="${column.replaceAll('"', '""')}"`).join(',');
      expect(parseColumns(text)).toEqual(all);
    }),
  );
});
