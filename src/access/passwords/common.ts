import { readFileSync } from 'node:fs';

/** A password is guessed by its parts: fewer than these are tried by everybody. */
const LEAST_PARTS = 4;
/** Parts of more characters than this are in no list. */
const LONGEST_PART = 32;
/** What stands behind so many characters is not looked at: nobody tries passwords as long. */
const LOOKED_AT = 128;
/** Keys that lie beside each other, and characters that follow each other. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789'.repeat(2),
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiopü',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
].flatMap((row) => [row, Array.from(row).toReversed().join('')]);
/** What stands for letters. */
const SIGNS: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

let words: Set<string> | undefined;

/**
 * Whether everybody tries a password like this one: it is made of few parts, and each is a word of the list, a name of its user, a
 * row of keys, a number of a year, or a repetition. `common.txt` has the words that are used most often as passwords or in them.
 */
export function isCommon(password: string, user: string): boolean {
  words ??= new Set(readFileSync(new URL('./common.txt', import.meta.url), 'utf8').split('\n'));
  const letters = Array.from(small(password)).slice(0, LOOKED_AT);
  const own = new Set([small(user), ...small(user).split(/[^\p{L}\p{N}]+/u)].filter(({ length }) => length > 2));
  const parts = partsOf(letters, (part) => isPart(part, own));
  return new Set(parts).size < LEAST_PARTS;
}

function small(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function isPart(part: string, own: ReadonlySet<string>): boolean {
  if (/^(.)\1+$/su.test(part) || /^(?:19|20)\d\d$/u.test(part)) return true;
  if (part.length > 2 && ROWS.some((row) => row.includes(part))) return true;
  return [part, lettersOf(part, 'l'), lettersOf(part, 'i')].some(
    (word) => own.has(word) || (word.length > 3 && words?.has(word) === true),
  );
}

/** A word of which some letters are written as signs; a one may be either of two. */
function lettersOf(part: string, one: string): string {
  return part.replaceAll(/[013457@$!]/gu, (sign) => (sign === '1' ? one : (SIGNS[sign] ?? sign)));
}

/** The fewest parts that letters can be cut into; one that is in none is a part. */
function partsOf(letters: readonly string[], isPart: (part: string) => boolean): string[] {
  const best: string[][] = [[]];
  for (let end = 1; end <= letters.length; end += 1) {
    let fewest = [...best[end - 1]!, letters[end - 1]!];
    for (let from = Math.max(0, end - LONGEST_PART); from < end - 1; from += 1) {
      const before = best[from]!;
      const part = letters.slice(from, end).join('');
      if (countOf([...before, part]) < countOf(fewest) && isPart(part)) fewest = [...before, part];
    }
    best.push(fewest);
  }
  return best[letters.length]!;
}

/** A part that comes again is no other one. */
function countOf(parts: readonly string[]): number {
  return new Set(parts).size + parts.length / 1e6;
}
