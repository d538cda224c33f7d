import { unicodePattern } from '../unicode-pattern.ts';

/** The two values of one cell. */
export type SplitCell = { brand: string; number: string; name: string };

/** What two values stand in one cell: a brand and a number, in either order, or a number and a name behind it. */
export type Split = 'brand-number' | 'number-name';

/** Names of makers have at most so many words. */
const MOST_WORDS = 4;
/** Marks between a brand and its number. */
const EDGES = /^[\s:;,|/–-]+|[\s:;,|/–-]+$/g;
const BLANKS = /\s+/;
/** A word of a name behind a number: three letters, or two of which one is small; `A`, `KIT 1` and `BP` end numbers as well. */
const NAME_WORD = unicodePattern(String.raw`^[\p{L}"(][^\d]*$`, 'u');
const LETTERS = unicodePattern(String.raw`\p{L}`, 'gu');
const SMALL = unicodePattern(String.raw`\p{Ll}`, 'u');
const WORDY = unicodePattern(String.raw`^\p{L}[\p{L} .&'-]*$`, 'u');

/** The two values of a cell; null where it does not hold them. `isMaker` says which texts are known makers. Pure. */
export function splitCell(text: string, split: Split, isMaker: (text: string) => boolean): SplitCell | null {
  return split === 'brand-number' ? splitBrandNumber(text.trim(), isMaker) : splitNumberName(text.trim());
}

/** A brand before or behind a number: the longest known maker, or else all words before the first with a digit. */
function splitBrandNumber(text: string, isMaker: (text: string) => boolean): SplitCell | null {
  return knownBrand(text, isMaker) ?? unknownBrand(text);
}

function knownBrand(text: string, isMaker: (text: string) => boolean): SplitCell | null {
  const words = text
    .replaceAll(/([:;,|/])/g, ' $1 ')
    .trim()
    .split(BLANKS);
  const most = Math.min(MOST_WORDS, words.length - 1);
  for (let count = most; count > 0; count -= 1) {
    const ways = [
      [words.slice(0, count), words.slice(count)],
      [words.slice(-count), words.slice(0, -count)],
    ] as const;
    for (const [name, rest] of ways) {
      const brand = name.join(' ').replaceAll(EDGES, '');
      if (brand === '' || !isMaker(brand) || !rest.some((word) => /\d/.test(word))) continue;
      const number = (name[0] === words[0] ? behind(text, brand) : before(text, brand)).replaceAll(EDGES, '');
      if (/\d/.test(number)) return { brand, number, name: '' };
    }
  }
  return null;
}

function behind(text: string, brand: string): string {
  return text.startsWith(brand) ? text.slice(brand.length) : '';
}

function before(text: string, brand: string): string {
  return text.endsWith(brand) ? text.slice(0, -brand.length) : '';
}

function unknownBrand(text: string): SplitCell | null {
  const first = text.search(/\S*\d/);
  if (first <= 0) return null;
  const brand = text.slice(0, first).replaceAll(EDGES, '');
  const number = text.slice(first).replaceAll(EDGES, '');
  return brand.length > 1 && WORDY(brand).test(brand) ? { brand, number, name: '' } : null;
}

function splitNumberName(text: string): SplitCell | null {
  const words = text.split(BLANKS);
  const numbered = words.findIndex((word) => /\d/.test(word));
  if (numbered === -1) return null;
  const at = words.findIndex((word, index) => index > numbered && isNameWord(word));
  if (at === -1 || words.slice(0, numbered).some((word) => isNameWord(word) && SMALL(word).test(word))) return null;
  const number = words.slice(0, at).join(' ').replaceAll(EDGES, '');
  return { brand: '', number, name: words.slice(at).join(' ').replaceAll(EDGES, '') };
}

function isNameWord(word: string): boolean {
  if (!NAME_WORD(word).test(word)) return false;
  const letters = word.match(LETTERS(word))?.length ?? 0;
  return letters > 2 || (letters === 2 && SMALL(word).test(word));
}
