/**
 * The table that kernel/transcode.ts needs to convert a single-byte charset, given the UTF-8 of each byte. It has three parts:
 * 256 words of up to three bytes of UTF-8 and their number; for each block of 16 bytes the first UTF-8 byte of its letters and
 * the offset from a byte of the charset to the second, both 0 where the letters of the block disagree; and for every mask of
 * eight letters, laid out as pairs, where the output bytes come from when letters outside the mask have only a second byte.
 */
export function charsetTable(characters: string[]): Uint8Array {
  const letters = characters.map((character) => Buffer.from(character));
  return Buffer.concat([wordsOf(letters), ...sixteenthsOf(letters), packing()]);
}

function wordsOf(letters: Buffer[]): Uint8Array {
  const words = new Uint8Array(1024);
  for (const [byte, letter] of letters.entries()) {
    words.set(letter, byte * 4);
    words[byte * 4 + 3] = letter.length;
  }
  return words;
}

function sixteenthsOf(letters: Buffer[]): [firstBytes: Uint8Array, offsets: Uint8Array] {
  const firstBytes = new Uint8Array(16);
  const offsets = new Uint8Array(16);
  for (let at = 8; at < 16; at += 1) {
    const own = letters.slice(at * 16, at * 16 + 16);
    const [first, second] = own[0] as unknown as [number, number];
    if (!own.every((letter, index) => letter.equals(Uint8Array.of(first, second + index)))) continue;
    firstBytes[at] = first;
    offsets[at] = second - at * 16;
  }
  return [firstBytes, offsets];
}

function packing(): Uint8Array {
  const table = new Uint8Array(256 * 16).fill(0xff);
  for (let mask = 0; mask < 256; mask += 1) {
    let to = mask * 16;
    for (let pair = 0; pair < 8; pair += 1) {
      if ((mask >> pair) & 1) table[to++] = pair * 2;
      table[to++] = pair * 2 + 1;
    }
  }
  return table;
}
