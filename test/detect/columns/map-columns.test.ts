import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mapColumns } from '../../../src/detect/columns/map-columns.ts';
import type { Makers } from '../../../src/detect/columns/judge/makers-in.ts';
import { plainSettings } from '../../support/read-settings.ts';

const { columns } = plainSettings();
const PARTS = ['BOSCH', 'ATE', 'TRW', 'SACHS', 'VALEO', 'SKF'];
const VEHICLES = ['BMW', 'AUDI', 'OPEL', 'FIAT'];
const makers: Makers = {
  makerKind: (value) => (PARTS.includes(value) ? 'parts' : VEHICLES.includes(value) ? 'vehicles' : null),
  isNoMakerEvidence: (value) => ['CHINA', 'LCSC', 'Mouser'].includes(value),
};

/** Twelve rows of a list, by what a column holds. */
const CELLS: Record<string, (row: number) => string> = {
  maker: (row) => PARTS[row % PARTS.length]!,
  unknown: (row) => ['XINYI', 'Qualitech', 'KORTEX'][row % 3]!,
  vehicle: (row) => VEHICLES[row % VEHICLES.length]!,
  either: (row) => (row % 3 === 0 ? PARTS : VEHICLES)[row % 4]!,
  number: (row) => `GDB${1330 + row * 7}`,
  other: (row) => `W ${700 + row * 3}/${row % 9}`,
  code: (row) => `УТ-000${68_274 + row * 3}`,
  amount: (row) => ['5', '>10', '0', '12', '+'][row % 5]!,
  internal: (row) => `0000${1234 + row}`,
  counter: (row) => `${row + 1}`,
  text: (row) => `Brake pads, set ${row}`,
  price: (row) => `${10 + row},50`,
  stock: (row) => `${row % 4}`,
  barcode: (row) => ['4006381333931', '5901234123457', '9780201379624'][row % 3]!,
  id: (row) => `f517e38${row % 10}-1b2c-4d5e-8f90-1ce6b2c60fd${(row * 7) % 10}`,
  running: (row) => `${48_211 + row}`,
  age: (row) => `${row + 3} лет`,
  size: (row) => `${row * 100 + 300} ml`,
  dotted: (row) => `10.${row + 11}.${300 + row * 7}`,
  lettered: (row) => `ADS${1115 + row * 7}IDGSR`,
  joined: (row) => `ZP-LGT-${5015 + row * 7}L`,
  model: (row) => ['6204-2RS', 'WD940/25', 'SPA1200', 'MPR-14S', 'TB6600', 'PT100-4'][row % 6]!,
  car: (row) => ['Octavia', 'Golf', 'X5', 'A4', 'Passat B6', 'CX-5'][row % 6]!,
  short: (row) => `${77 + row * 13}`,
  padded: (row) => `000023659${10 + row * 3}`,
  slug: (row) => `oil-filter-${['large', 'small', 'flat', 'deep'][row % 4]}-${'abcdefghijkl'[row]}`,
  dozens: (row) => `${120 + row * 12}`,
  pieces: (row) => `${3 + (row % 5)}`,
  sum: (row) => `${(120 + row * 12) * (3 + (row % 5))}`,
  item: (row) => ['CH232W-03B', 'CH271-37', 'FS232-50 SN/03'][row % 3]!,
  link: (row) => `https://parts.example/catalog?maker=${PARTS[row % 6]}`,
  path: (row) => `/img/brands/${PARTS[row % 6]!.toLowerCase()}.png`,
  picture: (row) => `GDB${1330 + row * 7}.jpg`,
  mail: (row) => `sales${row % 3}@parts.example`,
  phone: (row) => `+49 30 1234${row % 6}0`,
  truth: (row) => (row % 2 === 0 ? 'true' : 'false'),
  country: (row) => ['Германия', 'Китай', 'Польша'][row % 3]!,
  landcode: (row) => ['DE', 'CN', 'PL'][row % 3]!,
  brandcode: (row) => ['BR001', 'BR002', 'BR017'][row % 3]!,
  counted: (row) => `SKU-${row + 1}`,
  empty: () => '',
  year: (row) => `${2001 + row}`,
  document: (row) => `H20766${Math.floor(row / 4)}`,
  designator: (row) => ['R1,R8', 'C4,C5', 'U1', 'R2', 'C1', 'D3,D4,D9', 'U2', 'R17'][row % 8]!,
  seldom: (row) => (row === 0 ? 'FHKIT-SA22P' : ''),
  digits: (row) => `${76_754 + row * 371}`,
  supplierCode: (row) => `SUP-${4365 + row * 131}`,
  seller: (row) => ['LCSC', 'Mouser', 'LCSC'][row % 3]!,
};

/** The mapping of a list with these columns, as `key` → `name, or position of one without` with a `?` when only proposed. */
async function map(list: [name: string, holds: string][], changes: Partial<(typeof columns)[0]> = {}, isLive = false) {
  const header = list.every(([name]) => name === '') ? [] : list.map(([name]) => name);
  const rows = Array.from({ length: 12 }, (_, row) => list.map(([, holds]) => CELLS[holds]!(row)));
  const changed = columns.map((column) => (column.key === 'brand' ? Object.assign({}, column, changes) : column));
  const mapping = await mapColumns(
    changed,
    { header, width: list.length, rows },
    {
      accepted: undefined,
      isLive,
      makers: () => Promise.resolve(makers),
    },
  );
  return Object.fromEntries(
    mapping.map(({ key, column, position, sure }) => [key, `${column ?? position}${sure ? '' : '?'}`]),
  );
}

describe('an exact name decides', () => {
  test('whatever is in the column', async () => {
    expect(
      await map([
        ['Brand', 'unknown'],
        ['OEM', 'counter'],
      ]),
    ).toEqual({ brand: 'Brand', oem: 'OEM' });
  });

  test('but not for makes of vehicles beside makers of parts, nor for row numbers beside part numbers', async () => {
    const cars: [string, string][] = [
      ['Marca', 'vehicle'],
      ['Fabricante', 'maker'],
      ['OEM', 'number'],
    ];
    expect(await map(cars)).toMatchObject({ brand: 'Fabricante?' });
    const counted: [string, string][] = [
      ['Номер', 'counter'],
      ['Каталожный номер', 'number'],
      ['Бренд', 'maker'],
    ];
    expect(await map(counted)).toMatchObject({ oem: 'Каталожный номер?', brand: 'Бренд' });
  });

  test('but not for amounts in stock, nor for codes of 1C beside part numbers, nor where two exact names have part numbers', async () => {
    const brand: [string, string] = ['Brand', 'maker'];
    expect(await map([brand, ['OEM', 'amount']])).toEqual({ brand: 'Brand', oem: 'OEM?' });
    const coded: [string, string][] = [brand, ['Article', 'code'], ['Supplier code', 'number']];
    expect(await map(coded)).toMatchObject({ oem: 'Supplier code?' });
    expect(await map([brand, ['Article', 'code']])).toMatchObject({ oem: 'Article' });
    const two: [string, string][] = [brand, ['OEM', 'number'], ['Article', 'other']];
    expect((await map(two))['oem']).toMatch(/\?$/);
    expect((await map(two, {}, true))['oem']).toBe('OEM');
  });

  test.each(['maker', 'unknown'])('but not for an OEM that is the manufacturer: %s', async (holds) => {
    const named: [string, string][] = [
      ['OEM', holds],
      ['Part No', 'number'],
    ];
    expect(await map(named)).toEqual({ brand: 'OEM?', oem: 'Part No?' });
    expect(await map([['Brand', 'maker'], ...named])).toMatchObject({ brand: 'Brand', oem: 'Part No?' });
    expect(
      await map([
        ['OEM', 'lettered'],
        ['Part No', 'number'],
      ]),
    ).not.toHaveProperty('brand');
  });

  test("but not for a shop's own numbers beside those of the makers", async () => {
    const own: [string, string][] = [
      ['Artikelnummer', 'internal'],
      ['Herst.-Nr.', 'number'],
      ['Hersteller', 'maker'],
    ];
    expect(await map(own)).toMatchObject({ oem: 'Herst.-Nr.?', brand: 'Hersteller' });
    expect(await map(own, {}, true)).toMatchObject({ oem: 'Artikelnummer', brand: 'Hersteller' });
  });

  test.each([
    ['Article', 'OEM'],
    ['Артикул', 'Оригинальный номер'],
  ])('but asks about %s beside %s, numbers of the originals that no maker of parts gives', async (own, original) => {
    const list = (holds: string): [string, string][] => [
      ['Brand', holds],
      [own, 'number'],
      [original, 'other'],
    ];
    expect(await map(list('maker'))).toEqual({ brand: 'Brand', oem: `${own}?` });
    expect(await map(list('vehicle'))).toMatchObject({ oem: `${original}?` });
  });

  test('but not for part numbers under the brand and makers under the number, whatever else is there', async () => {
    const swapped: [string, string][] = [
      ['Brand', 'number'],
      ['Article', 'maker'],
      ['Price', 'price'],
    ];
    expect(await map(swapped)).toEqual({ brand: 'Article?', oem: 'Brand?' });
    expect(await map(swapped, {}, true)).toEqual({ brand: 'Brand', oem: 'Article' });
  });

  test.each(['internal', 'stock', 'barcode'])('but not for a brand without letters: %s', async (holds) => {
    const coded: [string, string][] = [
      ['Brand', holds],
      ['OEM', 'number'],
    ];
    expect(await map(coded)).toEqual({ brand: 'Brand?', oem: 'OEM' });
    expect(await map(coded, { configured: ['brand'] })).toEqual({ brand: 'Brand', oem: 'OEM' });
  });

  test.each(['link', 'path', 'mail', 'phone', 'truth', 'country', 'landcode', 'brandcode', 'id'])(
    'but not for brands that are none: %s',
    async (holds) => {
      const list: [string, string][] = [
        ['Brand', holds],
        ['OEM', 'number'],
      ];
      expect(await map(list)).toEqual({ brand: 'Brand?', oem: 'OEM' });
      expect(await map(list, {}, true)).toEqual({ brand: 'Brand', oem: 'OEM' });
    },
  );

  test.each(['link', 'picture', 'phone', 'country'])('but not for numbers that are none: %s', async (holds) => {
    const list: [string, string][] = [
      ['Brand', 'maker'],
      ['Article', holds],
    ];
    expect(await map(list)).toEqual({ brand: 'Brand', oem: 'Article?' });
  });

  test('but not for barcodes that stand in a column of their own as well', async () => {
    const list: [string, string][] = [
      ['Brand', 'maker'],
      ['Article', 'barcode'],
    ];
    expect(await map([...list, ['EAN', 'barcode']])).toEqual({ brand: 'Brand', oem: 'Article?' });
    expect(await map([...list, ['EAN', 'empty']])).toEqual({ brand: 'Brand', oem: 'Article' });
  });

  test('but not for makes of vehicles beside their models and years', async () => {
    const genuine: [string, string][] = [
      ['Brand', 'vehicle'],
      ['OEM', 'number'],
    ];
    const [model, year]: [string, string][] = [
      ['Model', 'short'],
      ['Year', 'year'],
    ];
    expect(await map([...genuine, model!, year!])).toMatchObject({ brand: 'Brand?' });
    for (const list of [genuine, [...genuine, model!], [...genuine, year!]]) {
      expect(await map(list)).toMatchObject({ brand: 'Brand' });
    }
    expect(await map([['Brand', 'either'], ['OEM', 'number'], model!, year!])).toMatchObject({ brand: 'Brand' });
  });

  test('and a name of the feed itself always does', async () => {
    const cars: [string, string][] = [
      ['Marca', 'vehicle'],
      ['Fabricante', 'maker'],
      ['OEM', 'number'],
    ];
    expect(await map(cars, { configured: ['marca'] })).toMatchObject({ brand: 'Marca' });
  });
});

describe('a list is read without a setting when name and content agree', () => {
  test.each([
    [
      ['Producător', 'maker'],
      ['Cod piesă', 'number'],
      ['Denumire', 'text'],
    ],
    [
      ['Производитель детали', 'maker'],
      ['Каталожный №', 'number'],
      ['Наименование товара', 'text'],
    ],
    [
      ['Producent', 'maker'],
      ['nr kat.', 'number'],
      ['Nazwa', 'text'],
    ],
    [
      ['Produttore', 'maker'],
      ['Codice articolo', 'number'],
      ['Descrizione', 'text'],
    ],
    [
      ['Gyártó', 'maker'],
      ['Cikkszám', 'number'],
      ['Megnevezés', 'text'],
    ],
    [
      ['メーカー', 'maker'],
      ['品番', 'number'],
      ['品名', 'text'],
    ],
  ] as [string, string][][])('%j', async (brand, oem, name) => {
    const list: [string, string][] = [['№', 'counter'], oem, ['Preis', 'price'], brand, name, ['EAN', 'barcode']];
    expect(await map(list)).toEqual({ brand: brand[0], oem: oem[0], name: name[0] });
  });

  test('an internal code is not the part number beside one', async () => {
    const list: [string, string][] = [
      ['Код 1С', 'internal'],
      ['Каталожный номер', 'number'],
      ['Бренд', 'maker'],
    ];
    expect(await map(list)).toMatchObject({ oem: 'Каталожный номер' });
  });

  test.each(['lettered', 'joined'])('a part number with several groups of letters is no phrase: %s', async (holds) => {
    const list: [string, string][] = [
      ['Manufacturer', 'maker'],
      ['Manufacturer Part Number', holds],
      ['Vendor Part #', 'number'],
    ];
    expect(await map(list)).toMatchObject({ oem: 'Manufacturer Part Number' });
  });

  test('nor do numbers of other parts make it doubtful', async () => {
    const list: [string, string][] = [
      ['Alternate part number', 'other'],
      ['Cod piesă', 'number'],
      ['Producător', 'maker'],
    ];
    expect(await map(list)).toMatchObject({ brand: 'Producător', oem: 'Cod piesă' });
  });
});

describe('a column is only proposed', () => {
  test('when its name says nothing', async () => {
    expect(
      await map([
        ['Alpha', 'maker'],
        ['Beta', 'number'],
        ['Gamma', 'price'],
      ]),
    ).toEqual({ brand: 'Alpha?', oem: 'Beta?' });
  });

  test('when there is no header', async () => {
    expect(
      await map([
        ['', 'maker'],
        ['', 'price'],
        ['', 'number'],
      ]),
    ).toEqual({ brand: '1?', oem: '3?' });
  });

  test('when its cells are not what its name says', async () => {
    expect(
      await map([
        ['Producător', 'stock'],
        ['Cod piesă', 'text'],
      ]),
    ).toEqual({ oem: 'Cod piesă?' });
  });

  test('when two columns may be meant', async () => {
    const list: [string, string][] = [
      ['Producător', 'maker'],
      ['Nr. piesă', 'number'],
      ['Cod OE', 'internal'],
    ];
    expect((await map(list))['oem']).toMatch(/\?$/);
  });

  test('when tables stand beside each other: the number of the same one as the brand', async () => {
    const table: [string, string][] = [
      ['Brand', 'maker'],
      ['OEM', 'number'],
      ['Price', 'price'],
    ];
    const other: [string, string][] = [
      ['Brand', 'maker'],
      ['OEM', 'other'],
    ];
    const list = [...table, ['', 'empty'] as [string, string], ...other];
    const rows = Array.from({ length: 12 }, (_, row) => list.map(([, holds]) => CELLS[holds]!(row)));
    const given = { accepted: undefined, isLive: false, makers: () => Promise.resolve(makers) };
    const mapping = await mapColumns(columns, { header: list.map(([name]) => name), width: 6, rows }, given);
    expect(mapping.map(({ key, position, sure }) => [key, position, sure])).toEqual([
      ['brand', 1, true],
      ['oem', 2, false],
    ]);
  });

  test('when it is a make of vehicles and nothing else is a maker', async () => {
    expect(
      await map([
        ['Producător', 'vehicle'],
        ['Cod piesă', 'number'],
      ]),
    ).toMatchObject({ brand: 'Producător?' });
  });

  test('but not when makers of parts stand among makes of vehicles', async () => {
    const list: [string, string][] = [
      ['Marka', 'either'],
      ['Numer katalogowy', 'number'],
    ];
    expect(await map(list)).toEqual({ brand: 'Marka', oem: 'Numer katalogowy' });
  });

  test('when it is called a make of vehicles, and no column says which models', async () => {
    const genuine: [string, string][] = [
      ['Marka', 'vehicle'],
      ['Numer katalogowy', 'number'],
      ['Nazwa', 'text'],
    ];
    expect(await map(genuine)).toEqual({ brand: 'Marka?', oem: 'Numer katalogowy', name: 'Nazwa' });
    expect(await map([...genuine, ['Model', 'short']])).not.toHaveProperty('brand');
    expect(await map([...genuine, ['Rok', 'short']])).not.toHaveProperty('brand');
    expect(await map([...genuine, ['Producent', 'maker']])).toMatchObject({ brand: 'Producent' });
  });

  test('when no value of a brand is a known maker', async () => {
    const list: [string, string][] = [
      ['Producător', 'unknown'],
      ['Cod piesă', 'number'],
    ];
    expect(await map(list)).toEqual({ brand: 'Producător?', oem: 'Cod piesă' });
  });

  test('when it may be tags', async () => {
    expect(
      await map([
        ['Brand', 'maker'],
        ['OEM', 'number'],
        ['Keywords', 'text'],
      ]),
    ).toMatchObject({ tags: 'Keywords?' });
  });
});

describe('a part number is proposed', () => {
  test.each([
    ['id', 'id'],
    ['guid', 'id'],
    ['foo', 'running'],
    ['ID', 'running'],
    ['foo', 'age'],
    ['foo', 'size'],
    ['foo', 'sum'],
    ['Возраст', 'short'],
    ['Сумма', 'running'],
    ['Bestand', 'running'],
  ])('not %s with cells like "%s" beside a column that looks like numbers', async (name, holds) => {
    const list: [string, string][] = [
      [name, holds],
      ['Menge', 'pieces'],
      ['Preis', 'dozens'],
      ['bar', 'number'],
      ['Brand', 'maker'],
    ];
    expect((await map(list))['oem']).toBe('bar?');
  });

  test.each([
    ['sku', 'slug'],
    ['Code', 'short'],
    ['CÓDIGO', 'short'],
    ['Код товара', 'padded'],
    ['num. kat.', 'dotted'],
    ['kod adı', 'short'],
    ['型号', 'short'],
    ['모델명', 'short'],
  ])('by its name, where nothing speaks against it: %s with cells like "%s"', async (name, holds) => {
    const list: [string, string][] = [
      ['id', 'id'],
      [name, holds],
      ['Brand', 'maker'],
    ];
    expect((await map(list))['oem']?.replace('?', '')).toBe(name);
  });

  test.each([
    ['vendor_pn', 'oem_display'],
    ['Distributor Part Number', 'Brand #'],
    ['Codigo SAP', 'N/P'],
    ['alternate_part_code', 'part_code'],
    ['Альтернативный номер', 'Код детали'],
  ])('by the more telling of two names: not %s but %s', async (other, name) => {
    const list: [string, string][] = [
      [other, 'number'],
      [name, 'other'],
      ['Brand', 'maker'],
    ];
    expect((await map(list))['oem']?.replace('?', '')).toBe(name);
  });

  test('among models where nothing else is a number, unless they are those of cars', async () => {
    const list = (holds: string): [string, string][] => [
      ['id', 'running'],
      ['modelo', holds],
      ['marca', 'maker'],
    ];
    expect((await map(list('model')))['oem']).toBe('modelo?');
    expect((await map(list('car')))['oem']).toBeUndefined();
    expect((await map([...list('model'), ['Código', 'short']]))['oem']).toBe('Código?');
  });

  test('among the rows of documents: the items, neither the documents nor the numbers of the rows', async () => {
    expect(
      await map([
        ['', 'running'],
        ['', 'document'],
        ['', 'item'],
      ]),
    ).toEqual({ oem: '3?' });
  });

  test.each([
    ['ID', 'running'],
    ['pk', 'short'],
    ['foo', 'running'],
    ['mobile', 'running'],
    ['Сортировка', 'dozens'],
    ['harga', 'running'],
    ['proveedor_id', 'document'],
  ])('nowhere, if there is only %s with cells like "%s"', async (name, holds) => {
    const list: [string, string][] = [
      [name, holds],
      ['Brand', 'maker'],
    ];
    expect(await map(list)).toEqual({ brand: 'Brand' });
  });

  test('under an id that no program counted', async () => {
    expect((await map([['Inventory Item Id:', 'number']]))['oem']).toBe('Inventory Item Id:?');
  });

  test('and not what counts the rows behind the same letters', async () => {
    const list: [string, string][] = [
      ['sku', 'counted'],
      ['nomor_oe', 'number'],
      ['merk', 'maker'],
    ];
    expect(await map(list)).toMatchObject({ oem: 'nomor_oe' });
    expect((await map(list.slice(0, 1)))['oem']).toBe('sku?');
  });

  test('and not the sum of a row, whatever it is called', async () => {
    expect(
      await map([
        ['Brand', 'maker'],
        ['a', 'pieces'],
        ['b', 'dozens'],
        ['c', 'sum'],
      ]),
    ).toEqual({ brand: 'Brand' });
  });

  test.each([
    ['Reference', 'designator'],
    ['ZipCode', 'number'],
    ['numero_documento', 'number'],
    ['Rechnungsnummer', 'number'],
    ['Supplier', 'supplierCode'],
  ])('nowhere, where numbers are of something else: %s', async (name, holds) => {
    expect(await map([[name, holds]])).not.toHaveProperty('oem');
  });

  test('by looks alone only with letters, where no brand is there', async () => {
    expect(await map([['EX SHOWROOM', 'digits']])).toEqual({});
    expect((await map([['EX SHOWROOM', 'number']]))['oem']).toBe('EX SHOWROOM?');
    const beside: [string, string][] = [
      ['EX SHOWROOM', 'digits'],
      ['Brand', 'maker'],
    ];
    expect((await map(beside))['oem']).toBe('EX SHOWROOM?');
  });

  test('and not what hardly any row has', async () => {
    const list: [string, string][] = [
      ['RequiredSKU', 'seldom'],
      ['SKU', 'slug'],
      ['Brand', 'maker'],
    ];
    expect(await map(list)).toMatchObject({ oem: 'SKU?' });
  });

  test('where a supplier has several codes, in the one with letters', async () => {
    const list: [string, string][] = [
      ['ProductID', 'short'],
      ['IdProd', 'lettered'],
      ['Marca', 'maker'],
    ];
    expect(await map(list)).toMatchObject({ oem: 'IdProd?' });
  });

  test('but an exact name with ids in its cells is doubted', async () => {
    expect(
      (
        await map([
          ['OEM', 'id'],
          ['Brand', 'maker'],
          ['foo', 'number'],
        ])
      )['oem'],
    ).toBe('foo?');
  });
});

test.each(['Alternate Manufacturer', 'Производитель (замены)', 'Marca alternativa'])(
  'the maker of other parts is no brand: %s',
  async (name) => {
    const list: [string, string][] = [
      [name, 'maker'],
      ['OEM', 'number'],
    ];
    expect(await map(list)).toEqual({ oem: 'OEM' });
    expect(await map([...list, ['Supplier', 'unknown']])).toMatchObject({ brand: 'Supplier?' });
  },
);

describe('a brand is proposed that no list of makers knows', () => {
  test.each(['Vendor', 'Поставщик', 'Lieferant', 'Company'])('by its name: %s', async (name) => {
    expect(
      await map([
        [name, 'unknown'],
        ['Article', 'number'],
      ]),
    ).toEqual({ brand: `${name}?`, oem: 'Article' });
  });

  test('by an abbreviation, but not where the cells name sellers', async () => {
    const list = (name: string, holds: string): [string, string][] => [
      [name, holds],
      ['MPN', 'number'],
    ];
    expect(await map(list('MF', 'unknown'))).toMatchObject({ brand: 'MF?', oem: 'MPN' });
    expect(await map(list('Supplier', 'seller'))).toEqual({ oem: 'MPN' });
  });

  test('but not beside a better one, nor where it says the same in every row', async () => {
    expect(
      await map([
        ['Vendor', 'unknown'],
        ['Hersteller', 'unknown'],
        ['OEM', 'number'],
      ]),
    ).toMatchObject({
      brand: 'Hersteller',
    });
    const table = {
      header: ['Vendor', 'OEM'],
      width: 2,
      rows: Array.from({ length: 12 }, (_, at) => ['Us', `A${at}11`]),
    };
    const found = await mapColumns(columns, table, {
      accepted: undefined,
      isLive: false,
      makers: () => Promise.resolve(makers),
    });
    expect(found.map(({ key }) => key)).toEqual(['oem']);
  });
});

test('a field of records is known by the last part of its path', async () => {
  const header = ['properties/brand', 'properties/@article', 'analogs/brand'];
  const rows = Array.from({ length: 12 }, (_, row) => [CELLS['maker']!(row), CELLS['number']!(row), 'ATE']);
  const found = await mapColumns(
    columns,
    { header, width: 3, rows, isOfRecords: true },
    { accepted: undefined, isLive: false, makers: () => Promise.resolve(makers) },
  );
  expect(found.map(({ key, position, sure }) => ({ key, position, sure }))).toEqual([
    { key: 'brand', position: 1, sure: true },
    { key: 'oem', position: 2, sure: true },
  ]);
});

test('prices, stocks, barcodes and counters are never proposed as part numbers', async () => {
  const list: [string, string][] = [
    ['A', 'price'],
    ['B', 'stock'],
    ['C', 'barcode'],
    ['D', 'counter'],
  ];
  expect(await map(list)).toEqual({});
});

const NAMES = [
  'Producător',
  'Cod piesă',
  'Denumire',
  'Preț',
  'Stoc',
  'Alpha',
  'Beta',
  'Marca',
  'Fabricante',
  'OEM',
  'Код',
  '',
];
const anyList = fc.uniqueArray(
  fc.tuple<[string, string]>(fc.constantFrom(...NAMES), fc.constantFrom(...Object.keys(CELLS))),
  { minLength: 1, maxLength: 8, selector: ([name]) => name },
);

test('no column of a file is taken twice, and what is open costs nothing when all names are exact', async () => {
  await fc.assert(
    fc.asyncProperty(anyList, async (list) => {
      const taken = Object.values(await map(list)).map((name) => name.replace(/\?$/, ''));
      expect(new Set(taken).size).toBe(taken.length);
    }),
  );
});

test('the order of the columns does not matter to what is sure', async () => {
  const sureOf = (mapping: Record<string, string>) =>
    Object.fromEntries(Object.entries(mapping).filter(([, name]) => !name.endsWith('?') && !/^\d+$/.test(name)));
  await fc.assert(
    fc.asyncProperty(anyList, fc.nat(), async (list, turn) => {
      const at = turn % list.length;
      const turned = [...list.slice(at), ...list.slice(0, at)];
      expect(sureOf(await map(turned))).toEqual(sureOf(await map(list)));
    }),
  );
});

test('a column of prices or stocks more changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyList, fc.constantFrom('price', 'stock'), async (list, holds) => {
      // A file without a header has none for the further column either.
      const name = list.every(([other]) => other === '') ? '' : 'Extra';
      expect(await map([...list, [name, holds]])).toEqual(await map(list));
    }),
  );
});
