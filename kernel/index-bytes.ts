import { beginsPair, endsPair } from './patterns';
import * as settings from './settings';

const LF: u8 = 10;
const CR: u8 = 13;

/** The number of line breaks (CR LF, LF, lone CR) that `indexBytes` counted; it looks at one byte past its end. */
export let breaks: u32 = 0;

/**
 * Indexes [from, to): writes from `target` on, as u32, the addresses of delimiters, quotes, LF, lone CR, and trigger bytes, at
 * which a slow-path pattern may be under way. A 0 follows. Returns how many there are. Reads up to 63 bytes past `to` and 16
 * before `from`, and writes up to 32 bytes past the end.
 */
export function indexBytes(from: u32, to: u32, target: u32): u32 {
  const delimiters = i8x16.splat(<u8>settings.delimiter);
  const quotes = i8x16.splat(<u8>settings.quote);
  const automaton = settings.everyAutomaton;
  let before = beginsPair(automaton, v128.load(from - 16));
  let at = target;
  let count: u64 = 0;
  for (let base = from; base < to; base += 64) {
    const feeds = equal(base, i8x16.splat(LF));
    const returns = equal(base, i8x16.splat(CR));
    const pairs = returns & ((feeds >> 1) | ((<u64>(load<u8>(base, 64) == LF)) << 63));
    const first = beginsPair(automaton, v128.load(base));
    const second = beginsPair(automaton, v128.load(base, 16));
    const third = beginsPair(automaton, v128.load(base, 32));
    const fourth = beginsPair(automaton, v128.load(base, 48));
    const marks = bits(
      mark(v128.load(base), shifted(before, first), delimiters, quotes, automaton),
      mark(v128.load(base, 16), shifted(first, second), delimiters, quotes, automaton),
      mark(v128.load(base, 32), shifted(second, third), delimiters, quotes, automaton),
      mark(v128.load(base, 48), shifted(third, fourth), delimiters, quotes, automaton),
    );
    before = fourth;
    let mask = (marks | feeds | returns) & ~pairs;
    let ends = feeds | (returns & ~pairs);
    if (base + 64 > to) {
      const inside = ((<u64>1) << (to - base)) - 1;
      mask &= inside;
      ends &= inside;
    }
    count += popcnt(ends);
    at = writePlaces(base, mask, at);
  }
  breaks = <u32>count;
  store<u32>(at, 0);
  return (at - target) >> 2;
}

// @inline
function equal(base: u32, byte: v128): u64 {
  return bits(
    i8x16.eq(v128.load(base), byte),
    i8x16.eq(v128.load(base, 16), byte),
    i8x16.eq(v128.load(base, 32), byte),
    i8x16.eq(v128.load(base, 48), byte),
  );
}

/** Shifts 16 bytes by one: the last of the bytes before, then all but the last of these. */
// @inline
function shifted(before: v128, bytes: v128): v128 {
  return i8x16.shuffle(before, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}

/** Marks delimiters, quotes, and bytes that end a trigger pair; `before` says which kinds of pair the preceding byte begins. */
// @inline
function mark(bytes: v128, before: v128, delimiters: v128, quotes: v128, automaton: u32): v128 {
  const text = v128.or(i8x16.eq(bytes, delimiters), i8x16.eq(bytes, quotes));
  return v128.or(text, endsPair(automaton, bytes, before));
}

// @inline
function bits(first: v128, second: v128, third: v128, fourth: v128): u64 {
  return (
    (<u64>(<u32>i8x16.bitmask(first))) |
    ((<u64>(<u32>i8x16.bitmask(second))) << 16) |
    ((<u64>(<u32>i8x16.bitmask(third))) << 32) |
    ((<u64>(<u32>i8x16.bitmask(fourth))) << 48)
  );
}

/** Writes eight addresses at a time, because most blocks have fewer; the surplus is overwritten. */
// @inline
function writePlaces(base: u32, mask: u64, target: u32): u32 {
  const end = target + ((<u32>popcnt(mask)) << 2);
  let rest = mask;
  let at = target;
  do {
    store<u32>(at, base + <u32>ctz(rest));
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 4);
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 8);
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 12);
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 16);
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 20);
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 24);
    rest &= rest - 1;
    store<u32>(at, base + <u32>ctz(rest), 28);
    rest &= rest - 1;
    at += 32;
  } while (rest != 0);
  return end;
}
