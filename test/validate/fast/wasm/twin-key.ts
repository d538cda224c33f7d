export type KeyTwin = ReturnType<typeof keyTwin>;

/** Folds a part's brand and number as text, and hashes what comes out. */
export function keyTwin(bytes: Uint8Array) {
  const low = { value: 0 };
  const high = { value: 0 };

  /** The brand's hash is finished by itself, so that it can be remembered. */
  function hashKey(from: number, to: number): void {
    const [brand, oem] = splitKey(bytes.slice(from, to));
    const hash = finish(finish(hashText(brand)) ^ hashText(oem));
    low.value = Number(BigInt.asIntN(32, hash));
    high.value = Number(BigInt.asIntN(32, hash >> 32n));
  }

  /** The key as UTF-8, or null when it has letters beyond Latin-1 and basic Cyrillic. */
  function foldKey(brand: Uint8Array, oem: Uint8Array): Buffer | null {
    const [first, second] = [fold(Buffer.from(brand).toString()), fold(Buffer.from(oem).toString())];
    return first === null || second === null ? null : Buffer.from(`${first}\t${second}`);
  }

  return { low, high, hashKey, foldKey, bytes };
}

function fold(text: string): string | null {
  if (/[^\0-\x7f\u00c0-\u00de\u00e0-\u00fe\u0400-\u045f]/.test(text)) return null;
  return text.replaceAll(/[\s.-]+/g, '').toUpperCase();
}

function splitKey(key: Uint8Array): [Uint8Array, Uint8Array] {
  const tab = key.indexOf(9);
  return [key.subarray(0, tab), key.subarray(tab + 1)];
}

const [P1, P2, P3, P4] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n];
const SEED = 0x27d4eb2f165667c5n;

/** XXH64 over blocks of two words, at least one, the last one filled with zeros; then the length is added. */
function hashText(text: Uint8Array): bigint {
  const blocks = Buffer.alloc(Math.max(16, Math.ceil(text.length / 16) * 16));
  blocks.set(text);
  let mixed = SEED;
  for (let at = 0; at < blocks.length; at += 8) {
    const word = times(rotate(times(blocks.readBigUInt64LE(at), P2), 31n), P1);
    mixed = times(rotate(mixed ^ word, 27n), P1) + P4;
  }
  return BigInt.asUintN(64, mixed + BigInt(text.length));
}

function finish(value: bigint): bigint {
  let mixed = value;
  mixed ^= mixed >> 33n;
  mixed = times(mixed, P2);
  mixed ^= mixed >> 29n;
  mixed = times(mixed, P3);
  return mixed ^ (mixed >> 32n);
}

function rotate(value: bigint, bits: bigint): bigint {
  const word = BigInt.asUintN(64, value);
  return BigInt.asUintN(64, (word << bits) | (word >> (64n - bits)));
}

function times(value: bigint, factor: bigint): bigint {
  return BigInt.asUintN(64, value * factor);
}
