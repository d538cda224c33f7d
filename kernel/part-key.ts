import { folding, keyRoom } from './settings';

/** The two halves of the hash that `hashKey` made. */
export let hashLow: u32 = 0;
export let hashHigh: u32 = 0;

const NOT_FOLDED: u32 = 0xffffffff;

/** Hashes the key of a part; false when it has letters that only the careful path can fold. */
export function hashPart(brand: u32, brandEnd: u32, oem: u32, oemEnd: u32): bool {
  const room = keyRoom();
  let at = fold(brand, brandEnd, room);
  if (at == NOT_FOLDED) return false;
  store<u8>(at, 9);
  at = fold(oem, oemEnd, at + 1);
  if (at == NOT_FOLDED) return false;
  hashKey(room, at);
  return true;
}

function fold(from: u32, to: u32, target: u32): u32 {
  let out = target;
  let at = from;
  while (at < to) {
    const byte = load<u8>(at);
    const folded = load<u8>(folding + byte);
    at += 1;
    if (folded > 1) {
      store<u8>(out, folded);
      out += 1;
    } else if (folded == 1) {
      const letter = at < to ? foldPair(byte, load<u8>(at)) : 0;
      if (letter == 0) return NOT_FOLDED;
      store<u16>(out, letter);
      out += 2;
      at += 1;
    }
  }
  return out;
}

/** The capital of a Latin or Cyrillic letter of two bytes, low byte first; 0 for any other. */
function foldPair(first: u32, second: u32): u32 {
  if (first == 0xd0) {
    if (second < 0xb0) return 0xd0 | (second << 8);
    return 0xd0 | ((second - 0x20) << 8);
  }
  if (first == 0xd1) {
    if (second < 0x90) return 0xd0 | ((second + 0x20) << 8);
    return second < 0xa0 ? 0xd0 | ((second - 0x10) << 8) : 0;
  }
  if (first != 0xc3 || second == 0x9f || second == 0xbf) return 0;
  return 0xc3 | ((second > 0x9f && second != 0xb7 ? second - 0x20 : second) << 8);
}

/** Two lanes of 32 bits over words of four bytes, the last one filled with zeros; writes up to 3 bytes behind `to`. */
export function hashKey(from: u32, to: u32): void {
  store<u32>(to, 0);
  let a: u32 = 0x9747b28c;
  let b: u32 = 0x3c6ef372;
  for (let at = from; at < to; at += 4) {
    const word = load<u32>(at);
    a = rotl<u32>(a ^ (rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593), 13) * 5 + 0xe6546b64;
    b = rotl<u32>(b ^ (rotl<u32>(word * 0x239b961b, 16) * 0xab0e9789), 17) * 9 + 0x561ccd1b;
  }
  hashLow = mix(a ^ (to - from));
  hashHigh = mix(b + (to - from));
}

function mix(value: u32): u32 {
  let mixed = value ^ (value >> 16);
  mixed *= 0x85ebca6b;
  mixed ^= mixed >> 13;
  mixed *= 0xc2b2ae35;
  return mixed ^ (mixed >> 16);
}
