/** Cyrillic letters and the Latin ones that look the same, in the same order. */
const CYRILLIC = 'АВЕКМНОРСТУХІЈЅаеорсухіјѕ';
const LATIN = 'ABEKMHOPCTYXIJSaeopcyxijs';
/** Only Macedonian and Serbian have these letters: nobody types them by mistake for a Latin one. */
const SELDOM = /[ЈЅјѕ]/;

const pairs = CYRILLIC.split('').map((letter, at) => [letter, LATIN[at]!] as const);
/** The Latin letter that looks like a Cyrillic one, and the other way round. */
export const toLatin: ReadonlyMap<string, string> = new Map(pairs);
export const toCyrillic: ReadonlyMap<string, string> = new Map(
  pairs.filter(([letter]) => !SELDOM.test(letter)).map(([letter, latin]) => [latin, letter]),
);

/** Only text with a letter in this range can have homoglyphs. */
export const MAY_HAVE_HOMOGLYPHS = /[\u0400-\u04ff]/;

/**
 * Returns a brand or an article number with each word in one alphabet, or null when there are no homoglyphs in it. A word that
 * mixes Latin and Cyrillic follows those of its letters that exist in one of them only, else the majority. A number becomes
 * Latin when its brand is Latin and all its letters are Cyrillic homoglyphs of Latin ones.
 */
export function unmixAlphabets(text: string, brand: string | null): string | null {
  if (!MAY_HAVE_HOMOGLYPHS.test(text)) return null;
  const latinBrand = brand !== null && /\p{Script=Latin}/u.test(brand) && !MAY_HAVE_HOMOGLYPHS.test(brand);
  const unmixed =
    latinBrand && canBeLatinNumber(text)
      ? swap(text, toLatin)
      : text.replaceAll(/\S+/gu, (word) => unmixWord(word, latinBrand));
  return unmixed === text ? null : unmixed;
}

function canBeLatinNumber(text: string): boolean {
  return /\d/.test(text) && (text.match(/\p{L}/gu) ?? []).every((letter) => toLatin.has(letter));
}

function unmixWord(word: string, latinBrand: boolean): string {
  const cyrillic = word.match(/\p{Script=Cyrillic}/gu) ?? [];
  const latin = word.match(/\p{Script=Latin}/gu) ?? [];
  if (cyrillic.length === 0) return word;
  const canBeLatin = cyrillic.every((letter) => toLatin.has(letter));
  const canBeCyrillic = latin.every((letter) => toCyrillic.has(letter));
  if (latin.length === 0) return word;
  if (canBeLatin && (!canBeCyrillic || latinBrand || latin.length >= cyrillic.length)) return swap(word, toLatin);
  return canBeCyrillic ? swap(word, toCyrillic) : word;
}

function swap(word: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(word, (letter) => letters.get(letter) ?? letter).join('');
}
