/** Letters that keep no mark when Unicode takes them apart, as people write them without one. */
const PLAIN: Record<string, string> = { ł: 'l', đ: 'd', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

const IDEOGRAPHS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
/** `artNr` and `OEMNumber` are two words each; numbers and ideographs end one. */
const WORD = new RegExp(
  String.raw`\p{N}+|[${IDEOGRAPHS}]|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}--[\p{Lu}\p{Ll}${IDEOGRAPHS}]]+`,
  'gv',
);

/**
 * Splits a header cell into words: at blanks, punctuation, brackets and digits, and where capitals begin a word (`CodVen`). Words
 * are in lower case and without diacritics, `№` and `#` are "no", ideographs count one by one. Pure.
 */
export function nameWords(cell: string): string[] {
  const marked = cell.replaceAll(/[№#]/g, ' no ').replaceAll(/(?<=\p{L})['’´`](?=\p{L})/gu, ' ');
  const bare = marked
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]+/g, '')
    .normalize('NFC');
  return (bare.match(WORD) ?? []).map((word) =>
    word.toLowerCase().replaceAll(/[łđøıßæœ]/g, (letter) => PLAIN[letter]!),
  );
}
