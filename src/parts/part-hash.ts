/** Where a 64-bit hash is left: a pair that is used again for every part makes no garbage. */
export type HashPair = { high: number; low: number };

/** Where the cells of a part stand in bytes. */
export type PartPlace = { brand: number; brandEnd: number; oem: number; oemEnd: number };

/** Hashes a part key. */
export function hashKey(key: string, into: HashPair): void {
  const units = key.length <= SCRATCH.length ? SCRATCH : new Uint16Array(key.length);
  for (let at = 0; at < key.length; at += 1) units[at] = key.charCodeAt(at);
  hashUnits(units, key.length, into);
}

/**
 * Hashes the part in a row of UTF-8 bytes as `hashKey(partKey(brand, oem))` does, without making texts of it. Answers
 * false, and leaves nothing, for cells beyond ASCII and for very long ones: those are left to `partKey`. `folded`: see `foldedBytes`.
 */
export function hashPart(bytes: Uint8Array, place: PartPlace, into: HashPair, folded: Uint16Array = FOLDED): boolean {
  const { brand, brandEnd, oem, oemEnd } = place;
  if (brandEnd - brand + (oemEnd - oem) + 1 > SCRATCH.length) return false;
  const middle = foldInto(folded, 0, bytes, brand, brandEnd);
  if (middle < 0) return false;
  SCRATCH[middle] = 0x09;
  const length = foldInto(folded, middle + 1, bytes, oem, oemEnd);
  if (length < 0) return false;
  hashUnits(SCRATCH, length, into);
  return true;
}

/** The folded units of the key at hand; nothing in it outlives a call. */
const SCRATCH = new Uint16Array(4096);

const DROPPED = 0;
const BEYOND = 0xffff;

/** What `partKey` makes of each byte; zero stays zero in it, so that it counts as beyond. */
const FOLDED = Uint16Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0 || byte > 0x7f) return BEYOND;
  return /[\s\-.]/.test(String.fromCharCode(byte)) ? DROPPED : String.fromCharCode(byte).toUpperCase().charCodeAt(0);
});

/** What `partKey` makes of the bytes that fit, for `hashPart`; others count as beyond. */
export function foldedBytes(fits: (byte: number) => boolean): Uint16Array {
  return FOLDED.map((unit, byte) => (fits(byte) ? unit : BEYOND));
}

/** Answers where the folded cell ends, or -1. */
function foldInto(folded: Uint16Array, start: number, bytes: Uint8Array, from: number, to: number): number {
  let length = start;
  for (let at = from; at < to; at += 1) {
    const unit = folded[bytes[at]!]!;
    if (unit === BEYOND) return -1;
    if (unit === DROPPED) continue;
    SCRATCH[length] = unit;
    length += 1;
  }
  return length;
}

/**
 * Two 32-bit lanes that read every UTF-16 unit: rotations carry high bits down, the multiplications carry low bits up,
 * and each lane has its own constants (those of MurmurHash3), so that what collides in one does not in the other.
 */
function hashUnits(units: Uint16Array, length: number, into: HashPair): void {
  let a = 0x9747b28c;
  let b = 0x3c6ef372;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at]!;
    a = Math.imul(a ^ unit, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b + unit, 0x1b873593);
    b = ((b << 13) | (b >>> 19)) ^ unit;
  }
  into.high = finish(a ^ length);
  into.low = finish(b + length);
}

/** The final mix of MurmurHash3: every bit of the input changes every bit of the output. */
function finish(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
