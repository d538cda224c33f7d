import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { EncodingDetector } from 'chardetng-wasm/dist/chardetng_wasm.js';
import jschardet from 'jschardet';

export type CharsetPeer = (bytes: Buffer) => string | null;

const BYTE_ORDER_MARKS = [
  { bytes: Buffer.from([0xef, 0xbb, 0xbf]), charset: 'utf-8' },
  { bytes: Buffer.from([0xff, 0xfe]), charset: 'utf-16le' },
  { bytes: Buffer.from([0xfe, 0xff]), charset: 'utf-16be' },
];

/** What else npm has for finding a charset; null when it does not know. */
export const CHARSET_PEERS: Record<string, CharsetPeer> = {
  jschardet: (bytes) => jschardet.detect(bytes).encoding?.toLowerCase() ?? null,
  chardet: (bytes) => {
    const [best] = analyse(bytes);
    return best === undefined || best.confidence === 0 ? null : best.name.toLowerCase();
  },
  chardetng: (bytes) => markOf(bytes) ?? wideCharset(bytes) ?? (isUtf8(bytes) ? 'utf-8' : guessed(bytes)),
};

function markOf(bytes: Buffer): string | undefined {
  return BYTE_ORDER_MARKS.find((mark) => bytes.subarray(0, mark.bytes.length).equals(mark.bytes))?.charset;
}

/** chardetng, made for pages of the web, leaves UTF-16 to its caller: most characters of a table have one byte that is 0. */
function wideCharset(bytes: Buffer): string | undefined {
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < bytes.length / 10) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function guessed(bytes: Buffer): string {
  const detector = EncodingDetector.new();
  detector.feed(bytes, true);
  const charset = detector.guess(undefined, false).toLowerCase();
  detector.free();
  return charset;
}
