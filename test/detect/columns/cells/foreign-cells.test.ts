import { describe, expect, test } from 'vitest';
import { countryIndex } from '../../../../scripts/generate/country-index.ts';
import index from '../../../../src/detect/columns/cells/country-index.json' with { type: 'json' };
import { isCountry } from '../../../../src/detect/columns/cells/countries.ts';
import { foreignCells } from '../../../../src/detect/columns/cells/foreign-cells.ts';

/** What most of these cells are; each occurs once. */
function kindOf(...cells: string[]) {
  return foreignCells(new Map(cells.map((cell) => [cell, 1])))?.looks ?? null;
}

test.each([
  ['links', ['https://parts.example/a', 'www.parts.example', 'parts.example.com/b?c=1']],
  ['links', ['/img/brands/bosch.png', 'C:\\pictures\\0986.jpg', './0986424797.jpg']],
  ['links', ['0986424797.jpg', 'W71273.PNG', 'GDB1330.webp?size=2']],
  ['e-mails', ['sales@parts.example', 'anna.b@teile.de']],
  ['phones', ['+49 30 123400', '8 (495) 123-45-67', '+7(912)1234567']],
  ['yes-or-no', ['да', 'Нет', 'да']],
  ['codes', ['BR001', 'BR002', 'BR017']],
  ['codes', ['f517e380-1b2c-4d5e-8f90-1ce6b2c60fd1', 'f517e380-1b2c-4d5e-8f90-1ce6b2c60fd2']],
])('cells may be %s: %j', (looks, cells) => expect(kindOf(...cells)).toBe(looks));

test.each([
  ['brands', ['BOSCH', 'MANN-FILTER', 'A.B.S.', 'FEBI BILSTEIN', '555', 'K&N', '3M']],
  ['brands of one letter and digit', ['M1', 'M2']],
  ['a single code', ['K01']],
  ['numbers', ['0 986 424 797', '1K0 615 301 AA', '04465-21644', 'W 712/73', 'A 000 180 26 09', 'OX 153/7D2']],
  ['numbers with dots', ['07.0212', '10.38.378', '000.1.24', 'AB.12/3', '06H.905.110.G']],
  ['numbers with brackets', ['(0)986424797', '86512-1U700 (86512-C5000)']],
])('cells may be none of these: %s', (_what, cells) => expect(kindOf(...cells)).toBeNull());

test('a few links among brands say nothing', () => {
  expect(kindOf('BOSCH', 'ATE', 'https://parts.example')).toBeNull();
});

describe('countries', () => {
  test.each([
    'Германия',
    'Китай',
    'Deutschland',
    'Polska',
    'Türkiye',
    'USA',
    'Тайвань (Китай)',
    'DE',
    '日本',
    'Južná Kórea',
  ])('are known: %s', (name) => expect(isCountry(name)).toBe(true));

  test.each(['BOSCH', 'FAG', 'SKF', 'LPR', 'ATE', 'Delphi', 'Magneti Marelli', 'Japanparts', 'Patron', ''])(
    'are not makers: %j',
    (name) => expect(isCountry(name)).toBe(false),
  );

  test('their index is up to date: `npm run generate` writes it', () => {
    expect(countryIndex()).toBe(`${JSON.stringify(index)}\n`);
  });
});
