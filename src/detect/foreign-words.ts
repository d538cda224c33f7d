import { byteClasses, forEachRun } from './byte-runs.ts';

/** A run of bytes between separators that contains bytes beyond ASCII, as Latin-1 text; and how often it was seen. */
export type ForeignWord = { bytes: string; count: number };

const MAX_WORDS = 800;
/** Chinese and Japanese need no spaces: a word may be a paragraph. */
const MAX_WORD_BYTES = 4000;
const MAX_BYTES = 64 * 1024;

const DIGIT = 1;
const OTHER = 2;
const FOREIGN = 4;
const IN_WORD = byteClasses([
  [0x30, 0x39, DIGIT],
  [0x40, 0x7f, OTHER],
  [0x80, 0xff, FOREIGN],
]);

/**
 * The distinct words of a sample in which charsets differ. Separators are bytes below 0x40 that are no digits: none of
 * them is part of a character in any charset of the trade, so cutting there is safe before the charset is known. Numbers
 * are folded: a thousand prices with the same currency sign are one observation. When
 * there are many words, those with a byte that was not seen before are still taken: charsets may differ in it alone.
 */
export function foreignWords(sample: Uint8Array): ForeignWord[] {
  const text = latin1(sample);
  const counts = new Map<string, number>();
  const seen = new Set<number>();
  let bytes = 0;
  forEachRun(sample, IN_WORD, (start, end, classes) => {
    if ((classes & FOREIGN) === 0 || end - start > MAX_WORD_BYTES) return true;
    const written = text.slice(start, end);
    const word = (classes & DIGIT) === 0 ? written : written.replaceAll(/\d+/g, '0');
    const count = counts.get(word);
    const isWelcome = counts.size < MAX_WORDS && bytes < MAX_BYTES;
    if (count === undefined && !isWelcome && !hasNewByte(word, seen)) return true;
    counts.set(word, (count ?? 0) + 1);
    if (count !== undefined) return true;
    bytes += word.length;
    for (let at = 0; at < word.length; at += 1) seen.add(word.charCodeAt(at));
    return true;
  });
  return [...counts].map(([bytes, count]) => ({ bytes, count }));
}

function hasNewByte(word: string, seen: Set<number>): boolean {
  for (let at = 0; at < word.length; at += 1) if (!seen.has(word.charCodeAt(at))) return true;
  return false;
}

const MAX_PLAIN_WORDS = 300;
const PLAIN_LENGTH = { least: 4, most: 20 };

const LETTER = 1;
const NO_LETTER = 2;
const IN_PLAIN_WORD = byteClasses([
  [0x30, 0x39, NO_LETTER],
  [0x41, 0x5a, LETTER],
  [0x61, 0x7a, LETTER],
  [0x80, 0xff, NO_LETTER],
]);

/** The distinct words of ASCII letters in a sample, lower case: they tell the language, which tells the charset. */
export function plainWords(sample: Uint8Array): string[] {
  const text = latin1(sample);
  const words = new Set<string>();
  forEachRun(sample, IN_PLAIN_WORD, (start, end, classes) => {
    const length = end - start;
    if (classes !== LETTER || length < PLAIN_LENGTH.least || length > PLAIN_LENGTH.most) return true;
    words.add(text.slice(start, end).toLowerCase());
    return words.size < MAX_PLAIN_WORDS;
  });
  return [...words];
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
