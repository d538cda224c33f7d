/*
 * An automaton of attention patterns (src/validate/automaton.ts). Six vectors say where it has to run at all: bytes that
 * leave state 0 as a set (its two halves and the bits of high nibbles), and first and second bytes of the few pairs that
 * matter where a first byte is too common to be in the set. Then 256 half words for each state; state 1 is that at the
 * beginning of a cell.
 */
const FIRST_BYTES: u32 = 64;
const SECOND_BYTES: u32 = 80;
const STATES: u32 = 96;
const FOUND: u32 = 0xffff;

/** Whether a pattern occurs in [from, to); reads up to 15 bytes behind it and one before. */
export function needsAttention(automaton: u32, from: u32, to: u32): bool {
  let at = from;
  let state: u32 = 1;
  while (at < to) {
    if (state == 0) {
      at = skipCalm(automaton, at, to);
      if (at >= to) return false;
    }
    state = load<u16>(automaton + STATES + (state << 9) + ((<u32>load<u8>(at)) << 1));
    if (state == FOUND) return true;
    at += 1;
  }
  return false;
}

/** Where the automaton has to run again, looking at 16 bytes at a time. */
function skipCalm(automaton: u32, from: u32, to: u32): u32 {
  const low = v128.load(automaton);
  const high = v128.load(automaton, 16);
  const lowBits = v128.load(automaton, 32);
  const highBits = v128.load(automaton, 48);
  const firstA = v128.load8_splat(automaton + FIRST_BYTES);
  const firstB = v128.load8_splat(automaton + FIRST_BYTES, 1);
  const secondA = v128.load8_splat(automaton + SECOND_BYTES);
  const secondB = v128.load8_splat(automaton + SECOND_BYTES, 1);
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const before = v128.load(at - 1);
    const right = v128.and(bytes, i8x16.splat(15));
    const left = i8x16.shr_u(bytes, 4);
    const inLow = v128.and(i8x16.swizzle(low, right), i8x16.swizzle(lowBits, left));
    const inHigh = v128.and(i8x16.swizzle(high, right), i8x16.swizzle(highBits, left));
    const inSet = i8x16.ne(v128.or(inLow, inHigh), i8x16.splat(0));
    const pairA = v128.and(i8x16.eq(before, firstA), i8x16.eq(bytes, secondA));
    const pairB = v128.and(i8x16.eq(before, firstB), i8x16.eq(bytes, secondB));
    const restless = <u32>i8x16.bitmask(v128.or(inSet, v128.or(pairA, pairB)));
    if (restless == 0) continue;
    const first = <u32>ctz(restless);
    const alone = <u32>i8x16.bitmask(inSet);
    return at + first - ((alone >> first) & 1 ? 0 : 1);
  }
  return to;
}
