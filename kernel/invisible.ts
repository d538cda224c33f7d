import { maskOf } from './bytes';
import * as settings from './settings';

/*
 * Characters that nobody sees and that are removed from cells: control characters, the soft hyphen, the zero-width space, marks of
 * writing direction, U+2060 to U+2064, the byte order mark. Tabs and what breaks lines are no part of them.
 */

const TAB: u32 = 9;
const CR: u32 = 13;
const SPACE: u32 = 32;
const DELETE: u32 = 127;
/** How far behind a space the last sign of ASCII is. */
const PRINTED: v128 = i8x16.splat(<u8>94);
/* The first bytes of two that are letters and signs, none of which is invisible. */
const FIRST_OF_TWO: u32 = 0xc3;
const LAST_OF_TWO: u32 = 0xd3;
/* The first bytes of those that are invisible: of controls beyond ASCII and soft hyphens, of byte order marks, of all others. Most characters with them are seen. */
const FIRST_OF_CONTROL: u32 = 0xc2;
const FIRST_OF_MARK: u32 = 0xef;
const FIRST: u32 = 0xe2;
const FIRST_OF_PRIVATE: u32 = 0xee;

/** How many of them are in a text. */
export function countInvisible(from: u32, to: u32): u32 {
  let count: u32 = 0;
  for (let at = nextInvisible(from, to); at < to; at = nextInvisible(at + invisibleBytes(at), to)) count += 1;
  return count;
}

/** Where the next of them is, or the end. */
export function nextInvisible(from: u32, to: u32): u32 {
  for (let base = from; base < to; base += 16) {
    const bytes = v128.load(base);
    const plain = v128.or(i8x16.lt_u(bytes, i8x16.splat(<u8>SPACE)), i8x16.eq(bytes, i8x16.splat(<u8>DELETE)));
    const controls = v128.or(plain, i8x16.eq(bytes, i8x16.splat(<u8>FIRST_OF_CONTROL)));
    const marks = v128.or(i8x16.eq(bytes, i8x16.splat(<u8>FIRST_OF_MARK)), i8x16.eq(bytes, i8x16.splat(<u8>FIRST)));
    const firsts = v128.and(v128.or(controls, marks), maskOf(to - base, 0));
    for (let found = <u32>i8x16.bitmask(firsts); found != 0; found &= found - 1) {
      const at = base + <u32>ctz(found);
      if (invisibleBytes(at) != 0) return at;
    }
  }
  return to;
}

/** How many bytes the invisible character at `at` has in UTF-8; 0 when there is none. */
export function invisibleBytes(at: u32): u32 {
  const first = <u32>load<u8>(at);
  if (first < 0x80) return (first < SPACE && (first < TAB || first > CR)) || first == DELETE ? 1 : 0;
  const second = <u32>load<u8>(at, 1);
  if (first == FIRST_OF_CONTROL) return second == 0xad || second < 0xa0 ? 2 : 0;
  const third = <u32>load<u8>(at, 2);
  if (first == FIRST_OF_MARK) return second == 0xbb && third == 0xbf ? 3 : 0;
  if (first != FIRST) return 0;
  if (second == 0x81) return third >= 0xa0 && third <= 0xa4 ? 3 : 0;
  const isMark = third == 0x8b || third == 0x8e || third == 0x8f || (third >= 0xaa && third <= 0xae);
  return second == 0x80 && isMark ? 3 : 0;
}

/** Writes a text without them and returns its end; 0 when there are characters in it that only the slow path knows, or breaks. */
export function removeInvisible(from: u32, to: u32, target: u32): u32 {
  let out = target;
  for (let at = from; at < to;) {
    const bytes = v128.load(at);
    if (at + 16 <= to && !v128.any_true(i8x16.gt_u(i8x16.sub(bytes, i8x16.splat(<u8>SPACE)), PRINTED))) {
      v128.store(out, bytes);
      at += 16;
      out += 16;
      continue;
    }
    const byte = <u32>load<u8>(at);
    if (byte >= SPACE && byte < DELETE) {
      store<u8>(out, <u8>byte);
      at += 1;
      out += 1;
    } else if (byte >= FIRST_OF_TWO && byte <= LAST_OF_TWO) {
      store<u16>(out, load<u16>(at));
      at += 2;
      out += 2;
    } else if (isSeen(at)) {
      store<u16>(out, load<u16>(at));
      store<u8>(out, load<u8>(at, 2), 2);
      at += 3;
      out += 3;
    } else {
      const unseen = invisibleBytes(at);
      if (unseen == 0) {
        if (byte != FIRST_OF_CONTROL) return 0;
        store<u16>(out, load<u16>(at));
        at += 2;
        out += 2;
      }
      at += unseen;
    }
  }
  return out;
}

/*
 * Control characters that are printable in windows-1252, in a text that was read as ISO-8859-1. `settings.printable` has four bytes for
 * each of U+0080 to U+009F: how many bytes the other character has in UTF-8, or 0, then these bytes.
 */

/** The printable character of a control character at `at`: its place in the table, or 0. */
// @inline
function printableAt(at: u32): u32 {
  const second = <u32>load<u8>(at, 1);
  if (load<u8>(at) != FIRST_OF_CONTROL || second >= 0xa0) return 0;
  const place = settings.printable + ((second & 31) << 2);
  return load<u8>(place) == 0 ? 0 : place;
}

/** How many of them are in a text. */
export function countPrintable(from: u32, to: u32): u32 {
  let count: u32 = 0;
  for (let at = nextInvisible(from, to); at < to; at = nextInvisible(at + invisibleBytes(at), to)) {
    if (printableAt(at) != 0) count += 1;
  }
  return count;
}

/** Writes a text with the printable characters in their place, and returns its end. */
export function readPrintable(from: u32, to: u32, target: u32): u32 {
  let out = target;
  for (let at = from; at < to;) {
    const place = printableAt(at);
    if (place == 0) {
      store<u8>(out++, load<u8>(at++));
      continue;
    }
    for (let byte: u32 = 1; byte <= <u32>load<u8>(place); byte += 1) store<u8>(out++, load<u8>(place + byte));
    at += 2;
  }
  return out;
}

/** Whether a character of three bytes is certainly seen: dashes, quotation marks, signs, and the writings of East Asia. */
function isSeen(at: u32): bool {
  const first = <u32>load<u8>(at);
  if (first != FIRST) return first > FIRST && first < FIRST_OF_PRIVATE;
  const second = <u32>load<u8>(at, 1);
  const third = <u32>load<u8>(at, 2);
  return second > 0x81 || (second == 0x80 && ((third >= 0x90 && third < 0xa8) || third >= 0xb0));
}

/** The code point of one of them. */
export function codePointAt(at: u32): u32 {
  if (load<u8>(at) < 0x80) return <u32>load<u8>(at);
  const second = (<u32>load<u8>(at, 1)) & 63;
  if (load<u8>(at) == FIRST_OF_CONTROL) return (2 << 6) | second;
  return (((<u32>load<u8>(at)) & 15) << 12) | (second << 6) | ((<u32>load<u8>(at, 2)) & 63);
}
