import { readInto } from '../../../io/read-pieces.ts';
import { decodeBytes } from '../../../io/text-decode.ts';

const LF = 10;

/**
 * Reads whole lines of a file from a position: at least `least` bytes, unless the file ends first. Returns null when a line is
 * longer than `most` bytes.
 */
export function readLines(file: number, position: number, least: number, most: number): Buffer | null {
  for (let length = least; ; length *= 2) {
    const bytes = Buffer.allocUnsafe(length);
    const got = readInto(file, bytes, 0, length, position);
    if (got < length) return bytes.subarray(0, got);
    const end = bytes.lastIndexOf(LF);
    if (end !== -1) return bytes.subarray(0, end + 1);
    if (length >= most) return null;
  }
}

/** The UTF-8 of each byte of a charset with one byte per character that agrees with ASCII; null for any other. */
export function singleByteCharset(charset: string): string[] | null {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = Array.from(bytes, (byte) => decodeBytes(Uint8Array.of(byte), charset));
  const isSingle = characters.every((character) => character.length === 1 && character !== '\uFEFF');
  const agrees = characters.slice(0, 0x80).every((character, byte) => character.charCodeAt(0) === byte);
  return isSingle && agrees && decodeBytes(bytes, charset) === characters.join('') ? characters : null;
}
