import { readInto } from '../../../io/read-pieces.ts';
import { decodeBytes } from '../../../io/text-decode.ts';

const LF = 10;
const CR = 13;
const PIECE = 64 * 1024;

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

/** Where the line begins that so many line breaks (CR LF, LF, lone CR) are before, from a position on; null where it does not follow an LF. */
export function lineStart(file: number, position: number, breaks: number): number | null {
  const piece = Buffer.allocUnsafe(PIECE);
  let left = breaks;
  let before = 0;
  for (let at = position; ; at += PIECE) {
    const got = readInto(file, piece, 0, PIECE, at);
    for (let index = 0; index < got; index += 1) {
      if (left === 0 && !(before === CR && piece[index] === LF)) return before === LF ? at + index : null;
      if (piece[index] === LF && before === CR) before = LF;
      else {
        before = piece[index]!;
        if (before === LF || before === CR) left -= 1;
      }
    }
    if (got < PIECE) return null;
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
