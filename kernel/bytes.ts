const LF: u8 = 10;
const CR: u8 = 13;

/**
 * Writes the address of every delimiter, quote, LF and CR of [from, to) as u32 from `target` on and answers their number.
 * Reads up to 63 bytes behind `to`.
 */
export function indexBytes(from: u32, to: u32, target: u32, delimiter: u8, quote: u8): u32 {
  const delimiters = i8x16.splat(delimiter);
  const quotes = i8x16.splat(quote);
  let at = target;
  for (let base = from; base < to; base += 64) {
    let mask = blockMask(base, delimiters, quotes);
    if (base + 64 > to) mask &= ((<u64>1) << (to - base)) - 1;
    while (mask != 0) {
      store<u32>(at, base + <u32>ctz(mask));
      at += 4;
      mask &= mask - 1;
    }
  }
  return (at - target) >> 2;
}

function blockMask(base: u32, delimiters: v128, quotes: v128): u64 {
  return (
    (<u64>partMask(base, delimiters, quotes)) |
    ((<u64>partMask(base + 16, delimiters, quotes)) << 16) |
    ((<u64>partMask(base + 32, delimiters, quotes)) << 32) |
    ((<u64>partMask(base + 48, delimiters, quotes)) << 48)
  );
}

function partMask(at: u32, delimiters: v128, quotes: v128): u32 {
  const bytes = v128.load(at);
  const text = v128.or(i8x16.eq(bytes, delimiters), i8x16.eq(bytes, quotes));
  const breaks = v128.or(i8x16.eq(bytes, i8x16.splat(LF)), i8x16.eq(bytes, i8x16.splat(CR)));
  return <u32>i8x16.bitmask(v128.or(text, breaks));
}

/** The number of line breaks (CR LF, LF, lone CR) that end in [from, to); looks at one byte behind `to`. */
export function countBreaks(from: u32, to: u32): u32 {
  let breaks: u32 = 0;
  let at = from;
  for (; at + 16 <= to; at += 16) {
    const bytes = v128.load(at);
    breaks += <u32>popcnt(i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(LF))));
    const returns = v128.load(at);
    const lone = v128.andnot(i8x16.eq(returns, i8x16.splat(CR)), i8x16.eq(v128.load(at + 1), i8x16.splat(LF)));
    breaks += <u32>popcnt(i8x16.bitmask(lone));
  }
  for (; at < to; at += 1) {
    const byte = load<u8>(at);
    if (byte == LF || (byte == CR && load<u8>(at + 1) != LF)) breaks += 1;
  }
  return breaks;
}

/**
 * Turns bytes of a charset with one byte per letter into UTF-8. `table` has 256 words: three bytes of UTF-8, then their
 * number. Answers the end of what was written at `target`; writes up to 16 bytes behind it.
 */
export function transcode(from: u32, to: u32, target: u32, table: u32): u32 {
  let at = from;
  let out = target;
  while (at < to) {
    const bytes = v128.load(at);
    const high = <u32>i8x16.bitmask(bytes);
    v128.store(out, bytes);
    let plain = high == 0 ? <u32>16 : <u32>ctz(high);
    if (plain > to - at) plain = to - at;
    at += plain;
    out += plain;
    while (at < to && load<u8>(at) >= 0x80) {
      const letter = load<u32>(table + ((<u32>load<u8>(at)) << 2));
      store<u32>(out, letter);
      out += letter >> 24;
      at += 1;
    }
  }
  return out;
}

/** Copies [from, to) to `target` and answers its end there; reads and writes up to 15 bytes too many. */
export function copyBytes(from: u32, to: u32, target: u32): u32 {
  let out = target;
  for (let at = from; at < to; at += 16, out += 16) v128.store(out, v128.load(at));
  return target + (to - from);
}

export function areEqual(a: u32, b: u32, length: u32): bool {
  for (let at: u32 = 0; at < length; at += 1) if (load<u8>(a + at) != load<u8>(b + at)) return false;
  return true;
}

/** Writes a number in decimal digits and answers their end. */
export function writeNumber(number: u32, target: u32): u32 {
  let digits: u32 = 1;
  for (let rest = number; rest >= 10; rest /= 10) digits += 1;
  let rest = number;
  for (let at = target + digits; at > target;) {
    at -= 1;
    store<u8>(at, 48 + (rest % 10));
    rest /= 10;
  }
  return target + digits;
}
