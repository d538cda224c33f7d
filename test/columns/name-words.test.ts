import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameWords } from '../../src/columns/name-words.ts';

test.each([
  ['Код 1С', ['код', '1', 'с']],
  ['Manufacturer/Supplier', ['manufacturer', 'supplier']],
  ['CodVen', ['cod', 'ven']],
  ['OEMNumber', ['oem', 'number']],
  ['ARTIKELNR', ['artikelnr']],
  ['part_no2', ['part', 'no', '2']],
  ['Price (EUR)', ['price', 'eur']],
  ['№ детали', ['no', 'детали']],
  ['Part #', ['part', 'no']],
  ["Codice dell'articolo", ['codice', 'dell', 'articolo']],
  ['Référence', ['reference']],
  ['Číslo dílu', ['cislo', 'dilu']],
  ['Назва й ціна', ['назва', 'и', 'ціна']],
  ['Größe', ['grosse']],
  ['ΚΩΔΙΚΟΣ', ['κωδικος']],
  ['商品コード', ['商', '品', 'コ', 'ー', 'ド']],
  ['브랜드', ['브랜드']],
  ['رقم القطعة', ['رقم', 'القطعة']],
  ['ยี่ห้อ สินค้า', ['ยี่ห้อ', 'สินค้า']],
  [' - / ', []],
])('the words of %j', (cell, words) => {
  expect(nameWords(cell)).toEqual(words);
});

test('words are folded: their own words are themselves', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (cell) => {
      for (const word of nameWords(cell)) expect(nameWords(word).join('')).toBe(word);
    }),
  );
});
