import { describe, expect, test } from 'vitest';
import * as makers from '../../../src/detect/columns/makers.ts';
import { mapColumns } from '../../../src/detect/columns/map-columns.ts';
import { BRANDS, found, NUMBERS, only, TEXTS } from '../../support/found-columns.ts';
import { plainSettings } from '../../support/read-settings.ts';

/** Codes that a list counts its rows with. */
const OWN = ['000311', '000312', '000315', '000320', '000331', '000332', '000340', '000341'];
const FORMED = ['TR-2101', 'TR-2102', 'TR-2104', 'TR-2110', 'TR-2113', 'TR-2120', 'TR-2122', 'TR-2131'];
const TYPES = ['6ES7214-1AG40', '3RT2015-1BB41', 'LC1D09M7', 'GV2ME08', 'XB4-BA31', 'ZB5-AV6', 'LRD-08X', 'NSX100F'];

describe('columns that are counted', () => {
  test.each([
    ['Manufacturer1', 'MPN1', 'Manufacturer2', 'MPN2'],
    ['Hersteller 1', 'Herstellernummer 1', 'Hersteller 2', 'Herstellernummer 2'],
    ['Maker', 'Maker PN', 'Maker 2', 'Maker PN 2'],
  ])('the first of them is taken: %s, %s', async (brand, number, brand2, number2) => {
    const list = { [brand2]: BRANDS, [number2]: NUMBERS, [brand]: BRANDS.toReversed(), [number]: TYPES };
    const { brand: maker, oem } = await found(list);
    expect([maker, oem].map((name) => name?.replace('?', ''))).toEqual([brand, number]);
  });

  test('but for one that hardly any row has', async () => {
    const many = (cells: string[]) => Array.from({ length: 5 }, () => cells).flat();
    const list = { MPN1: only(TYPES, 2), MPN2: many(NUMBERS), Manufacturer: many(BRANDS) };
    expect((await found(list))['oem']).toMatch(/^MPN2/);
  });
});

describe('two columns with the same cells', () => {
  const MAKERS = ['BOSCH', 'SACHS', 'BOSCH', 'LUK', 'FEBI', 'BOSCH', 'LUK', 'SACHS'];

  test('are no rivals', async () => {
    const list = { Producent: MAKERS, Fabricante: MAKERS, MPN: NUMBERS };
    expect(await found(list)).toMatchObject({ brand: 'Producent' });
  });

  test('are rivals where one cell differs', async () => {
    const list = { Producent: MAKERS, Fabricante: MAKERS.with(3, 'INA'), MPN: NUMBERS };
    expect(await found(list)).toMatchObject({ brand: 'Producent?' });
  });
});

test.each(['partNumberFabricante', 'HerstellerPartNo', 'Fabricante P/N'])(
  'words that say that a number is the maker’s go before another known name: %s',
  async (name) => {
    const list = { Codice: FORMED, 'Part number': OWN, [name]: NUMBERS, Brand: BRANDS };
    expect((await found(list))['oem']).toBe(`${name}?`);
  },
);

describe('models and types that makers number their products by', () => {
  test.each([
    ['Código SAP', 'Modelo'],
    ['SAP Code', 'Type'],
    ['Kod SAP', 'Typ'],
    ['Код 1С', 'Тип'],
    ['Material', 'Type designation'],
  ])('go before the own codes of a list: %s, %s', async (code, type) => {
    expect(await found({ [code]: OWN, [type]: TYPES, Name: TEXTS, Brand: BRANDS })).toMatchObject({ oem: `${type}?` });
    const few = only(TYPES, 2);
    expect(await found({ [code]: OWN, [type]: few, Brand: BRANDS })).not.toMatchObject({ oem: `${type}?` });
  });

  test('not before numbers, nor do kinds of parts and models of cars', async () => {
    expect(await found({ MPN: NUMBERS, Type: TYPES })).toMatchObject({ oem: 'MPN' });
    const kinds = ['Filter', 'Filter', 'Pad', 'Disc', 'Pad', 'Filter', 'Belt', 'Belt'];
    expect(await found({ 'SAP Code': OWN, Type: kinds })).toMatchObject({ oem: 'SAP Code?' });
    const cars = ['A4 B8', 'A6 C7', 'Golf 7', 'A4 B8', 'Polo 9N', 'A6 C7', 'Golf 7', 'A4 B8'];
    expect(await found({ 'SAP Code': OWN, Model: cars })).toMatchObject({ oem: 'SAP Code?' });
  });
});

describe('numbers of one kind of part each', () => {
  const kinds = { oil: NUMBERS, air: TYPES, fuel: FORMED };
  test.each(['FilterCode', 'filter code', 'Filterkod'])('belong to none of the rows: oil %s', async (what) => {
    const columns = Object.fromEntries(Object.entries(kinds).map(([kind, cells]) => [`${kind} ${what}`, cells]));
    expect(await found({ Vehicle: TEXTS, ...columns })).not.toHaveProperty('oem');
  });

  test('of one or two kinds they may be', async () => {
    expect(await found({ 'oil filter code': NUMBERS, Name: TEXTS })).toMatchObject({ oem: 'oil filter code?' });
  });
});

describe('what is no number without a name', () => {
  test.each(['Num', 'Qté', 'foo'])('few counts: %s', async (name) => {
    const list = { [name]: ['1', '2', '1', '4', '2', '1', '1', '12'], Désignation: TEXTS };
    expect(await found(list)).not.toHaveProperty('oem');
  });

  test.each(['variant', 'foo', 'Farbe'])('phrases with digits: %s', async (name) => {
    const phrases = [
      'Black 2 mm',
      'White 3 mm',
      'Red 20 cm',
      'Blue 5 m',
      'Grey 10 m',
      'Pink 2 x 3',
      'Gold 15 cm',
      'Clear 7 mm',
    ];
    expect(await found({ [name]: phrases, Price: OWN })).not.toHaveProperty('oem');
  });
});

test.each(['website_name', 'Link-Bezeichnung'])('a name of links is no name: %s', async (name) => {
  expect((await found({ [name]: TEXTS, MPN: NUMBERS }))['name']).toBeUndefined();
});

describe('a list without a header', () => {
  const { columns } = plainSettings();
  const beside = { accepted: undefined, isLive: false, makers: () => Promise.resolve(makers) };
  const brandIn = async (cells: string[]) => {
    const rows = NUMBERS.map((number, row) => [number, cells[row]!, TEXTS[row]!]);
    const found = await mapColumns(columns, { header: [], width: 3, rows }, beside);
    return found.find(({ key }) => key === 'brand');
  };

  test.each([
    ['makers of vehicles', ['TOYOTA', 'BMW', 'TOYOTA', 'AUDI', 'BMW', 'TOYOTA', 'AUDI', 'BMW']],
    ['makers, some of which are known', ['BOSCH', 'Zorvix', 'BOSCH', 'SACHS', 'Zorvix', 'BOSCH', 'SACHS', 'BOSCH']],
  ])('has its brand in the column of %s', async (_, cells) => {
    expect(await brandIn(cells)).toMatchObject({ position: 2, sure: false });
  });

  test.each([
    ['names that are all different', ['Asdin', 'Bolvir', 'Coltan', 'Drimex', 'Elvard', 'Fonder', 'Grolin', 'Hextra']],
    ['kinds of parts', ['Filter', 'Pad', 'Filter', 'Disc', 'Pad', 'Disc', 'Filter', 'Pad']],
  ])('has none in %s', async (_, cells) => {
    expect(await brandIn(cells)).toBeUndefined();
  });
});
