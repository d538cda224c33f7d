import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { MOJIBAKE, repairMojibake } from '../../../src/validate/checks/mojibake.ts';

/** UTF-8 read in a charset by mistake, as often as asked for. */
function garbled(text: string, charset: string, times = 1): string {
  const once = iconv.decode(Buffer.from(text), charset);
  return times === 1 ? once : garbled(once, charset, times - 1);
}

test.each([
  ['windows-1252', 'Bremsbeläge für Öl'],
  ['windows-1252', 'plaquettes arrière gauche'],
  ['windows-1251', 'Фильтр масляный'],
  ['iso-8859-1', 'Фильтр масляный, РЫЧАГ'],
  ['cp866', 'Колодки тормозные'],
  ['cp850', 'Kühler, Zündkerze'],
  ['windows-1252', 'don’t'],
  ['iso-8859-1', '“Oil” – №5, Castrol™, 5 €'],
  ['windows-1251', 'Фара СІРІ, ґрати, Ёж, їжак'],
])('%s: %s', (charset, text) => {
  const damaged = garbled(text, charset);
  expect(MOJIBAKE.test(damaged)).toBe(true);
  expect(repairMojibake(damaged)).toBe(text);
});

test('text that was garbled twice, beside text that was not', () => {
  expect(repairMojibake(garbled('Müller', 'iso-8859-1', 2))).toBe('Müller');
  expect(repairMojibake(`Ölfilter – ${garbled('Фильтр', 'windows-1252')} – €`)).toBe('Ölfilter – Фильтр – €');
});

test('what is lost already cannot be repaired', () => {
  expect(repairMojibake(garbled('Рычаг', 'windows-1252').slice(0, -1))).toBeNull();
  expect(repairMojibake('ФИЛЬТР Été, РС-12')).toBeNull();
});

test.each(['КИЛИМКИ СІРІ ЗАДНІ', 'РІСІ', 'РЁСЁ', 'РУССКИЙ', 'bâtard 5 €', 'ã à â'])('%s is as it should be', (text) => {
  expect(MOJIBAKE.test(text)).toBe(false);
});

test('a repair never makes a replacement character, and never leaves damage', () => {
  const anyDamage = fc.string({ unit: fc.constantFrom(...'aРСЁїÐÑÃÂâ€„™¤¸¼├╨▒\x90\x81'.split('')), maxLength: 30 });
  const isGood = (text: string | null) => text === null || !(text.includes('\uFFFD') || MOJIBAKE.test(text));
  fc.assert(
    fc.property(anyDamage, (text) => {
      expect(isGood(repairMojibake(text))).toBe(true);
    }),
  );
});
