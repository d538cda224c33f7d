import { assert, bigInt, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { plainNumber, sheetNumber, zeroFilled } from '../../src/tables/plain-number.ts';

test('exponents become digits, other numbers stay as they are written', () => {
  expect(plainNumber('1.0E+10')).toBe('10000000000');
  expect(plainNumber('-1.50e1')).toBe('-15');
  expect(plainNumber('123.456e-5')).toBe('0.00123456');
  expect(plainNumber('0e5')).toBe('0');
  expect(plainNumber('12.50')).toBe('12.50');
  expect(plainNumber('0012')).toBe('0012');
  expect(plainNumber('1e500')).toBe('1e500');
  expect(plainNumber('e5')).toBe('e5');
  expect(plainNumber('A1')).toBe('A1');
});

test('digits and power make the number that they stand for', () => {
  assert(
    property(tuple(bigInt(), integer({ min: 0, max: 60 })), ([digits, power]) => {
      expect(plainNumber(`${digits}e${power}`)).toBe(String(digits * 10n ** BigInt(power)));
      expect(plainNumber(`${digits}${'0'.repeat(power)}e-${power}`)).toBe(String(digits));
    }),
  );
});

test('numbers of a sheet have up to 15 digits', () => {
  expect(sheetNumber('0.30000000000000004')).toBe('0.3');
  expect(sheetNumber('4047024')).toBe('4047024');
  expect(sheetNumber('1.2345E-7')).toBe('0.00000012345');
  expect(sheetNumber('12345678901234567890')).toBe('12345678901234600000');
  expect(sheetNumber('1e999')).toBe('1e999');
  expect(sheetNumber('')).toBe('');
  expect(sheetNumber('.')).toBe('.');
});

test('zeros of a format fill up, other formats carry no meaning', () => {
  expect(zeroFilled('123', '0000000')).toBe('0000123');
  expect(zeroFilled('986424797', '0\\ 000\\ 000\\ 000')).toBe('0 986 424 797');
  expect(zeroFilled('123456', '000"-"000;[Red]-0')).toBe('123-456');
  expect(zeroFilled('1234567', '000-000')).toBe('1234-567');
  expect(zeroFilled('5', '0')).toBeNull();
  expect(zeroFilled('5', '0.00')).toBeNull();
  expect(zeroFilled('5000', '#,##0')).toBeNull();
  expect(zeroFilled('12.5', '0000')).toBeNull();
  expect(zeroFilled('-5', '0000')).toBeNull();
});
