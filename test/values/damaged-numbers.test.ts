import { expect, test } from 'vitest';
import { damageOf, genuineShapes, shapeOf } from '../../src/values/damaged-numbers.ts';

const genuine = (numbers: string[]) => genuineShapes(numbers, { hasDates: false });

test.each([
  ['01.03.2026', 'date'],
  ['2026-03-04T00:00:00.000Z', 'date'],
  ['2026-03-04 22:00:00', 'date'],
  ['3/4/2026 12:00:00 AM', 'date'],
  ['2026/3/4', 'date'],
  ['2026. 03. 04.', 'date'],
  ['2026年3月4日', 'date'],
  ['3월 4일', 'date'],
  ['4-Mar', 'date'],
  ['04. Mrz', 'date'],
  ['04.мар', 'date'],
  ['Wed Mar 04 2026 00:00:00 GMT+0100 (CET)', 'date'],
  ['1.20E+06', 'power'],
  ['9,86E+11', 'power'],
  ['1E+05', 'power'],
  ['1.23456789012E11', 'power'],
  ['1.2E+6', 'power'],
  ['12345678901234600000', 'digits'],
  ['1234567890123450', 'digits'],
  ['A 123 [Comment: sold out]', 'comment'],
  ['0986424797 Примечание: снят', 'comment'],
  ['4589 Restposten', 'comment'],
  ['4589 (распродажа)', 'comment'],
  ['A 12 sold out!', 'comment'],
  ['02858-021 (10 pcs)', 'comment'],
  ['601000499AADQJ#Б/У', 'comment'],
])('%s was a number: %s', (number, damage) => expect(damageOf(number)).toBe(damage));

test.each(
  (
    '0 986 424 797|1-2-3|12-3|12E5|1E5|1E-5|5E2|1.5E2|13.0460.12|W 712/75|12.03.26|1/2/34|MARK-12|12-ABC|2026-13-45|1234567890123456|' +
    '0001234567890123450|000000000012345670|N/A-12|A:1|1:2|11.42.7788|03.2026|5-SET|MAY|MAR-12|APR 1234|20-DECK'
  ).split('|'),
)('%s is a number', (number) => expect(damageOf(number)).toBeNull());

test('shapes forget which digits and letters a number has', () => {
  expect(shapeOf('12.03.2004')).toBe(shapeOf('47.11.1999'));
  expect(shapeOf('1-Mar')).toBe(shapeOf('7-Set'));
  expect(shapeOf('1-Mar')).not.toBe(shapeOf('1-MAR'));
  expect(shapeOf('1,2E+11')).toBe(shapeOf('3,4F+11'));
});

test('numbers that are written as their column is are no dates', () => {
  const others = Array.from({ length: 30 }, (_, at) => `${40 + at}.${13 + at}.77${10 + at}`);
  expect(genuine([...others, '12.03.2004'])).toEqual([shapeOf('12.03.2004')]);
  expect(genuine(['12-ABC', '14-MAR', '15-XYZ'])).toEqual([shapeOf('14-MAR')]);
  expect(genuine(['2F-07', '3A-11', '5E-07'])).toEqual([shapeOf('5E-07')]);
});

test('a prefix that is a month is a prefix', () => {
  expect(genuine(['1-May', '2-May', '3-May', '4-May', '5-May', 'A 1'])).toEqual([shapeOf('1-May')]);
  expect(genuine(['1-May', '2-Jun', '3-May', '4-May', '5-May', 'A 1'])).toEqual([]);
});

test('nor are a whole column of different ones', () => {
  const numbers = Array.from({ length: 28 }, (_, at) => `${at + 1}.${(at % 12) + 1}.20${10 + at}`);
  expect(genuine(numbers)).toEqual([shapeOf('01.03.2026')]);
  expect(genuine(numbers.slice(0, 4))).toEqual([]);
});

test('dates of workbooks are no numbers, however many', () => {
  const dates = Array.from({ length: 28 }, (_, at) => `${1990 + at}-03-${String(at + 1).padStart(2, '0')}`);
  expect(genuine(dates)).toEqual([shapeOf('2026-03-04')]);
  expect(genuineShapes(dates, { hasDates: true })).toEqual([]);
});

test('dates of one year or two are no numbers: spreadsheets make them of a day and a month', () => {
  const dates = Array.from({ length: 12 }, (_, at) => `12.${String(at + 1).padStart(2, '0')}.2026`);
  expect(genuine(dates)).toEqual([]);
  expect(genuine([...dates, '01.02.2025'])).toEqual([]);
});

test('single dates among other numbers are damage', () => {
  const others = Array.from({ length: 100 }, (_, at) => `0 986 424 ${100 + at}`);
  expect(genuine([...others, '01.03.2026', '4-Mar', '9,86E+11', '1234567890123450'])).toEqual([]);
});
