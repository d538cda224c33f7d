import { describe, expect, test } from 'vitest';
import { commonDecimals, findWraps, unwrapHeader } from '../../../src/detect/table/wraps.ts';

/** Rows of a brand and each of these cells. */
function rowsOf(cells: string[]): string[][] {
  return cells.map((cell) => ['BOSCH', cell]);
}

function columnOf(cells: string[]) {
  return findWraps(rowsOf(cells)).columns.find(({ position }) => position === 2);
}

const NUMBERS = Array.from({ length: 20 }, (_, at) => `00${at}12`);

describe('apostrophes', () => {
  test('are no part of the values where nine of ten have them', () => {
    expect(columnOf(NUMBERS.map((number, at) => (at < 18 ? `'${number}` : number)))).toMatchObject({
      apostrophe: true,
    });
  });

  test.each([1, 2, 17])('stay where only %i of 20 have them', (count) => {
    expect(columnOf(NUMBERS.map((number, at) => (at < count ? `'${number}` : number)))).toBeUndefined();
  });

  test('empty cells and totals say nothing', () => {
    const rows = [...rowsOf(["'1", '', "'2", "'3"]), ['Total: 3', '']];
    expect(findWraps(rows).columns).toMatchObject([{ position: 2, apostrophe: true }]);
  });
});

describe('what is written for an apostrophe', () => {
  test.each(['’', '´', '`', '='])('%s is no part of the values where nine of ten have it', (lead) => {
    expect(columnOf(NUMBERS.map((number, at) => (at < 18 ? lead + number : number)))).toMatchObject({ lead });
  });

  test('an equals sign stays before what is computed', () => {
    expect(columnOf(NUMBERS.map((_, at) => `=A${at + 1}`))).toBeUndefined();
    expect(columnOf(NUMBERS.map((number) => `=${number}*2`))).toBeUndefined();
    expect(columnOf(NUMBERS.map((number) => `=SUM(${number})`))).toBeUndefined();
  });
});

describe('quotes around some values of a column', () => {
  test.each([
    ['"', '"'],
    ['«', '»'],
    ['“', '”'],
  ])('%s %s are no part of them', (open, close) => {
    const cells = NUMBERS.map((number, at) => (at % 5 === 0 ? open + number + close : number));
    expect(columnOf(cells)).toMatchObject({ pair: [open, close] });
  });

  test('stay around one value, and brackets and the signs of inches stay', () => {
    expect(columnOf(NUMBERS.map((number, at) => (at === 3 ? `"${number}"` : number)))).toBeUndefined();
    expect(columnOf(NUMBERS.map((number, at) => (at < 5 ? `[${number}]` : number)))).toBeUndefined();
    expect(columnOf(NUMBERS.map((_, at) => `${at} 5"`))).toBeUndefined();
  });
});

describe('pairs', () => {
  test.each([
    ['«', '»'],
    ['“', '”'],
    ['„', '“'],
    ['""', '""'],
    ['[', ']'],
    ['(', ')'],
    ['"', '"'],
    ['*', '*'],
    ['**', '**'],
  ])('%s %s around all cells of a column are no part of them', (open, close) => {
    expect(columnOf(NUMBERS.map((number) => open + number + close))).toMatchObject({ pair: [open, close] });
  });

  test('stay where one cell has none', () => {
    expect(columnOf([...NUMBERS.map((number) => `[${number}]`), 'A1'])).toBeUndefined();
  });

  test('stay where they do not stand around the whole cell', () => {
    expect(columnOf(['[A] x [B]', '[A] [B]', '[C][D]', '[E] [F]'])).toBeUndefined();
  });

  test('of two cells count only where all columns have them', () => {
    expect(columnOf(['[1]', '[2]'])).toBeUndefined();
    expect(findWraps([['[BOSCH]', '[1]']]).columns).toMatchObject([{ position: 1 }, { position: 2 }]);
  });

  test('of a header go with it, also above plain values', () => {
    expect(unwrapHeader(['[Brand]', '[Oem]', ''], { backslashes: false, columns: [] })).toEqual(['Brand', 'Oem', '']);
    expect(unwrapHeader(['[Brand]', 'Oem'], { backslashes: false, columns: [] })).toEqual(['[Brand]', 'Oem']);
  });
});

describe('backslashes', () => {
  const isDatabase = (...cells: string[]) => findWraps(rowsOf(cells)).backslashes;

  test.each([
    [String.raw`\N`],
    [String.raw`a \"x\"`],
    [String.raw`A\\B`, String.raw`C\\D`],
    ['a\\nb', 'c\\nd', 'e\\tf'],
  ])('are those of a database: %j', (...cells) => {
    expect(isDatabase('plain', ...cells)).toBe(true);
  });

  test.each([
    [String.raw`img\new.jpg`, String.raw`img\top.jpg`, String.raw`img\nut.jpg`],
    [String.raw`C:\new`, String.raw`\N`],
    [String.raw`A\B`, String.raw`\N`],
    [String.raw`\\server\new`],
    [String.raw`one \n`],
    ['ends with \\'],
  ])('are part of the values: %j', (...cells) => {
    expect(isDatabase(...cells)).toBe(false);
  });
});

describe('decimals', () => {
  test.each([
    [['986478868.0', '826704.0', 'BKR6EK'], '.0'],
    [['986478868,0', '826704,0'], ',0'],
    [NUMBERS.map((number) => `${number}.0`), '.0'],
    [NUMBERS.map((number) => `${number}.00`), '.00'],
    [[...Array.from({ length: 9 }, (_, at) => `9864788${at}.0`), '826704'], '.0'],
  ])('behind each number of an export say nothing', (cells, decimals) => {
    expect(commonDecimals(cells)).toBe(decimals);
  });

  test.each([
    [['986478868.0', '826704']],
    [['986478868.0', '826704.5']],
    [[...Array.from({ length: 9 }, (_, at) => `9864788${at}.0`), '826704.5']],
    [['986478868.0']],
    [['1.0', '2.0', '3.0']],
    [['BKR6EK', 'A1.0']],
    [['12.0', '13.0', '120.0']],
    [[]],
  ])('of %j are part of the numbers', (cells) => {
    expect(commonDecimals(cells)).toBeNull();
  });
});
