import { describe, expect, test } from 'vitest';
import { createLaterHeaderCheck } from '../../../src/validate/header/later-header.ts';
import { mapHeader, mapPositions } from '../../../src/validate/header/header.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();

/** What a line below this header is. */
function below(header: string, line: string): string | null {
  const check = createLaterHeaderCheck(columns, mapHeader(columns, header.split(';'), 1));
  const found = check({ cells: line.split(';'), line: 57, lastLine: 57, problem: null });
  return found === null || found === 'same' ? found : found.message;
}

test.each(['BILSTEIN;#NAME?;Bremsen;neu', 'brand;#WERT!;name;price'])(
  'the message of a failed formula is no name of a column: %s',
  (line) => expect(below('brand;oem;name;price', line)).toBeNull(),
);

describe('a header further down', () => {
  test.each([
    ['of the next page', 'brand;oem;name;price', 'brand;oem;name;price'],
    ['in other letters', 'brand;oem;name;price', 'BRAND;OEM;Name;'],
    ['in other words', 'brand;oem;name;price', 'Hersteller;Artikelnummer;Bezeichnung;Preis EUR'],
    ['in another language', 'brand;oem;name;price', 'Производитель;Артикул;Наименование;Цена, руб.'],
    ['of which one row of two is repeated', 'brand;oem;name;price net', 'brand;oem;;price'],
  ])('%s names the same columns', (_, header, line) => expect(below(header, line)).toBe('same'));

  test.each([
    ['with swapped columns', 'oem;brand;name;price'],
    ['with an optional column that is another one', 'brand;oem;price;name'],
    ['with the number elsewhere', 'brand;Code;Артикул;Цена'],
    ['of two columns', 'Number;Manufacturer'],
    ['without the brand', ';Artikelnummer;Bezeichnung;Preis'],
  ])('%s names others', (_, line) => {
    expect(below('brand;oem;name;price', line)).toMatch(
      /^Another header begins in line 57: .+ stands where "\w+" was\./,
    );
  });

  test('says what stands where', () => {
    expect(below('brand;oem;name;price', 'oem;brand;name;price')).toBe(
      'Another header begins in line 57: "oem" stands where "brand" was. The rows below it have other columns. Ask the ' +
        'supplier for one list in each file, or for the same columns throughout.',
    );
  });

  test('is also found where columns go by position', () => {
    const byPosition = columns.map((column) =>
      Object.assign({}, column, { position: { brand: 1, oem: 2 }[column.key] ?? null }),
    );
    const check = createLaterHeaderCheck(byPosition, mapPositions(byPosition, 3, 1));
    const row = (line: string) => ({ cells: line.split(';'), line: 9, lastLine: 9, problem: null });
    expect(check(row('Marke;Nummer;Preis'))).toBe('same');
    expect(check(row('Nummer;Marke;Preis'))).toMatchObject({ code: 'other-header', column: 'brand', line: 9 });
  });
});

describe('a row that is no header', () => {
  test.each([
    ['has a number with a digit', 'BOSCH;0986424797;Brand;Number'],
    ['has an amount', 'Brand;Number;Name;12.50'],
    ['has one name of a column by chance', 'OEM;SET;Gasket kit;'],
    ['has a failed formula for a number', 'Brand;#NAME?;Name;Price'],
    ['has a number that is no name', 'Brand;Optimal;Name;Price'],
    ['has a mark for a number beside a name and a condition', 'ATE;#;Set;neu'],
    ['has a word for nothing that is a name as well', 'ATE;n/a, n/a;Teil;new'],
    ['has a name for a number beside a condition', 'ATE;OEM;Motor;neu'],
    ['is a heading', ';Bremsen;;'],
  ])('%s', (_, line) => expect(below('brand;oem;name;price', line)).toBeNull());
});
