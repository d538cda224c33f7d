import { expect, test } from 'vitest';
import { isDate, isFormula, isFormulaError, isScientific } from '../../src/values/spreadsheet.ts';

test.each([
  '01.03.2026',
  '1/3/2026',
  '12/31/2026',
  '2026-03-01',
  '2026-03-01 00:00:00',
  '1-Mar',
  'Mar-26',
  'мар.26',
  '01 янв 2026',
])('%s is a date', (number) => expect(isDate(number)).toBe(true));

test.each([
  '0 986 424 797',
  '13.0460.12',
  '1-234-567',
  '12/2026',
  'W 712/75',
  '7700-274-177',
  '45.13.2026',
  'MARK-12',
  '99.12.2026',
  '03.2026',
])('%s is a number', (number) => expect(isDate(number)).toBe(false));

test('numbers that were shortened', () => {
  expect(['1,23E+11', '1.23457E+11', '5E-07', '-2E+10'].every(isScientific)).toBe(true);
  expect(['12E5', '1E5', 'E+11', '1,2E+1234', '4E0 121'].some(isScientific)).toBe(false);
});

test('formulas that failed, in several languages', () => {
  const errors = ['#REF!', '#N/A', '#NAME?', '#DIV/0!', '#value!', '#BEZUG!', '#NV', '#ССЫЛКА!', '#Н/Д', '########'];
  expect(errors.filter((cell) => !isFormulaError(cell))).toEqual([]);
  expect(['#1', '#', '##', 'REF!', '#12 wire', '#N', 'a #REF!'].filter(isFormulaError)).toEqual([]);
});

test('formulas in place of their values', () => {
  const formulas = [
    '=VLOOKUP(A2;Preise!B:C;2;0)',
    '=СЦЕПИТЬ(A2;B2)',
    '=A12',
    '=$B$3&"-"&C3',
    "='Price list'!B2",
    '=HYPERLINK("https://parts.example/0986',
    '=IF(A2>0,B2,"")',
  ];
  expect(formulas.filter((cell) => !isFormula(cell, false))).toEqual([]);
  expect(['=ABC-12', '=0012', '= B12', '="AB'].filter((cell) => !isFormula(cell, true))).toEqual([]);
  expect(['=> for trucks', '== new ==', '=', '=–=', 'A=B2'].filter((cell) => isFormula(cell, false))).toEqual([]);
});
