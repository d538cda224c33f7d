/** Letters of other alphabets, and the Latin ones that look the same, in the same order: Cyrillic, then Greek. */
const OTHERS = 'АВЕКМНОРСТУХІЈЅ' + 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LATIN = 'ABEKMHOPCTYXIJS' + 'ABEZHIKMNOPTYX';
const letters = new Map(OTHERS.split('').map((letter, at) => [letter, LATIN[at]!]));
const ANY = new RegExp(`[${OTHERS}]`, 'g');

/** A text in capital letters in which letters that look alike are the same, and wide ones are narrow. */
export function withoutLookAlikes(text: string): string {
  return text.normalize('NFKC').replaceAll(ANY, (letter) => letters.get(letter) ?? letter);
}
