/**
 * What kernel/transcode.ts has to know of a charset with one byte per letter, by the UTF-8 of each byte:
 * 256 words of three bytes of UTF-8 and their number; for each sixteenth of the bytes the first byte of its letters and what
 * added to a byte of the charset makes the second, both 0 where they differ; and for every mask of eight letters, which are
 * laid out as pairs, where the bytes come from when those that are not in it have only their second byte.
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
