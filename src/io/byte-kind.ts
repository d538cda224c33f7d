/** What the bytes of a file are, as far as byte order marks and NUL bytes show: a Unicode text, another text, or no text. */
export type ByteKind =
  { kind: 'unicode'; charset: WideCharset | 'utf-8'; bomBytes: number } | { kind: 'eight-bit' } | { kind: 'binary' };

type WideCharset = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

const BOMS: { charset: WideCharset | 'utf-8'; bytes: number[] }[] = [
  { charset: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { charset: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { charset: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { charset: 'utf-16le', bytes: [0xff, 0xfe] },
  { charset: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** A text may have some stray control characters (they are issues of their cells); more than this share is no text. */
const MAX_CONTROL_SHARE = 0.03;

/** NUL and other control characters; not tab, newlines, form feed, DOS end of file, escape (ISO-2022). */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0e-\x19\x1c-\x1f]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** Looks at the beginning of a file (some KB from offset 0); a byte order mark decides, then the pattern of NUL bytes. */
export function byteKind(head: Uint8Array): ByteKind {
  for (const { charset, bytes } of BOMS) {
    if (bytes.every((byte, at) => head[at] === byte)) return { kind: 'unicode', charset, bomBytes: bytes.length };
  }
  const charset = head.includes(0) ? (utf32Order(head) ?? utf16Order(head)) : undefined;
  if (charset !== undefined) return { kind: 'unicode', charset, bomBytes: 0 };
  return isBinary(head) ? { kind: 'binary' } : { kind: 'eight-bit' };
}

/** Whether bytes that are not UTF-16 or UTF-32 hold more control characters than any text does. */
export function isBinary(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return (text.match(CONTROLS)?.length ?? 0) > bytes.length * MAX_CONTROL_SHARE;
}

function isControl(byte: number): boolean {
  return CONTROL.test(String.fromCharCode(byte));
}

/** Every fourth byte of UTF-32 is NUL, and the one beside it is at most 0x10. */
function utf32Order(bytes: Uint8Array): WideCharset | undefined {
  const units = Math.floor(bytes.length / 4);
  let little = 0;
  let big = 0;
  for (let at = 0; at < units * 4; at += 4) {
    if (bytes[at + 3] === 0 && bytes[at + 2]! <= 0x10) little += 1;
    if (bytes[at] === 0 && bytes[at + 1]! <= 0x10) big += 1;
  }
  if (units < 2 || Math.max(little, big) < units) return undefined;
  return little > big ? 'utf-32le' : 'utf-32be';
}

/**
 * The order in which the bytes read as UTF-16: delimiters, digits, spaces and newlines have a NUL on the same side. The
 * other order turns them into rare characters, and a binary file has code units that no text has.
 */
function utf16Order(bytes: Uint8Array): WideCharset | undefined {
  const little = countUnits(bytes, 1, 0);
  const big = countUnits(bytes, 0, 1);
  const [best, other, charset] =
    little.plain >= big.plain ? ([little, big, 'utf-16le'] as const) : ([big, little, 'utf-16be'] as const);
  const isText =
    best.plain > best.units * 0.03 && best.implausible <= best.units * 0.02 && other.plain * 10 < best.plain;
  return isText ? charset : undefined;
}

/** Counts code units that are printable ASCII or line structure (`plain`), and those that no text has (`implausible`). */
function countUnits(bytes: Uint8Array, high: 0 | 1, low: 0 | 1) {
  const units = Math.floor(bytes.length / 2);
  let plain = 0;
  let implausible = 0;
  for (let at = 0; at < units * 2; at += 2) {
    const highByte = bytes[at + high]!;
    const lowByte = bytes[at + low]!;
    if (highByte === 0) {
      if (isControl(lowByte) || (lowByte >= 0x7f && lowByte <= 0x9f)) implausible += 1;
      else if (lowByte < 0x7f) plain += 1;
    } else if (highByte >= 0xe0 && highByte <= 0xf8) {
      implausible += 1;
    }
  }
  return { units, plain, implausible };
}
