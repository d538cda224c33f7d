/*
 * An automaton of slow-path patterns (src/validate/patterns/automaton.ts). It runs only at trigger pairs: pairs of bytes that
 * lead further than the second byte alone would. First comes the filter that finds them, 64 bytes: four tables, indexed by the
 * halves of the first and the second byte, in which each bit stands for a kind of pair. Then a bit for each pair of bytes that
 * may be a prefix match, which is a pattern that begins where the cell does. Then the class of each byte, how many classes there are, and a
 * half word for each class in each state, of which the last one stands for the end of the cell; state 1 is the one at the beginning of a cell.
 */
const PREFIX_PAIRS: u32 = 64;
const CLASSES: u32 = PREFIX_PAIRS + 8192;
const WIDTH: u32 = CLASSES + 256;
const STATES: u32 = WIDTH + 16;
const FOUND: u32 = 0xffff;

/** Whether a slow-path pattern occurs in [from, to); reads up to 15 bytes past it and one before. */
export function needsSlowPath(automaton: u32, from: u32, to: u32): bool {
  if (matchesPrefix(automaton, from, to)) return true;
  // What stands before the cell is no part of it.
  let before = i8x16.replace_lane(v128.load(from - 1), 0, 0);
  for (let at = from; at < to; at += 16) {
    let trigger = <u32>i8x16.bitmask(triggerBytes(automaton, before, v128.load(at)));
    if (at + 16 > to) trigger &= (1 << (to - at)) - 1;
    for (; trigger != 0; trigger &= trigger - 1) {
      if (matchesAround(automaton, at + <u32>ctz(trigger), from, to)) return true;
    }
    before = v128.load(at, 15);
  }
  return false;
}

/** Sets all bits of the bytes that end a trigger pair. */
// @inline
function triggerBytes(filter: u32, before: v128, bytes: v128): v128 {
  return endsPair(filter, bytes, beginsPair(filter, before));
}

/** The kinds of trigger pair that bytes may begin, a bit for each kind. */
// @inline
export function beginsPair(filter: u32, bytes: v128): v128 {
  return kindsOf(v128.load(filter), v128.load(filter, 16), bytes);
}

/** Sets all bits of the bytes that end a trigger pair; `begun` are the kinds that the byte before each of them may begin. */
// @inline
export function endsPair(filter: u32, bytes: v128, begun: v128): v128 {
  const kinds = kindsOf(v128.load(filter, 32), v128.load(filter, 48), bytes);
  return i8x16.ne(v128.and(begun, kinds), i8x16.splat(0));
}

/** The halves of bytes are below 16, where relaxed_swizzle gives the same result on every machine. */
// @inline
function kindsOf(upper: v128, lower: v128, bytes: v128): v128 {
  return v128.and(
    i8x16.relaxed_swizzle(upper, i8x16.shr_u(bytes, 4)),
    i8x16.relaxed_swizzle(lower, v128.and(bytes, i8x16.splat(15))),
  );
}

/** Whether a pattern matches that begins where the cell does. */
// @inline
export function matchesPrefix(automaton: u32, from: u32, to: u32): bool {
  if (from == to) return false;
  const pair = (<u32>load<u8>(from)) | (to - from > 1 ? (<u32>load<u8>(from, 1)) << 8 : 0);
  if (((load<u8>(automaton + PREFIX_PAIRS + (pair >> 3)) >> (pair & 7)) & 1) == 0) return false;
  return runs(automaton, 1, from, from + 1, to);
}

/** Writes a bit for each byte with which a prefix match may begin, 32 bytes at `target`. */
export function gatherPrefixBytes(automaton: u32, target: u32): void {
  let low = i64x2.splat(0);
  let high = i64x2.splat(0);
  const end = automaton + CLASSES;
  for (let at = automaton + PREFIX_PAIRS; at < end; at += 32) {
    low = v128.or(low, v128.load(at));
    high = v128.or(high, v128.load(at, 16));
  }
  v128.store(target, low);
  v128.store(target, high, 16);
}

/** Whether a byte is among the gathered ones. */
// @inline
export function mayMatchPrefix(gathered: u32, byte: u32): bool {
  return ((load<u8>(gathered + (byte >> 3)) >> (byte & 7)) & 1) != 0;
}

/** Whether a pattern matches that is under way at the trigger byte `at` of the cell [from, to). */
function matchesAround(automaton: u32, at: u32, from: u32, to: u32): bool {
  return runs(automaton, 0, at > from ? at - 1 : from, at, to);
}

/** Whether a pattern matches in [from, to) after its beginning, at one of the trigger bytes in the index from `index` on. */
// @inline
export function matchesIndexed(automaton: u32, from: u32, to: u32, index: u32): bool {
  let next = index;
  for (let at = load<u32>(next); at < to; at = load<u32>(next)) {
    if (at >= from && matchesAround(automaton, at, from, to)) return true;
    next += 4;
  }
  return false;
}

/** Runs until a pattern matches, or until the state depends on the last byte alone; past `least` in any case. */
function runs(automaton: u32, start: u32, from: u32, least: u32, to: u32): bool {
  const width = load<u32>(automaton + WIDTH);
  let state = start;
  for (let at = from; at < to; at += 1) {
    const byte = <u32>load<u8>(automaton + CLASSES + <u32>load<u8>(at));
    state = load<u16>(automaton + STATES + ((state * width + byte) << 1));
    if (state == FOUND) return true;
    if (at >= least && state == <u32>load<u16>(automaton + STATES + (byte << 1))) return false;
  }
  return <u32>load<u16>(automaton + STATES + (((state + 1) * width - 1) << 1)) == FOUND;
}
