import { maskOf } from './bytes';

/*
 * Characters that nobody sees and that are removed from cells: the zero-width space, marks of writing direction, U+2060 to U+2064.
 * src/validate/checks/clean-cell.ts knows others, which change what a text means or trim away, and are left to the slow path.
 */

/** How many bytes each of them has in UTF-8. */
export const INVISIBLE_BYTES: u32 = 3;

const SPACE: u32 = 32;
const DELETE: u32 = 127;
/* The first bytes of two that are letters and signs, none of which is invisible. */
const FIRST_OF_TWO: u32 = 0xc3;
const LAST_OF_TWO: u32 = 0xd3;
/** The first byte of all of them, and of dashes, quotation marks and more. */
const FIRST: u8 = 0xe2;

/** How many of them are in a text. */
export function countInvisible(from: u32, to: u32): u32 {
  let count: u32 = 0;
  for (let at = nextInvisible(from, to); at < to; at = nextInvisible(at + INVISIBLE_BYTES, to)) count += 1;
  return count;
}

/** Where the next of them is, or the end. */
export function nextInvisible(from: u32, to: u32): u32 {
  for (let base = from; base < to; base += 16) {
    const firsts = v128.and(i8x16.eq(v128.load(base), i8x16.splat(FIRST)), maskOf(to - base, 0));
    for (let found = <u32>i8x16.bitmask(firsts); found != 0; found &= found - 1) {
      const at = base + <u32>ctz(found);
      if (isInvisible(at)) return at;
    }
  }
  return to;
}

function isInvisible(at: u32): bool {
  const second = <u32>load<u8>(at, 1);
  const third = <u32>load<u8>(at, 2);
  if (second == 0x81) return third >= 0xa0 && third <= 0xa4;
  return second == 0x80 && (third == 0x8b || third == 0x8e || third == 0x8f || (third >= 0xaa && third <= 0xae));
}

/** Writes a text without them and returns its end; 0 when there are characters in it that only the slow path knows. */
export function removeInvisible(from: u32, to: u32, target: u32): u32 {
  let out = target;
  for (let at = from; at < to;) {
    const byte = <u32>load<u8>(at);
    if (byte >= SPACE && byte < DELETE) {
      store<u8>(out, <u8>byte);
      at += 1;
      out += 1;
    } else if (byte >= FIRST_OF_TWO && byte <= LAST_OF_TWO) {
      store<u16>(out, load<u16>(at));
      at += 2;
      out += 2;
    } else if (byte == FIRST && isInvisible(at)) {
      at += INVISIBLE_BYTES;
    } else {
      return 0;
    }
  }
  return out;
}

/** The code point of one of them. */
export function codePointAt(at: u32): u32 {
  return 0x2000 | (((<u32>load<u8>(at, 1)) & 63) << 6) | ((<u32>load<u8>(at, 2)) & 63);
}
