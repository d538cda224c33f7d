/** Cyrillic letters and the Latin ones that look the same, in the same order. */
const CYRILLIC = 'АВЕКМНОРСТУХІЈЅаеорсухіјѕ';
const LATIN = 'ABEKMHOPCTYXIJSaeopcyxijs';

const toLatin = new Map(CYRILLIC.split('').map((letter, at) => [letter, LATIN[at]!]));
const toCyrillic = new Map(LATIN.split('').map((letter, at) => [letter, CYRILLIC[at]!]));

/** Only text with a letter in this range can hold letters that look like those of another alphabet. */
export const MAY_LOOK_ALIKE = /[\u0400-\u04ff]/;

/**
 * A brand or an article number with each word in one alphabet, or null when nothing looks like another alphabet. A word
 * that mixes Latin and Cyrillic follows those of its letters that exist in one of them only, else the more frequent
 * ones. A number with Cyrillic letters that all look Latin becomes Latin when its brand is.
 */
export function unmixAlphabets(text: string, brand: string | null): string | null {
  if (!MAY_LOOK_ALIKE.test(text)) return null;
  const latinBrand = brand !== null && /\p{Script=Latin}/u.test(brand) && !MAY_LOOK_ALIKE.test(brand);
  const unmixed = text.replaceAll(/\S+/gu, (word) => unmixWord(word, latinBrand));
  return unmixed === text ? null : unmixed;
}

function unmixWord(word: string, latinBrand: boolean): string {
  const cyrillic = word.match(/\p{Script=Cyrillic}/gu) ?? [];
  const latin = word.match(/\p{Script=Latin}/gu) ?? [];
  if (cyrillic.length === 0) return word;
  const canBeLatin = cyrillic.every((letter) => toLatin.has(letter));
  const canBeCyrillic = latin.every((letter) => toCyrillic.has(letter));
  if (latin.length === 0) return canBeLatin && latinBrand && /\d/.test(word) ? swap(word, toLatin) : word;
  if (canBeLatin && (!canBeCyrillic || latinBrand || latin.length >= cyrillic.length)) return swap(word, toLatin);
  return canBeCyrillic ? swap(word, toCyrillic) : word;
}

function swap(word: string, letters: Map<string, string>): string {
  return Array.from(word, (letter) => letters.get(letter) ?? letter).join('');
}
