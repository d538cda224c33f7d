import { unicodePattern } from '../unicode-pattern.ts';

/** Letters that keep no mark when Unicode takes them apart, as people write them without one. */
const PLAIN: Record<string, string> = { ł: 'l', đ: 'd', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

const IDEOGRAPHS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
/** `artNr` and `OEMNumber` are two words each; numbers and ideographs end one. */
const WORD = unicodePattern(
  String.raw`\p{N}+|[${IDEOGRAPHS}]|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|(?:[\p{L}--[\p{Lu}\p{Ll}${IDEOGRAPHS}]]\p{M}*)+`,
  'gv',
);

/** `d'origine` is two words. */
const APOSTROPHE = unicodePattern("(?<=\\p{L})['’´`](?=\\p{L})", 'gu');

/**
 * Splits a header cell into words: at blanks, punctuation, brackets and digits, and where capitals begin a word (`CodVen`). Words
 * are in lower case and without diacritics, `№` and `#` are "no", ideographs count one by one. Pure.
 */
export function nameWords(cell: string): string[] {
  const bare = withoutMarks(cell);
  return (bare.match(WORD(bare)) ?? []).map(plainLetters);
}

/** The same for many names at once, which takes a tenth of the time: the words of each written together, all but `keep` left out. */
export function foldNames(names: string, keep: string): string {
  return plainLetters(withoutMarks(names).replaceAll(new RegExp(`[^\\p{L}\\p{N}\\p{M}${keep}]+`, 'gu'), ''));
}

/** Without what `withoutMarks` changes: most cells of a file. */
const PLAIN_ASCII = /^[\x20-\x22\x24-\x26\x28-\x5f\x61-\x7e]*$/;

function withoutMarks(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text
    .replaceAll(/[№#]/g, ' no ')
    .replaceAll(APOSTROPHE(text), ' ')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]+/g, '')
    .normalize('NFC');
}

function plainLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[łđøıßæœ]/g, (letter) => PLAIN[letter]!);
}
