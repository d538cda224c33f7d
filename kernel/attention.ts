/*
 * An automaton of attention patterns (src/validate/attention.ts): four tables of 16 bytes that tell which bytes leave
 * state 0, 65,536 bytes that tell which pairs of bytes lead from state 0 back to it, then 256 half words for each state.
 * State 1 is that at the beginning of a cell.
 */
const PAIRS: u32 = 64;
const STATES: u32 = 64 + 65536;
const FOUND: u32 = 0xffff;

/** Whether a pattern occurs in [from, to); reads up to 15 bytes behind it. */
export function needsAttention(automaton: u32, from: u32, to: u32): bool {
  let at = from;
  let state: u32 = 1;
  while (at < to) {
    if (state == 0) {
      at = load<u8>(at) < 0x80 ? skipPlain(automaton, at, to) : skipPairs(automaton, at, to);
      if (at >= to) return false;
    }
    state = load<u16>(automaton + STATES + (state << 9) + ((<u32>load<u8>(at)) << 1));
    if (state == FOUND) return true;
    at += 1;
  }
  return false;
}

/** The next byte that leaves state 0, 16 at a time: a set of bytes is tested by its two halves. */
function skipPlain(automaton: u32, from: u32, to: u32): u32 {
  const low = v128.load(automaton);
  const high = v128.load(automaton, 16);
  const lowBits = v128.load(automaton, 32);
  const highBits = v128.load(automaton, 48);
  let at = from;
  while (at < to) {
    const bytes = v128.load(at);
    const right = v128.and(bytes, i8x16.splat(15));
    const left = i8x16.shr_u(bytes, 4);
    const inLow = v128.and(i8x16.swizzle(low, right), i8x16.swizzle(lowBits, left));
    const inHigh = v128.and(i8x16.swizzle(high, right), i8x16.swizzle(highBits, left));
    const leaving = <u32>i8x16.bitmask(i8x16.ne(v128.or(inLow, inHigh), i8x16.splat(0)));
    if (leaving != 0) return at + <u32>ctz(leaving);
    at += 16;
  }
  return to;
}

/** Letters of two bytes that mean nothing to any pattern. */
function skipPairs(automaton: u32, from: u32, to: u32): u32 {
  let at = from;
  while (at + 1 < to && load<u8>(automaton + PAIRS + ((<u32>load<u8>(at)) << 8) + load<u8>(at + 1)) != 0) at += 2;
  return at;
}
