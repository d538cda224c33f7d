import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeaderSetting } from '../../../src/config/schema/feed-settings.ts';
import { findHeader, type Header } from '../../../src/detect/header/find-header.ts';
import { knownNames } from '../../../src/detect/table/header-names.ts';
import { cutTable } from '../../../src/detect/table/table.ts';

const NAMES = knownNames();
const LAYOUT = { delimiter: ';', quote: '"', escape: '"' };
const PARTS = [
  'BOSCH;0986452041;Oil filter;4.50;12',
  'ATE;13.0460-2782.2;Brake pads;31,20;>10',
  'SKF;VKBA 3643;Bearing;88;',
];
/** Twelve rows of brand, number, name, price and quantity. */
const DATA = Array.from({ length: 12 }, (_, at) => PARTS[at % 3]!.replace(';', `;${at}`));

function find(lines: string[], hint: HeaderSetting = 'auto'): Header {
  const { rows } = cutTable(lines.join('\n'), LAYOUT, 400);
  const widths = rows.map(({ cells }) => cells.length).sort((a, b) => a - b);
  return findHeader(rows, widths[Math.floor(widths.length / 2)] ?? 1, NAMES, hint);
}

describe('the header', () => {
  test.each([
    ['padded to the width of the table', ['Parts Ltd.;;;;', ';;;;', 'Date:;04.05.2026;;;', 'Currency;EUR;;;']],
    ['with a cell at the end', ['Parts Ltd.;;;;04.05.2026', 'Customer;;;;10442']],
    ['of few cells', ['Parts Ltd.', 'Date;2026-05-04', 'Rate;92,5']],
    ['with names of the trade', ['Supplier:;Parts Ltd.;;;', 'Price;without VAT;;;', 'Delivery;3 days;;;']],
  ])('is found below lines %s', (_, above) => {
    const header = ['Manufacturer/Supplier', 'CodVen', 'Name of part', 'Price (EUR)', 'Qty 1'];
    expect(find([...above, header.join(';'), ...DATA])).toMatchObject({
      names: header,
      line: above.length + 1,
      sure: true,
    });
  });

  test.each<HeaderSetting>(['auto', true, 1])('has no cell for a column that counts the rows, found by %s', (hint) => {
    const header = ['brand', 'number', 'name', 'price', 'stock'];
    const counted = DATA.map((line, at) => `${at + 1};${line}`);
    const found = find([header.join(';'), ...counted], hint);
    expect(found).toMatchObject({ names: ['', ...header], line: 1, sure: true });
    expect(found.evidence).toContain('no cell for the first column');
  });

  test.each([
    ['a count from elsewhere', (at: number) => `${at + 5}`],
    ['a gap', (at: number) => `${at + 1 + Math.floor(at / 6)}`],
    ['zeros before it', (at: number) => `0${at + 1}`],
  ])('is not shifted beside a column with %s', (_, count) => {
    const header = ['brand', 'number', 'name', 'price', 'stock'];
    const rows = DATA.map((line, at) => `${count(at)};${line}`);
    expect(find([header.join(';'), ...rows]).names).toEqual(header);
    expect(find([`no;${header.join(';')}`, ...rows]).names).toEqual(['no', ...header]);
  });

  test('is in the line that the settings name, whatever else looks like one', () => {
    const above = ['brand;oem;name;price;stock', 'BOSCH;1;Oil filter;4.50;12', ''];
    expect(find([...above, 'Qa; Qb ;Qc;;Qe', ...DATA], 4)).toEqual({
      names: ['Qa', 'Qb', 'Qc', '', 'Qe'],
      line: 4,
      sure: true,
      evidence: 'Line 4 is the header: the header is set to it.',
    });
    expect(find(['"brand', 'of part";oem', 'A;1', 'B;2'], 3)).toMatchObject({ names: ['A', '1'], line: 3 });
    for (const line of [3, 99])
      expect(find([...above, ...DATA], line)).toMatchObject({
        names: null,
        sure: false,
        evidence: expect.stringContaining('It is not certain what is meant: no row begins there.') as string,
      });
  });

  test('is found 25 lines down', () => {
    const above = Array.from({ length: 25 }, (_, at) => `Condition ${at};;;;`);
    expect(find([...above, 'brand;oem;name;price;stock', ...DATA])).toMatchObject({ line: 26, sure: true });
  });

  test('is found by words of its names and by what is below it', () => {
    expect(find(['Código 1C;Marca del fab.;Nombre;PVP (EUR);Uds.', ...DATA])).toMatchObject({ line: 1, sure: true });
    expect(find(['foo;bar;baz;qux;quux', ...DATA])).toMatchObject({ line: 1, sure: true });
  });

  test('may have years, numbers of warehouses and amounts for names', () => {
    const rows = DATA.map((row, at) => `${row};${at * 7};${at};${at + 3}`);
    expect(find(['brand;oem;name;price;stock;2024;2025;2026', ...rows])).toMatchObject({ line: 1, sure: true });
    expect(find(['brand;oem;name;price;stock;101;102;WH3', ...rows])).toMatchObject({ line: 1, sure: true });
    expect(find(['brand;oem;name;price;stock;500 g;100 g;50 g', ...rows])).toMatchObject({ line: 1, sure: true });
  });

  test('is the first of those on each page', () => {
    const header = 'brand;oem;name;price;stock';
    expect(find(['Page 1;;;;', header, ...DATA, header, ...DATA])).toMatchObject({ line: 2, sure: true });
  });

  test('is above the headings of groups', () => {
    const rows = DATA.flatMap((row, at) => (at % 2 === 0 ? ['Brakes;;;;', row] : [row]));
    expect(find(['foo;bar;baz;qux;quux', '', ...rows])).toMatchObject({ line: 1, sure: true });
  });

  test('may have a blank after each delimiter, as no other row', () => {
    expect(find(['brand; oem; name; price; stock', ...DATA])).toMatchObject({ line: 1, sure: true });
  });
});

describe('a row that names columns is the header, whatever else is in it', () => {
  const wide = DATA.map((row, at) => `${row};${at};${at * 3};x`);

  test.each([
    ['labels with a colon', 'Brand:;OEM:;Name:;Price:;Stock:;Weight:;Group:;Year:'],
    [
      'labels with a colon whose names are only known by a word',
      'Inventory Item Id:;Inv Item Name:;Unit Price:;In Stock:',
    ],
    ['names of attributes', 'brand;oem;name;price;Attr: colour;Attr: length;Attr: weight;Attr: side'],
    ['fields of a shop', 'SKU;Brand;Name;Price;Meta: _a;Meta: _b;Meta: _c;Meta: _d'],
    [
      'names that a program made up',
      'Marke;Artikelnummer;Unnamed: 2;Unnamed: 3;Unnamed: 4;Unnamed: 5;Unnamed: 6;Unnamed: 7',
    ],
    ['dates', 'Бренд;Артикул;Наименование;01.06.2026;01.07.2026;01.08.2026;01.09.2026;01.10.2026'],
    [
      'links and addresses',
      'Brand;Part number;Name;https://example.org/1;www.example.org;a@example.org;b@example.org;Unit',
    ],
    ['nothing', 'brand;oem;;;;;;'],
  ])('%s', (_, header) => {
    expect(find([header, ...wide])).toMatchObject({ names: header.split(';'), line: 1, sure: true });
  });

  test('long texts', () => {
    const long = 'Recommended retail price including taxes, valid until revoked, in the currency: ';
    const header = [
      'Brand',
      'Part number',
      'Name',
      `${long} EUR`,
      `${long} USD`,
      `${long} GBP`,
      `${long} PLN`,
      'Stock',
    ];
    expect(find([header.join(';'), ...wide])).toMatchObject({ names: header, line: 1, sure: true });
  });

  test('above a single row that fills few of its columns', () => {
    const header = 'ID;MAKE;MODEL;YEAR;FUEL;PART NAME;PART NUMBER;PRICE;CURRENCY;DISCOUNT;CITY;PHONE';
    expect(find([header, 'S1;;;;;Pump;A 123 456;;;;;'])).toMatchObject({
      names: header.split(';'),
      line: 1,
      sure: true,
    });
  });

  test('in any of the first rows, by the names that the settings give', () => {
    const names = knownNames([['maker_x'], ['nr_y']], [['maker_x'], ['nr_y']]);
    const above = Array.from({ length: 30 }, (_, at) => `Condition ${at};see;www.example.org;;;;;`);
    const { rows } = cutTable([...above, 'maker_x;nr_y;;;;;;', ...wide].join('\n'), LAYOUT, 400);
    expect(findHeader(rows, 8, names, 'auto')).toMatchObject({ line: 31, sure: true });
  });

  describe('above tables that stand beside each other', () => {
    const beside = Array.from({ length: 12 }, (_, at) => `KR-${2800 + at * 50};;${at + 2}PV ${3100 + at * 75};`);
    const above = ['Belts Ltd.;;;', 'Belts;;Prices without tax;'];
    const heading = 'Narrow EN 4711.1-90, 4711.2;;Wide EN 5822 1997-93;';

    test.each(['Item;Price;Item;Price', 'Обознач-е;Цена;Обознач-е;Цена', 'Наим-ие;Цена;Наим-ие;Цена'])(
      'whose names come again: %s',
      (header) => {
        const { line, names } = find([...above, header, heading, ...beside]);
        expect({ line, last: names?.at(-1) }).toEqual({ line: 3, last: `Prices without tax ${header.split(';')[1]!}` });
      },
    );

    test.each(['EUR;1;EUR;1', 'foo;bar;foo;bar'])('but not what is no name: %s', (row) => {
      expect(find([...above, row, heading, ...beside]).line).not.toBe(3);
    });
  });

  test('but not a row of labels with their values beside them', () => {
    const above = ['Supplier:;Parts Ltd.;Date:;04.05.2026;;;;', 'Price list:;7;Currency:;EUR;Date:;04.05.2026;;'];
    expect(find([...above, ...wide])).toMatchObject({ names: null, line: 3 });
  });
});

describe('a header of several rows', () => {
  const rows = DATA.map((row, at) => `${row};${at}`);

  test('joins titles and the names below them, and ends above the data', () => {
    const found = find(['Goods;;;Prices;;', 'brand;oem;name;net;retail;stock', ...rows]);
    expect(found).toMatchObject({ line: 2, sure: true });
    expect(find(['brand;oem;name;Price;;stock', ';;;opt 1;opt 2;', ...rows])).toMatchObject({
      names: ['brand', 'oem', 'name', 'Price opt 1', 'Price opt 2', 'stock'],
      line: 2,
    });
  });

  test('tells apart what its last row names alike', () => {
    const titles = ';;;Berlin;;Hamburg';
    expect(find([titles, 'brand;oem;name;stock;price;stock', ...rows]).names).toEqual([
      'brand',
      'oem',
      'name',
      'Berlin stock',
      'price',
      'Hamburg stock',
    ]);
  });

  test('joins names that are split, and takes their units along', () => {
    const split = find(['Brand;Part;Name;Price;Stock;Pack', ';number;;EUR;pcs;pcs', ...rows]);
    expect(split).toMatchObject({ names: ['Brand', 'Part number', 'Name', 'Price EUR', 'Stock', 'Pack'], line: 2 });
  });

  test('may be followed by the numbers of its columns, which are no names', () => {
    const names = ['brand', 'oem', 'name', 'price', 'stock', 'pack'];
    for (const numbers of ['1;2;3;4;5;6', '(1);(2);(3);(4);(5);(6)', 'A;B;C;D;E;F', '1;2;3;4;5;6 = 4 x 5']) {
      expect(find([names.join(';'), numbers, ...rows])).toMatchObject({ names, line: 1, sure: true });
    }
    const found = find(['brand;oem;name;price;stock;pack', '1;2;3;4;5;6', ...rows]);
    expect(found.evidence).toBe('Line 1 is the header: "brand", "oem", "name", "price", "stock" are known names.');
    expect(find(['brand;oem;name;price;stock;pack', '1;2;3;4;5;6', ...rows], false)).toMatchObject({ line: 3 });
  });

  test('joins two rows that complement each other, however long their names are', () => {
    const long = 'Name of the article in the catalogue of the manufacturer and its supplier';
    expect(find([`Manufacturer;;${long};;Stock;`, ';Part number;;Price;;Weight', ...rows])).toMatchObject({
      names: ['Manufacturer', 'Part number', long, 'Price', 'Stock', 'Weight'],
      line: 2,
      sure: true,
    });
  });
});

describe('without a header', () => {
  test('the data begin below what does not look like them', () => {
    const above = ['Parts Ltd.;;;;', 'Date;04.05.2026;;;', 'Rate;92,5;;;'];
    expect(find([...above, ...DATA])).toMatchObject({ names: null, line: 4, sure: true });
    expect(find(DATA)).toMatchObject({ names: null, line: 1, sure: true });
  });

  test('rows with gaps, words instead of prices and unknown brands are data', () => {
    const odd = ['NEW;A 100;;call;', 'NEW;0 986 452 041;Sensor;on request;5', ';77410;Belt;9,90;', ...DATA];
    expect(find(odd)).toMatchObject({ names: null, line: 1 });
    expect(find(odd, false)).toMatchObject({ line: 1 });
  });

  test('a header is no offer, whatever the settings say', () => {
    expect(find(['Parts Ltd.;;;;', 'brand;oem;name;price;stock', ...DATA], false)).toMatchObject({
      names: null,
      line: 3,
    });
    expect(find(['foo;bar;baz;qux;quux', ...DATA], false)).toMatchObject({ names: null, line: 2 });
  });

  test('texts over texts are not decided', () => {
    const found = find(['one;uno', 'two;due', 'three;tre', 'four;quattro', 'five;cinque']);
    expect(found).toMatchObject({ names: null, line: 1, sure: false });
    expect(found.evidence).toBe(
      'No row looks like a header. It is not certain that line 1 is a row of data. The data begin in line 1.',
    );
  });
});

test('two rows that both may be the header are not decided', () => {
  const found = find(['name;price;stock;brand;oem', 'Brakes;;;;', 'brand;oem;name;price;stock', ...DATA]);
  expect(found.sure).toBe(false);
  expect(found.evidence).toContain('This is not certain');
});

test('names in an introduction are not decided', () => {
  expect(find(['Currency;EUR;;;', 'Customer:;10442;;;', 'Rate;92,5;;;', ...DATA])).toMatchObject({
    line: 4,
    sure: true,
  });
  const pairs = DATA.map((row) => row.split(';').slice(0, 2).join(';'));
  expect(find(['Currency;Price', 'Rate;EUR', 'Until:;04.05.2026', ...pairs])).toMatchObject({ sure: false });
});

test('the header set to true is a row even where nothing looks like one', () => {
  expect(find(DATA, true)).toMatchObject({ line: 1, sure: true, names: DATA[0]!.split(';') });
});

const line = fc.constantFrom(
  '',
  'Parts Ltd.',
  'Price list of 4 May',
  'Date;04.05.2026',
  'Customer:;;10442',
  ';;Berlin',
);
const name = fc.constantFrom('Marke', 'OEM Number', 'Цена, руб.', 'Stoc', 'Nazwa towaru', 'foo', 'bar 2', 'x_y');

test('below any introduction, no row of it is the header or an offer', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 20 }),
      fc.uniqueArray(name, { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      (above, names, isPadded) => {
        const pad = (text: string) => (isPadded ? text + ';'.repeat(5 - text.split(';').length) : text);
        expect(find([...above.map(pad), names.join(';'), ...DATA])).toMatchObject({ names, line: above.length + 1 });
        const data = find([...above.map(pad), ...DATA]);
        expect(data.line).toBe(above.length + 1);
      },
    ),
  );
});
