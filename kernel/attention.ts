/*
 * An automaton of attention patterns (src/validate/automaton.ts). It has to run only where a pair of bytes leads further than
 * its second byte alone would: such pairs are told by a filter of 64 bytes, four tables by the halves of the first and the
 * second byte, in which each bit is a kind of pairs. Then a bit for each pair of bytes at the beginning of a cell after which
 * a pattern may have begun there. Then 256 half words for each state; state 1 is that at the beginning of a cell.
 */
const BEGINNINGS: u32 = 64;
const STATES: u32 = 64 + 8192;
const FOUND: u32 = 0xffff;

/** Whether a pattern occurs in [from, to); reads up to 15 bytes behind it and one before. */
export function needsAttention(automaton: u32, from: u32, to: u32): bool {
  if (beginsStrangely(automaton, from, to)) return true;
  for (let at = from; at < to; at += 16) {
    let restless = <u32>i8x16.bitmask(restlessBytes(automaton, v128.load(at - 1), v128.load(at)));
    if (at + 16 > to) restless &= (1 << (to - at)) - 1;
    for (; restless != 0; restless &= restless - 1) {
      if (isStriking(automaton, at + <u32>ctz(restless), from, to)) return true;
    }
  }
  return false;
}

/** All bits of the bytes that end a restless pair. */
// @inline
export function restlessBytes(filter: u32, before: v128, bytes: v128): v128 {
  const half = i8x16.splat(15);
  const first = v128.and(
    i8x16.swizzle(v128.load(filter), i8x16.shr_u(before, 4)),
    i8x16.swizzle(v128.load(filter, 16), v128.and(before, half)),
  );
  const second = v128.and(
    i8x16.swizzle(v128.load(filter, 32), i8x16.shr_u(bytes, 4)),
    i8x16.swizzle(v128.load(filter, 48), v128.and(bytes, half)),
  );
  return i8x16.ne(v128.and(first, second), i8x16.splat(0));
}

/** Whether a pattern occurs that begins where the cell does. */
// @inline
export function beginsStrangely(automaton: u32, from: u32, to: u32): bool {
  if (from == to) return false;
  const pair = (<u32>load<u8>(from)) | (to - from > 1 ? (<u32>load<u8>(from, 1)) << 8 : 0);
  if (((load<u8>(automaton + BEGINNINGS + (pair >> 3)) >> (pair & 7)) & 1) == 0) return false;
  return runs(automaton, 1, from, from + 1, to);
}

/** Whether a pattern occurs that is under way at the restless byte `at` of the cell [from, to). */
export function isStriking(automaton: u32, at: u32, from: u32, to: u32): bool {
  return runs(automaton, 0, at > from ? at - 1 : from, at, to);
}

/** Runs until a pattern is found, or the state says nothing but the last byte; beyond `least` in any case. */
function runs(automaton: u32, start: u32, from: u32, least: u32, to: u32): bool {
  let state = start;
  for (let at = from; at < to; at += 1) {
    const byte = (<u32>load<u8>(at)) << 1;
    state = load<u16>(automaton + STATES + (state << 9) + byte);
    if (state == FOUND) return true;
    if (at >= least && state == <u32>load<u16>(automaton + STATES + byte)) return false;
  }
  return false;
}
