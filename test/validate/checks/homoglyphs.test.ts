import { expect, test } from 'vitest';
import { unmixAlphabets } from '../../../src/validate/checks/homoglyphs.ts';

/** Latin text with the letters between braces written in Cyrillic. */
function mixed(text: string): string {
  const cyrillic: Record<string, string> = { A: 'А', B: 'В', C: 'С', E: 'Е', H: 'Н', K: 'К', M: 'М', O: 'О', P: 'Р' };
  return text.replaceAll(/\{(\w)\}/g, (_, letter: string) => cyrillic[letter] ?? letter);
}

test.each([
  ['a Cyrillic letter in a Latin number', mixed('W{C}712'), null, 'WC712'],
  ['in the middle of several words', mixed('W 712 G{O}5'), null, 'W 712 GO5'],
  ['lower case', 'хg-12-сz', null, 'xg-12-cz'],
  ['Latin letters in a Cyrillic number', 'ГAЗ-5З', null, 'ГАЗ-5З'],
  ['the more frequent alphabet, when both are possible', mixed('AB{C}1'), null, 'ABC1'],
  ['the brand decides, when both are possible', mixed('{A}{B}C1'), 'BOSCH', 'ABC1'],
  ['a number that only looks Latin, of a Latin brand', mixed('{O}{C}90'), 'MANN', 'OC90'],
  ['also where the letters stand apart from the digits', mixed('{O}{C} 90'), 'MANN', 'OC 90'],
  ['a Latin letter that only Macedonian has a twin of', mixed('{B}{O}S{C}{H}'), null, 'BOSCH'],
])('%s', (_, text, brand, unmixed) => {
  expect(unmixAlphabets(text, brand)).toBe(unmixed);
});

test.each([
  ['Latin', 'W 712/75', 'MANN'],
  ['a Cyrillic number of a Cyrillic brand', mixed('{A}{K}12'), 'ЗИЛ'],
  ['a Cyrillic number with letters of its own', 'БЗ 12', 'BOSCH'],
  ['a Cyrillic word without digits', mixed('{C}{H}{P}'), 'BOSCH'],
  ['words of each alphabet', 'фильтр W712', 'MANN'],
  ['letters that look like none of the other alphabet on both sides', 'W712ФИЛЬТР', 'MANN'],
])('leaves alone: %s', (_, text, brand) => {
  expect(unmixAlphabets(text, brand)).toBeNull();
});
