import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unicodePattern } from '../src/unicode-pattern.ts';
import { repetitions } from './support/repetitions.ts';

const CLASSES = [
  'L',
  'Lu',
  'Ll',
  'N',
  'M',
  'sc=Latin',
  'sc=Cyrillic',
  'sc=Han',
  'sc=Hangul',
  'sc=Hiragana',
  'sc=Katakana',
];

test.each(CLASSES)('the class %s holds the same characters as in Unicode, alone and inside another', (name) => {
  const sources = [`^\\p{${name}}$`, `^[^\\p{${name}}]$`, `^[\\p{${name}}_-]$`];
  const characters = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code));
  for (const source of sources) {
    const [pattern, regExp] = [unicodePattern(source, 'u'), new RegExp(source, 'u')];
    const different = characters.filter((one) => pattern(one).test(one) !== regExp.test(one));
    expect(different).toEqual([]);
  }
});

test('a text gets the same matches as from the regular expression itself', () => {
  const sources = [
    [String.raw`\p{L}{2,}[^\p{L}]+\p{L}{2,}`, 'gu'],
    [String.raw`^[\p{L}\d][\p{L}\d .,/_*+#()-]*$`, 'u'],
    [String.raw`:$|^\p{L}+\.?:|@|https?:|^\W*\d{1,2}[./]`, 'iu'],
    [String.raw`\p{Lu}+(?!\p{Ll})|[\p{L}--[\p{Lu}\p{Ll}\p{sc=Han}]]+|\p{N}+`, 'gv'],
    [String.raw`[^\]\p{L}[]+\[`, 'gu'],
  ] as const;
  const letter = fc.constantFrom(...Array.from('aZzßÿÄ×÷µªЯяЁѕҐґłŁſK漢カー1٣½ .,:/@[]_-\n\u0301😀'), 'https:');
  fc.assert(
    fc.property(
      fc.array(letter).map((letters) => letters.join('')),
      fc.constantFrom(...sources),
      (text, [source, flags]) => {
        expect(text.match(unicodePattern(source, flags)(text))).toEqual(text.match(new RegExp(source, flags)));
      },
    ),
    { numRuns: repetitions(2000) },
  );
});

test('a text of plain letters is not matched by Unicode', () => {
  const pattern = unicodePattern(String.raw`\p{L}`, 'u');
  expect(pattern('Bremsbelag für Škoda').source).toBe(String.raw`\p{L}`);
  expect(pattern('Тормозные колодки, für VW').source).not.toContain('p{');
});
