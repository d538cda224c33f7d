import { isPrice, isQuantity, isReference } from './remarks.ts';
import { isExample } from './specification.ts';

const DIGIT = /\d/;
/** Letters of words, as slow-path patterns know them. */
const LETTER = String.raw`[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff]`;
const WORD = new RegExp(`^${LETTER}{2,}[.,:;!?]*$`, 'u');
/** What can be spoken has one of these: `WF RG KS` is no sentence. */
const VOWEL = /[aeiouyаеёиоуыэюяіїєαεηιουω]/iu;
const LONG_WORD = new RegExp(`^${LETTER}{3,}[.,:;!?]*$`, 'u');
/** Two words, of which the first one is long enough. */
const WORDS = new RegExp(`${LETTER}{3} `, 'u');
/** How a note below a list begins. */
const NOTE = new RegExp(`^[*•]\\s*${LETTER}{3,} `, 'u');
/** So many words are a sentence where there is no digit; beside digits more, in a text that is longer than numbers are. */
const LEAST_WORDS = 3;
const LEAST_LONG_WORDS = 4;
const LONGEST_NUMBER = 40;

/** An address of the web or of mail; no number has these signs. */
const ADDRESS = /:\/\/|^www\.\p{L}|\S@\S+\.\p{L}{2,}$/iu;

const LETTER_OR_DIGIT = /[\p{L}\d]/u;
/** So many question marks beside letters or digits: somebody, or a program, did not know what stands there. */
const LEAST_UNKNOWN = 2;

/** What a text in the place of an article number is. */
export type NoNumber = 'example' | 'sentence' | 'brand' | 'address' | 'price' | 'quantity' | 'reference' | 'unknown';

/** Why a text in the place of an article number is none; null where it may be one. Pure. */
export function whyNoNumber(number: string, brand: string): NoNumber | null {
  if (ADDRESS.test(number)) return 'address';
  if (isExample(number)) return 'example';
  if (number.split('?').length > LEAST_UNKNOWN && LETTER_OR_DIGIT.test(number)) return 'unknown';
  const words = number.split(/\s+/u);
  if (!DIGIT.test(number)) {
    if (NOTE.test(number) || words.filter(isSpoken).length >= LEAST_WORDS) return 'sentence';
    return number.toLowerCase() === brand.toLowerCase() ? 'brand' : null;
  }
  if (isPrice(number)) return 'price';
  if (isQuantity(number)) return 'quantity';
  if (isReference(number)) return 'reference';
  const isLong = number.length > LONGEST_NUMBER && WORDS.test(number);
  return isLong && words.filter((word) => LONG_WORD.test(word)).length >= LEAST_LONG_WORDS ? 'sentence' : null;
}

function isSpoken(word: string): boolean {
  return WORD.test(word) && VOWEL.test(word.normalize('NFKD'));
}
