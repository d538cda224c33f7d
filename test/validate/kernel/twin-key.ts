export type KeyTwin = ReturnType<typeof keyTwin>;

/** Folds a part's brand and number as text, and hashes what comes out. */
export function keyTwin(bytes: Uint8Array, view: DataView) {
  const low = { value: 0 };
  const high = { value: 0 };

  function hashKey(from: number, to: number): void {
    view.setUint32(to, 0, true);
    let a = 0x9747b28c;
    let b = 0x3c6ef372;
    for (let at = from; at < to; at += 4) {
      const word = view.getUint32(at, true);
      a =
        (Math.imul(rotate(a ^ Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593), 13), 5) + 0xe6546b64) | 0;
      b =
        (Math.imul(rotate(b ^ Math.imul(rotate(Math.imul(word, 0x239b961b), 16), 0xab0e9789), 17), 9) + 0x561ccd1b) | 0;
    }
    low.value = mix(a ^ (to - from)) | 0;
    high.value = mix(b + (to - from)) | 0;
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

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
