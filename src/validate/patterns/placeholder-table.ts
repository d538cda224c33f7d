import { foldPlaceholder, placeholderWords, type Where } from '../../values/placeholders.ts';

/** The bit of each column, as kernel/placeholders.ts has them; the last one leaves the word to the slow path. */
const BITS: Record<Where | 'dotted', number> = { brand: 1, oem: 2, name: 4, tags: 8, dotted: 16 };

/* Where the parts of the table begin. */
const LETTERS = 8192;
const LETTERS_OF_TWO = LETTERS + 128;
const SLOTS = LETTERS_OF_TWO + 4096;
const SLOT_COUNT = 4096;
const WORDS = SLOTS + SLOT_COUNT * 4;
const WORD_BYTES = 48 * 1024;
const BEGINNINGS = WORDS + WORD_BYTES;
const BEGINNING_BITS = 0x1_0000;
/** A beginning has as many letters, or is a whole word. */
const BEGINNING = 4;

/** How long the table is. */
const PLACEHOLDER_BYTES = BEGINNINGS + BEGINNING_BITS / 8;

const DROPPED = 0;
const MARK = 1;
const UNKNOWN = 1;
const MOST_LETTERS = 0x800;
const [NO_ASCII, TWO_BYTES, THREE_BYTES, FOUR_BYTES] = [0x80, 0xc2, 0xe0, 0xf0];

/** The table with which kernels find cells that stand for nothing, see kernel/placeholders.ts. */
export function placeholderTable(): Uint8Array {
  const table = Buffer.alloc(PLACEHOLDER_BYTES);
  for (let code = 0; code < NO_ASCII; code += 1) table[LETTERS + code] = asciiByte(String.fromCharCode(code));
  for (let code = NO_ASCII; code < MOST_LETTERS; code += 1) {
    table.writeUInt16LE(letterWord(String.fromCharCode(code)), LETTERS_OF_TWO + code * 2);
  }
  const keys: Buffer[] = [];
  let free = WORDS;
  for (const [word, columns] of placeholderWords()) {
    // Kernels leave these to the slow path.
    if (word.includes('\\')) continue;
    const key = keyOf(word, table);
    const mask = columns.reduce((bits, where) => bits | BITS[where], 0);
    const [slot, known] = slotOf(table, key);
    if (known !== 0) {
      table[known + 1]! |= mask;
      continue;
    }
    table.writeUInt32LE(free, SLOTS + slot * 4);
    table.set([key.length, mask, ...key], free);
    free += key.length + 2;
    keys.push(key);
  }
  if (free > BEGINNINGS) throw new Error('the words need more room than WORD_BYTES');
  addPairs(table, keys);
  for (const key of keys) addBeginning(table, key);
  return table;
}

/** The table without the words that are something in one file: in every column, or as brands. */
export function withoutPlaceholders(
  table: Uint8Array,
  words: { kept: Iterable<string>; brands: Iterable<string> },
): Uint8Array {
  const copy = Buffer.from(table);
  const clear = (word: string, bits: number) => {
    const [, offset] = slotOf(copy, keyOf(word, copy));
    if (offset !== 0) copy[offset + 1]! &= ~bits;
  };
  for (const word of words.kept) clear(word, 0xff);
  for (const word of words.brands) clear(word, BITS.brand);
  return copy;
}

/** What an ASCII character becomes in a folded word. */
function asciiByte(character: string): number {
  const folded = foldPlaceholder(`A${character}A`);
  if (folded === 'AA') return DROPPED;
  return foldPlaceholder(character) === '' ? MARK : folded.charCodeAt(1);
}

/** What a character of two bytes becomes: nothing, where it is no letter, or one or two bytes. */
function letterWord(character: string): number {
  const bytes = Buffer.from(foldPlaceholder(character));
  if (bytes.length > 2) return UNKNOWN;
  return bytes.length === 0 ? DROPPED : bytes[0]! | ((bytes[1] ?? 0) << 8);
}

/** A folded word as kernels fold it once more. */
function keyOf(word: string, table: Buffer): Buffer {
  const letters = Array.from(word).flatMap((character) => {
    const bytes = Array.from(Buffer.from(character));
    if (bytes.length === 1) return table[LETTERS + bytes[0]!] === DROPPED ? [] : bytes;
    if (bytes.length > 2) return isDropped(bytes) ? [] : bytes;
    const folded = table.readUInt16LE(LETTERS_OF_TWO + character.charCodeAt(0) * 2);
    return folded > 0xff ? [folded & 0xff, folded >> 8] : folded > UNKNOWN ? [folded] : [];
  });
  const isMark = (byte: number) => byte < NO_ASCII && table[LETTERS + byte] === MARK;
  const first = letters.findIndex((byte) => !isMark(byte));
  return Buffer.from(letters.slice(first, letters.findLastIndex((byte) => !isMark(byte)) + 1));
}

function isDropped([first, second]: number[]): boolean {
  const isUnseen = (first === 0xe1 || first === 0xe3) && second === 0x85;
  return isUnseen || first === 0xe2 || first === 0xef || (first === 0xe3 && second === 0x80);
}

/** The slot of a key, and where its word is; 0 when it is not in the table. */
function slotOf(table: Buffer, key: Buffer): [slot: number, offset: number] {
  for (let slot = hashOf(key) & (SLOT_COUNT - 1); ; slot = (slot + 1) & (SLOT_COUNT - 1)) {
    const offset = table.readUInt32LE(SLOTS + slot * 4);
    if (offset === 0) return [slot, 0];
    if (table[offset] === key.length && table.subarray(offset + 2, offset + 2 + key.length).equals(key))
      return [slot, offset];
  }
}

/** Sets the bit of the first letters of a word. */
function addBeginning(table: Buffer, key: Buffer): void {
  const letters = Array.from(key.toString()).slice(0, BEGINNING).join('');
  const hash = hashOf(Buffer.from(letters));
  const bit = (hash ^ (hash >>> 16)) & (BEGINNING_BITS - 1);
  table[BEGINNINGS + (bit >> 3)]! |= 1 << (bit & 7);
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
}

/** Sets a bit for each pair of bytes with which a cell may begin that stands for nothing; a cell of one byte has 0 behind it. */
function addPairs(table: Buffer, keys: Buffer[]): void {
  const beginnings = new Set(keys.flatMap((key) => [`${key[0]}`, `${key[0]} ${key[1] ?? 0}`]));
  const begins = (...bytes: number[]) => beginnings.has(bytes.join(' '));
  const kind = (byte: number) => table[LETTERS + byte]!;
  for (let first = 0; first < FOUR_BYTES; first += 1) {
    for (let second = 0; second < 256; second += 1) {
      if (!mayBegin(first, second)) continue;
      const pair = first | (second << 8);
      table[pair >> 3]! |= 1 << (pair & 7);
    }
  }

  function mayBegin(first: number, second: number): boolean {
    if (first < NO_ASCII) {
      if (kind(first) <= MARK) return true;
      const isOpen = second >= NO_ASCII || kind(second) <= MARK;
      if (first === ZERO) return isOpen || second === ZERO;
      return isOpen ? begins(kind(first)) : begins(kind(first), kind(second));
    }
    if (first < TWO_BYTES) return false;
    if (first < THREE_BYTES) {
      const letter = table.readUInt16LE(LETTERS_OF_TWO + (((first & 31) << 6) | (second & 63)) * 2);
      return letter <= UNKNOWN || (letter > 0xff ? begins(letter & 0xff, letter >> 8) : begins(letter));
    }
    return isDropped([first, second]) || begins(first, second);
  }
}

const ZERO = 0x30;
