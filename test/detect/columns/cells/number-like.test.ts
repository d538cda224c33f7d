import { describe, expect, test } from 'vitest';
import {
  isImpossibleDate,
  isPartNumber,
  isRecordId,
  unitOf,
} from '../../../../src/detect/columns/cells/number-like.ts';

describe('a part number', () => {
  test.each(['0986452041', 'GDB1330', '13.0460-2782.2', 'VKBA 3643', 'W 712/75', '10.38.378', 'ОС90'])('%s', (cell) =>
    expect(isPartNumber(cell)).toBe(true),
  );

  test.each([
    ['a price', '12.50'],
    ['a count', '120'],
    ['a date', '04.05.2026'],
    ['a barcode', '4006381333931'],
    ['a UUID', 'f517e382-1b2c-4d5e-8f90-1ce6b2c60fdd'],
    ['an object id', '507f1f77bcf86cd799439011'],
    ['a word', 'Oil filter'],
  ])('is not %s: %s', (_, cell) => expect(isPartNumber(cell)).toBe(false));

  test('may look like a date where the column has other such numbers', () => {
    expect(isPartNumber('10.05.21', true)).toBe(true);
    expect(['10.38.378', '10.00.041', '32.13.99'].filter(isImpossibleDate)).toHaveLength(3);
    expect(['04.05.2026', '5/31/26', '31-12-2026', '1.0460-2782'].filter(isImpossibleDate)).toEqual([]);
  });
});

test('ids of records are told by their form', () => {
  expect(['F517E382-1B2C-4D5E-8F90-1CE6B2C60FDD', '{f517e382-1b2c-4d5e-8f90-1ce6b2c60fdd}'].every(isRecordId)).toBe(
    true,
  );
  expect(['0986452041', 'deadbeef', '1234567890123456789012345678901'].some(isRecordId)).toBe(false);
});

test.each([
  ['8 лет', 'лет'],
  ['500 ml', 'ml'],
  ['1,5l', 'l'],
  ['12 pcs', 'pcs'],
  ['> 3 years', 'years'],
  ['10 KG', 'kg'],
  ['500 A', null],
  ['1234a', null],
  ['986', null],
])('the unit of %s is %s', (cell, unit) => expect(unitOf(cell)).toBe(unit));
