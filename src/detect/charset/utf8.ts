import { isUtf8 } from 'node:buffer';

/** Sequences of several bytes that are UTF-8, and bytes that are part of none. */
export type Utf8Count = { valid: number; invalid: number };

/** How many of the last bytes begin a character that the bytes to come may complete. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** How many of the first bytes continue a character that began before: three at most. */
export function continuationBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && (bytes[count]! & 0xc0) === 0x80) count += 1;
  return count;
}

/** Adds the sequences and strays of these bytes to a count, until both together are `limit`; but one stray at least if there is any. */
export function countUtf8(bytes: Uint8Array, count: Utf8Count, limit: number): void {
  const isWhole = isUtf8(bytes);
  const before = count.invalid;
  let at = 0;
  while (at < bytes.length && count.valid + count.invalid < limit) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(byte);
    if (isWhole || (length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))) {
      count.valid += 1;
      at += length;
    } else {
      count.invalid += 1;
      at += 1;
    }
  }
  if (!isWhole && count.invalid === before) count.invalid += 1;
}

/** By the first byte; 1 for ASCII and for bytes that begin nothing. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xc2 && lead <= 0xdf ? 2 : 1;
}
