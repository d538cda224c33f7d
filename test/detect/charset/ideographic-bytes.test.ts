import { describe, expect, test } from 'vitest';
import { CANDIDATES } from '../../../src/detect/charset/charsets.ts';
import { foreignWords } from '../../../src/detect/charset/foreign-words.ts';
import { mayReach, readWords } from '../../../src/detect/charset/readings.ts';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { PRICE_LISTS } from '../../support/price-list.ts';

const IDEOGRAPHIC = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'];
const context = { names: new Set<string>(), plainFit: () => 0 };

function candidate(name: string) {
  return CANDIDATES.find(({ charset }) => charset === name)!;
}

describe('what bytes alone tell of a reading', () => {
  test.each([
    ['zh', 'gb18030'],
    ['zh-Hant', 'big5'],
    ['ja', 'shift_jis'],
    ['ja', 'euc-jp'],
    ['ko', 'euc-kr'],
    ['ru', 'gb18030'],
    ['ru', 'euc-kr'],
    ['ru', 'shift_jis'],
    ['ru', 'euc-jp'],
  ] as const)('never hides the right one: %s in %s', (language, charset) => {
    const words = foreignWords(encodeBytes(PRICE_LISTS[language], charset));
    const { score } = readWords(words, candidate(charset), context);
    expect(mayReach(score, words, candidate(charset))).toBe(true);
  });

  /** Small letters of KOI8-R are where Shift_JIS has half-width syllables. */
  test.each([
    ['windows-1251', []],
    ['koi8-r', ['shift_jis']],
    ['ibm866', []],
    ['iso-8859-5', []],
  ] as const)('leaves few beside %s', (charset, others) => {
    const words = foreignWords(encodeBytes(PRICE_LISTS.ru, charset));
    const { score } = readWords(words, candidate(charset), context);
    expect(IDEOGRAPHIC.filter((name) => mayReach(score, words, candidate(name)))).toEqual(others);
  });

  test('of charsets of one byte is nothing', () => {
    expect(mayReach(0, foreignWords(encodeBytes(PRICE_LISTS.ru, 'koi8-r')), candidate('koi8-r'))).toBe(true);
  });
});
