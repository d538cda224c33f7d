/** Characters that are given at a time. */
const SLICE = 64 * 1024;

/** Where comments and CDATA begin, `&` with the reference that follows it, and control characters that XML forbids. */
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /<!--|<!\[CDATA\[|&(?:(?:lt|gt|amp|quot|apos);|#(\d{1,7});|#x([0-9a-f]{1,6});)?|[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/giu;

/**
 * A text of XML in slices, with what strict parsers refuse although its meaning is clear: `&` that begins no reference stays as
 * the service wrote it, characters that XML forbids become U+FFFD. Comments and CDATA keep theirs.
 */
export function* mendXml(text: string): Generator<string> {
  let slice = '';
  let taken = 0;
  const special = new RegExp(SPECIAL);
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [written] = found;
    if (written.startsWith('<')) {
      const end = text.indexOf(written === '<!--' ? '-->' : ']]>', special.lastIndex);
      if (end < 0) break;
      special.lastIndex = end;
    } else {
      slice += text.slice(taken, found.index) + mended(found);
      taken = special.lastIndex;
    }
    if (slice.length < SLICE) continue;
    yield* slicesOf(slice);
    slice = '';
  }
  yield* slicesOf(slice + text.slice(taken));
}

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += SLICE) yield text.slice(at, at + SLICE);
}

function mended([written, decimal, hex]: RegExpExecArray): string {
  if (!written.startsWith('&')) return '\uFFFD';
  if (written === '&') return '&amp;';
  if (decimal === undefined && hex === undefined) return written.toLowerCase();
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return isCharacter(point) ? `&#${point};` : '\uFFFD';
}

/** Characters that XML allows. */
function isCharacter(point: number): boolean {
  const isControl = point < 0x20 && ![0x09, 0x0a, 0x0d].includes(point);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point <= 0x10ffff && point !== 0xfffe && point !== 0xffff && !isControl && !isSurrogate;
}
