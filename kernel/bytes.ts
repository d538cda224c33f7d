/**
 * Turns bytes of a charset with one byte per letter into UTF-8. `table` has 256 words: three bytes of UTF-8, then their
 * number. Answers the end of what was written at `target`; writes up to 16 bytes behind it.
 */
export function transcode(from: u32, to: u32, target: u32, table: u32): u32 {
  let at = from;
  let out = target;
  while (at + 16 <= to) {
    const bytes = v128.load(at);
    if (i8x16.bitmask(bytes) == 0) {
      v128.store(out, bytes);
      out += 16;
    } else {
      out = transcodeWord(load<u64>(at), out, table);
      out = transcodeWord(load<u64>(at, 8), out, table);
    }
    at += 16;
  }
  for (; at < to; at += 1) out = transcodeByte(load<u8>(at), out, table);
  return out;
}

/** Eight letters without a question asked of any: which are ASCII cannot be foreseen in words of two alphabets. */
// @inline
function transcodeWord(word: u64, target: u32, table: u32): u32 {
  let out = transcodeByte(<u8>word, target, table);
  out = transcodeByte(<u8>(word >> 8), out, table);
  out = transcodeByte(<u8>(word >> 16), out, table);
  out = transcodeByte(<u8>(word >> 24), out, table);
  out = transcodeByte(<u8>(word >> 32), out, table);
  out = transcodeByte(<u8>(word >> 40), out, table);
  out = transcodeByte(<u8>(word >> 48), out, table);
  return transcodeByte(<u8>(word >> 56), out, table);
}

// @inline
function transcodeByte(byte: u8, target: u32, table: u32): u32 {
  const letter = load<u32>(table + ((<u32>byte) << 2));
  store<u32>(target, letter);
  return target + (letter >> 24);
}

/** Copies [from, to) to `target` and answers its end there; reads and writes up to 63 bytes too many. */
// @inline
export function copyBytes(from: u32, to: u32, target: u32): u32 {
  let out = target;
  let at = from;
  do {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const third = v128.load(at, 32);
    const fourth = v128.load(at, 48);
    v128.store(out, first);
    v128.store(out, second, 16);
    v128.store(out, third, 32);
    v128.store(out, fourth, 48);
    at += 64;
    out += 64;
  } while (at < to);
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
