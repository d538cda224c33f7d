import { expect, test } from 'vitest';
import { printable, printableJson, printableText } from '../../src/wording/printable.ts';

test('every control character and format character of Unicode is spelled out, and no other', () => {
  const wrong = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => (printable(one) !== one) !== /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(one));
  expect(wrong).toEqual([]);
});

test('line feeds and tabs stay in a text of several lines, and JSON keeps its value', () => {
  expect(printable('a\n\u200b\u{e0001}')).toBe('a\\u{a}\\u{200b}\\u{e0001}');
  expect(printableText('a\n\tb\r\u001b[2J')).toBe('a\n\tb\\u{d}\\u{1b}[2J');
  const value = { name: 'a\u202e\u{e0001}b', more: ['\u0085'] };
  expect(JSON.parse(printableJson(JSON.stringify(value)))).toEqual(value);
  expect(printableJson(JSON.stringify(value))).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
