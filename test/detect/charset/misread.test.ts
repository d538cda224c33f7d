import { expect, test } from 'vitest';
import { CANDIDATES } from '../../../src/detect/charset/charsets.ts';
import { misreadCharacter } from '../../../src/detect/charset/misread.ts';

const candidate = (charset: string) => CANDIDATES.find((one) => one.charset === charset)!;

test.each([
  ['macintosh', ['bl˛rebuss', 'n˛røysund', 'høyre', 'kjøler'], '˛'],
  ['macintosh', ['tπekki', 'πampoo', 'säiliö'], 'π'],
])('%s makes nonsense of %j', (charset, words, misread) => {
  expect(misreadCharacter(words, candidate(charset))).toBe(misread);
});

test.each([
  ['macintosh', ['blærebuss', 'nærøysund', 'høyre']],
  ['windows-1252', ['Größe', 'Crème', 'Citroën', 'Ø18cm', '5½"', 'Pro®', 'Men´s', 'Kid´s', '1ºPISO', '2ºB', 'façade']],
  ['windows-1250', ['şurub', 'roşu', 'ştergător', 'łożysko', 'příliš']],
  ['windows-1251', ['Фильтр', 'объём', 'ґудзик', 'їжак', '№5', '«Bosch»']],
])('%s makes none of %j', (charset, words) => {
  expect(misreadCharacter(words, candidate(charset))).toBeUndefined();
});

test('one odd word says nothing', () => {
  expect(misreadCharacter(['bl˛rebuss', 'høyre'], candidate('macintosh'))).toBeUndefined();
});
