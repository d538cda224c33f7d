/** A run of bytes between separators that contains bytes beyond ASCII, as Latin-1 text; and how often it was seen. */
export type ForeignWord = { bytes: string; count: number };

const MAX_WORDS = 800;
/** Chinese and Japanese need no spaces: a word may be a paragraph. */
const MAX_WORD_BYTES = 4000;
const MAX_BYTES = 64 * 1024;
const BAR = 0x7c;

/**
 * A word from its first byte beyond ASCII on: what stands before that is soon found, and most words have none. It ends with
 * a `|`, which may be half a character.
 */
const REST_OF_WORD = /[\x80-\xff][0-9@-{}-\xff]*(?:(?<=[\x80-\xff])\|)?/g;

/**
 * The distinct words of a sample in which charsets differ. Separators are bytes below 0x40 that are no digits: none of
 * them is part of a character in any charset of the trade, so cutting there is safe before the charset is known. Numbers
 * are folded: a thousand prices with the same currency sign are one observation. When
 * there are many words, those with a byte that was not seen before are still taken: charsets may differ in it alone.
 */
export function foreignWords(sample: Uint8Array): ForeignWord[] {
  const text = latin1(sample);
  const counts = new Map<string, number>();
  const fold = rememberingFolds();
  const seen = new Set<number>();
  let bytes = 0;
  for (const { index, 0: rest } of text.matchAll(REST_OF_WORD)) {
    const written = text.slice(startOfWord(text, index), index + rest.length);
    if (written.length > MAX_WORD_BYTES) continue;
    const word = fold(written);
    const count = counts.get(word);
    const isWelcome = counts.size < MAX_WORDS && bytes < MAX_BYTES;
    if (count === undefined && !isWelcome && !hasNewByte(word, seen)) continue;
    counts.set(word, (count ?? 0) + 1);
    if (count !== undefined) continue;
    bytes += word.length;
    for (let at = 0; at < word.length; at += 1) seen.add(word.charCodeAt(at));
  }
  return [...counts].map(([bytes, count]) => ({ bytes, count }));
}

/** Most words come again and again. */
function rememberingFolds(): (written: string) => string {
  const words = new Map<string, string>();
  return (written) => {
    const word = words.get(written) ?? written.replaceAll(/\d+/g, '0');
    words.set(written, word);
    return word;
  };
}

function startOfWord(text: string, at: number): number {
  let start = at;
  while (start > 0 && isInWord(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isInWord(byte: number): boolean {
  return (byte >= 0x40 && byte !== BAR) || (byte >= 0x30 && byte <= 0x39);
}

function hasNewByte(word: string, seen: Set<number>): boolean {
  for (let at = 0; at < word.length; at += 1) if (!seen.has(word.charCodeAt(at))) return true;
  return false;
}

const MAX_PLAIN_WORDS = 300;

/** The distinct words of ASCII letters in a sample, lower case: they show the language, which suggests the charset. */
export function plainWords(sample: Uint8Array): string[] {
  const words = new Set<string>();
  for (const [word] of latin1(sample).matchAll(/(?<![0-9A-Za-z\x80-\xff])[A-Za-z]{4,20}(?![0-9A-Za-z\x80-\xff])/g)) {
    words.add(word.toLowerCase());
    if (words.size >= MAX_PLAIN_WORDS) break;
  }
  return [...words];
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
