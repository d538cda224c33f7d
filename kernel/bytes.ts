/** Copies [from, to) to `target` and returns its end there; reads and writes up to 63 bytes too many. */
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

/** Writes a number in decimal digits and returns their end. */
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

/** Which of 16 bytes from `at` on are among the first `length`: all bits of each. */
// @inline
export function maskOf(length: u32, at: u32): v128 {
  const places = v128(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const rest = <i32>length - <i32>at;
  return i8x16.gt_s(i8x16.splat(<i8>(rest > 16 ? 16 : rest)), places);
}
