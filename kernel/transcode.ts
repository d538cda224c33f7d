/* The offsets in the table that src/validate/fast/wasm/charset-table.ts makes of a charset. */
const FIRST_BYTES: u32 = 1024;
const OFFSETS: u32 = 1040;
const PACKING: u32 = 1056;

/** Converts text in a single-byte charset to UTF-8 at `target` and returns its end; writes up to 16 bytes past it. */
export function transcode(from: u32, to: u32, target: u32, table: u32): u32 {
  const firstBytes = v128.load(table, FIRST_BYTES);
  const offsets = v128.load(table, OFFSETS);
  const packing = table + PACKING;
  let at = from;
  let out = target;
  while (at + 16 <= to) {
    const bytes = v128.load(at);
    const foreign = <u32>i8x16.bitmask(bytes);
    const sixteenths = i8x16.shr_u(bytes, 4);
    const first = i8x16.swizzle(firstBytes, sixteenths);
    if (((<u32>i8x16.bitmask(i8x16.eq(first, i8x16.splat(0)))) & foreign) == 0) {
      const second = i8x16.add(bytes, i8x16.swizzle(offsets, sixteenths));
      const low = i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const high = i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      out = packPairs(low, foreign & 255, out, packing);
      out = packPairs(high, foreign >> 8, out, packing);
    } else {
      out = transcodeWord(load<u64>(at), out, table);
      out = transcodeWord(load<u64>(at, 8), out, table);
    }
    at += 16;
  }
  for (; at < to; at += 1) out = transcodeByte(load<u8>(at), out, table);
  return out;
}

/** Writes eight letters of two bytes; of those that are ASCII only the second byte. */
// @inline
function packPairs(pairs: v128, foreign: u32, target: u32, packing: u32): u32 {
  v128.store(target, i8x16.swizzle(pairs, v128.load(packing + (foreign << 4))));
  return target + 8 + <u32>popcnt(foreign);
}

/** Converts eight letters without a branch: in words of two alphabets the branches could not be predicted. */
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
