/** A run of bytes between separators that contains bytes beyond ASCII, as Latin-1 text; and how often it was seen. */
export type ForeignWord = { bytes: string; count: number };

const MAX_WORDS = 800;
const MAX_WORD_BYTES = 300;

/**
 * The distinct words of a sample in which charsets differ. Separators are bytes below 0x40 that are no digits: none of
 * them is part of a character in any charset of the trade, so cutting there is safe before the charset is known. Numbers
 * are folded: a thousand prices with the same currency sign are one observation.
 */
export function foreignWords(sample: Uint8Array): ForeignWord[] {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.length).toString('latin1');
  const counts = new Map<string, number>();
  for (const [written] of text.matchAll(/[0-9@-\xff]*[\x80-\xff][0-9@-\xff]*/g)) {
    if (written.length > MAX_WORD_BYTES) continue;
    const word = written.replaceAll(/\d+/g, '0');
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (counts.size >= MAX_WORDS) break;
  }
  return [...counts].map(([bytes, count]) => ({ bytes, count }));
}
