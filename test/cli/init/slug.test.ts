import { expect, test } from 'vitest';
import { slug } from '../../../src/cli/init/slug.ts';

test.each([
  ['Прайс-лист Волга', 'prays-list-volga'],
  ['ОСТАТКИ', 'ostatki'],
  ['Объём щёток', 'obem-shchetok'],
  ['Объем щеток', 'obem-shchetok'],
  ['прайс'.normalize('NFD'), 'prays'],
  ['Київ ціни', 'kiyiv-tsini'],
  ['Ћуприја', 'cuprija'],
  ['Τιμοκατάλογος Αθηνών', 'timokatalogos-athinon'],
  ['Größen & Preise', 'grossen-preise'],
  ['Łódź', 'lodz'],
  ['Prețuri [nou]', 'preturi-nou'],
  ['Ødegård', 'odegard'],
  ['価格', ''],
])('%s is spelled %s', (text, spelled) => {
  expect(slug(text)).toBe(spelled);
});
