import { describe, expect, test } from 'vitest';
import { BRANDS, found, NUMBERS, only, TEXTS } from '../../support/found-columns.ts';

describe('places on a board, cases and values of parts are no numbers', () => {
  const PLACES = {
    'one in a cell': ['C1', 'C2', 'R1', 'R2', 'IC1', 'LED6', 'JP1', 'X2'],
    'several in a cell': ['C1, C2', 'R1,R8', 'U1', 'D1 D3', 'C7', 'U4;U5', 'SW1', 'J2'],
    ranges: ['C1-C4', 'R1-R10', 'LED1-LED24', 'U1', 'U2', 'D1-D2', 'Q1', 'J1-J3'],
  };
  test.each(
    Object.entries(PLACES).flatMap(([how, cells]) =>
      ['Part', 'Symbol', 'Nr.', 'foo', 'Reference'].map((name) => ({ how, name, cells })),
    ),
  )('places, $how, under $name', async ({ name, cells }) => {
    expect(await found({ [name]: cells, Value: TEXTS })).not.toHaveProperty('oem');
  });

  test('a known name over places is doubted', async () => {
    expect(await found({ 'Part number': PLACES['one in a cell'], Manufacturer: BRANDS })).toMatchObject({
      oem: 'Part number?',
    });
  });

  test('some of the places have names, and the name of the column says what they are', async () => {
    const named = ['C1, C2', 'C3', 'R2,R3', 'SENSOR', 'LED1-LED24', 'POWER', '', ''];
    expect(await found({ 'Ref. / part': named, Description: TEXTS })).not.toHaveProperty('oem');
  });

  test.each([
    ['Gehäuseform', ['SOT-23', 'SO-8', 'DIP-16', 'TO-220', 'SOT-23', 'QFN-32', 'SO-14', 'SOT-89']],
    ['foo', ['C0603', 'R0805', 'C1206', 'LED_0603', 'R0603', 'C0805', 'R1206', 'C0402']],
    [
      'mounting',
      [
        'R_0603_1608Metric',
        'C_0805_2012Metric',
        'SOIC-8_3.9x4.9mm_P1.27mm',
        'LQFP-48_7x7mm_P0.5mm',
        'SOT-23-5',
        'D_SOD-123',
        'R_0603',
        'C_0402',
      ],
    ],
    ['Footprint', ['MA04-1', 'PAK100/2500-5', 'B3F-31XX', 'KK-156-6', 'WAGO-233', 'PTS645', '1X06', 'TACTILE3']],
    ['封装', ['MA04-1', 'PAK100/2500-5', 'B3F-31XX', 'KK-156-6', 'WAGO-233', 'PTS645', '1X06', 'TACTILE3']],
    ['RefDes', ['MA04-1', 'PAK100/2500-5', 'B3F-31XX', 'KK-156-6', 'WAGO-233', 'PTS645', '1X06', 'TACTILE3']],
  ])('cases: %s', async (name, cells) => {
    expect(await found({ [name]: cells, Menge: ['1', '2', '1', '3', '1', '1', '1', '1'] })).not.toHaveProperty('oem');
    expect(await found({ [name]: cells, bar: NUMBERS })).toMatchObject({ oem: 'bar?' });
  });

  test.each([
    ['Nominal', ['10uF', '100nF', '4k7', '470R', '2u2/50V', '16MHz', '1M', '0.1uF']],
    ['Part', ['10uF', '100nF', '4.7k', '470R', '22pF 50V', '10k 1%', '1uH', '33Ω']],
  ])('values of components: %s', async (name, cells) => {
    expect(await found({ [name]: cells })).not.toHaveProperty('oem');
  });

  test('values of plain parts may stand under the number, if the whole name says so', async () => {
    const plain = ['10uF', '100nF', '4k7', '470R', '2u2', '16MHz', '1M', 'TLP-627'];
    expect(await found({ 'Part no.': plain, Menge: ['1', '2', '1', '3', '1', '1', '1', '1'] })).toHaveProperty('oem');
  });

  test.each([
    ['Symbol', '.sym'],
    ['Drawing', '.SLDPRT'],
    ['foo', '.step'],
    ['Part', '.kicad_mod'],
  ])('files of drawings: %s', async (name, ending) => {
    expect(await found({ [name]: NUMBERS.map((number) => number + ending) })).not.toHaveProperty('oem');
  });

  test('numbers of makers that begin like cases or places are numbers', async () => {
    const like = [
      'RC0603FR-071KL',
      'CC0805KRX7R9BB104',
      'TO-8801',
      'SO4412',
      'C25117',
      'C0603C104K5RACTU',
      'SOT-1025',
      'DIP6-401K',
    ];
    expect(await found({ foo: like })).toEqual({ oem: 'foo?' });
    const filters = ['OC90', 'LX35', 'KL13', 'OX156', 'LA70', 'KX80', 'OC47', 'LX208'];
    expect(await found({ foo: filters })).toEqual({ oem: 'foo?' });
  });
});

describe("the maker's own number goes first", () => {
  test.each(['Part Detail', 'Teil', 'Деталь', 'Item'])(
    'though few rows have it, before words under a vague name: %s',
    async (name) => {
      const words = ['Rear left', 'Rear right', 'Front', 'Pair 2"', 'Bent', 'Front left', 'Rear left', 'Front'];
      const many = (cells: string[]) => Array.from({ length: 12 }, () => cells).flat();
      const list = { [name]: many(words), MFR: many(BRANDS), 'MFR Part #': NUMBERS, 'Part Name': many(TEXTS) };
      expect(await found(list)).toMatchObject({ oem: 'MFR Part #?' });
      expect(await found({ [name]: many(words) })).not.toHaveProperty('oem');
    },
  );

  test.each([
    ['Mouser Part Number', 'Mfr Part Number (new)'],
    ['DIGI-KEY_PART_NUMBER', 'MP'],
    ['LCSC Part #', 'Manufacturer PN'],
    ['Farnell no.', 'MPN'],
    ['RS Part No', 'Herst.-Nr.'],
    ['TME code', 'Nr producenta'],
    ['Conrad Bestellnummer', 'Herstellernummer'],
    ['Arrow part number', 'Maker part no'],
  ])('before that of a seller: %s, %s', async (sellers, makers) => {
    const own = NUMBERS.map((number, at) => `${603 + at}-${number}`);
    expect((await found({ [sellers]: own, MF: BRANDS, [makers]: NUMBERS }))['oem']?.replace('?', '')).toBe(makers);
    expect(await found({ [sellers]: own, MF: BRANDS, [makers]: only(NUMBERS, 3) })).toMatchObject({
      oem: `${makers}?`,
    });
    expect(await found({ [sellers]: own })).toEqual({ oem: `${sellers}?` });
  });

  test('also where no row has one yet, if nothing else is a number', async () => {
    const list = { Part: ['C1', 'C2', 'R1', 'R2', 'U1', 'U2', 'D1', 'J1'], MPN: only([], 0) };
    expect(await found(list)).toEqual({ oem: 'MPN?' });
    expect(await found({ ...list, foo: NUMBERS })).toEqual({ oem: 'foo?' });
  });
});

describe('a brand that says nothing of makers', () => {
  const makes = ['RENAULT', 'KIA', 'AUDI', 'FORD', 'KIA', 'OPEL', 'KIA', 'AUDI'];
  test.each([
    ['Бренд', ['', '', 'Б/У', '', 'УЦЕНКА', '', '', 'Б/У'], 'Марка'],
    ['Brand', ['used', '', '', 'used', '', '', '', ''], 'Make'],
    ['Hersteller', ['', 'gebraucht', '', '', '', '', '', 'gebraucht'], 'Lieferant'],
  ])('is doubted beside a full column of makers: %s', async (name, cells, other) => {
    const list = { [name]: cells, Article: NUMBERS };
    expect(await found({ ...list, [other]: makes })).toMatchObject({ brand: `${other}?` });
    expect(await found({ ...list, [other]: BRANDS.map(() => 'Motors Ltd') })).toMatchObject({ brand: name });
    expect(await found(list)).toMatchObject({ brand: name });
  });

  test('but not where its makers are only unknown, nor beside the makes of vehicles', async () => {
    const unknown = ['XINYI', 'Qualitech', 'XINYI', 'KORTEX', 'XINYI', 'Qualitech', 'KORTEX', 'XINYI'];
    expect(await found({ Бренд: unknown, Артикул: NUMBERS, Марка: makes })).toMatchObject({ brand: 'Бренд' });
  });
});

describe('a number that most rows leave empty', () => {
  test.each([
    ['Part Number', 'SKU'],
    ['OEM', 'Code'],
    ['Артикул', 'Код'],
  ])('is doubted beside a full column of numbers: %s, %s', async (name, other) => {
    const sparse = only(NUMBERS, 2);
    expect(await found({ [name]: sparse, Brand: BRANDS, [other]: NUMBERS })).toMatchObject({ oem: `${other}?` });
    expect(await found({ [name]: only(NUMBERS, 6), Brand: BRANDS, [other]: NUMBERS })).toMatchObject({ oem: name });
    expect(await found({ [name]: sparse, Brand: BRANDS, [other]: TEXTS })).toMatchObject({ oem: name });
  });
});

test.each(['foo', 'Productor', 'Datasheet'])(
  'one or two values of many are no numbers where the name is for none: %s',
  async (name) => {
    expect(await found({ [name]: only(['I3D', 'P-5/7'], 2), Name: TEXTS })).not.toHaveProperty('oem');
  },
);

describe('makers and numbers under other names', () => {
  test.each(['Provider', 'Proveedor', 'Anbieter'])('makers under %s', async (name) => {
    expect(await found({ [name]: BRANDS, Code: NUMBERS })).toEqual({ brand: `${name}?`, oem: 'Code?' });
  });

  test.each([
    ['CATALOG', 'CATALOG PART NUMBER'],
    ['Chip', 'Chip P/N'],
    ['Katalog', 'Katalog Artikelnummer'],
  ])('makers beside their numbers: %s, %s', async (makers, number) => {
    const names = ['Thorlabs', 'Navitar', 'Thorlabs', 'VEO', 'Thorlabs', 'CUSTOM', 'VEO', 'Thorlabs'];
    expect(await found({ [makers]: names, [number]: NUMBERS })).toMatchObject({ brand: `${makers}?` });
    expect(await found({ [makers]: names, foo: NUMBERS })).not.toHaveProperty('brand', `${makers}?`);
  });

  test('numbers under the id of an order, where they are no ids', async () => {
    expect(await found({ Manufacturer: BRANDS, 'Order ID': NUMBERS })).toMatchObject({ oem: 'Order ID?' });
    const ids = NUMBERS.map((_, at) => `${70_211 + at * 13}`);
    expect(await found({ Manufacturer: BRANDS, 'Order ID': ids })).not.toHaveProperty('oem');
  });

  test.each(['Descirption', 'Description', 'foo'])(
    'numbers under a name, beside what is described under %s',
    async (name) => {
      const list = { [name]: TEXTS, Name: NUMBERS, Manufacturer: BRANDS };
      expect(await found(list)).toMatchObject({ oem: 'Name?' });
      expect(await found({ ...list, MPN: NUMBERS })).toMatchObject({ oem: 'MPN' });
      expect(await found({ ...list, Name: TEXTS })).not.toHaveProperty('oem');
    },
  );

  test.each(['Designation', 'Name', 'Bezeichnung'])(
    'numbers under a name, where nothing else is a number: %s',
    async (name) => {
      const measures = { 'd [mm]': NUMBERS.map((_, at) => `${10 + at * 5}`), Menge: NUMBERS.map(() => '1') };
      expect(await found({ [name]: NUMBERS, ...measures })).toEqual({ oem: `${name}?` });
      expect(await found({ [name]: TEXTS, ...measures })).toEqual({ name });
    },
  );

  test.each(['Internal Reference', 'Internal part no.', 'Referencia interna'])(
    "numbers under a name go before the list's own code: %s",
    async (code) => {
      const own = NUMBERS.map((_, at) => `${200_001 + at * 7}`);
      const list = { [code]: own, Manufacturer: BRANDS };
      expect(await found({ ...list, Name: NUMBERS })).toMatchObject({ oem: 'Name?' });
      expect(await found({ ...list, Name: TEXTS })).toMatchObject({ oem: `${code}?`, name: 'Name' });
    },
  );

  test.each(['ID', 'Identyfikator', 'Identifiant', 'Идентификатор', 'Azonosító'])(
    'ids of records go behind what looks like numbers: %s',
    async (name) => {
      const ids = NUMBERS.map((_, at) => `MX-${7_013 + at * 13}`);
      expect(await found({ [name]: ids, Manufacturer: BRANDS, foo: NUMBERS })).toMatchObject({ oem: 'foo?' });
    },
  );

  test.each(['Reference sheet of the drawings', 'Catalogue page', 'Katalogseite', 'Page no.'])(
    'a place in a document is no number: %s',
    async (name) => {
      expect(await found({ [name]: NUMBERS, Part: TEXTS })).not.toHaveProperty('oem', `${name}?`);
    },
  );

  test.each(['SKOD', 'Stok Kod', 'STOKKOD', 'Kod'])('codes of digits under %s, without a brand', async (name) => {
    const codes = ['02-1000', '02-1001', '02-1003', '02-1100', '02-1201', '02-1300', '02-1301', '02-1400'];
    expect(await found({ [name]: codes, 'ÜRÜN ADI': TEXTS })).toMatchObject({ oem: `${name}?` });
  });

  test.each(['ΚΩΔΙΚΟΣ', 'Код', 'Kod'])(
    'a code that is the barcode in most rows, where nothing else is a number: %s',
    async (name) => {
      const codes = [
        '4006381333931',
        '5901234123457',
        '9780201379624',
        '0012345678905',
        '5203014002625',
        '06-118',
        '06-121',
        '06-204',
      ];
      expect(await found({ [name]: codes, Περιγραφή: TEXTS })).toMatchObject({ oem: `${name}?` });
      expect(await found({ [name]: codes, EAN: codes, Περιγραφή: TEXTS })).not.toHaveProperty('oem');
    },
  );

  test('numbers under the maker, where links stand under the number', async () => {
    const links = NUMBERS.map((number) => `https://shop.example/${number}`);
    const list = { Manufacturer: NUMBERS, 'Manufacturer PN': links };
    expect(await found(list)).toEqual({ oem: 'Manufacturer?' });
  });

  test('a model is the number before what comes again and again under an unknown name', async () => {
    const list = {
      Código: ['MB-1', 'MB-2', 'MB-3', 'MB-4', 'MB-5', 'MB-6', 'MB-7', 'MB-8'],
      Modelo: ['P4S800D-X', 'G41T-M7', 'OPT-380', 'L-A780', 'ACC1800N', 'NM70-I', 'G41T-M7', 'H61M-K'],
      Memória: ['DDR', 'DDR3', 'DDR2', 'DDR3', 'DDR3L', 'DDR3', 'DDR3', 'DDR3'],
    };
    expect(await found(list)).toMatchObject({ oem: 'Modelo?' });
  });
});
