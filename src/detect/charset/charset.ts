import { byteKind } from '../../io/byte-kind.ts';
import { canDecode } from '../../io/text-decode.ts';
import { OfferlineError } from '../../errors.ts';
import { canonicalCharset, type CharsetVerdict } from './charsets.ts';
import { sampleOf, type Scan } from './scan.ts';

const EBCDIC_LEAST_BYTES = 40;
const EBCDIC_BLANK = 0x40;
const EBCDIC_LEAST_BLANKS = 0.02;
const EBCDIC_DOUBT =
  'It has no blanks and no line feeds, but many "@": it may be EBCDIC of a mainframe, which is not read here.';

const UTF16_HEAD_BYTES = 64 * 1024;

/**
 * Layers, the most certain first: a setting, a byte order mark, the NUL bytes of UTF-16, strict UTF-8 over the whole
 * file, and only then the legacy charsets by what their readings look like.
 */
export async function charsetOf(scan: Scan, names: Set<string>, hint?: string): Promise<CharsetVerdict> {
  const kind = byteKind(scan.head.subarray(0, UTF16_HEAD_BYTES));
  const bomBytes = kind.kind === 'unicode' ? kind.bomBytes : 0;
  if (hint !== undefined) return settled(hint, kind.kind === 'unicode' && bomBytes > 0 ? kind.charset : undefined);
  if (kind.kind === 'unicode') {
    const marked = bomBytes > 0;
    const seen = marked ? `begins with the byte order mark of ${kind.charset}` : `has the NUL bytes of ${kind.charset}`;
    return verdict(kind.charset, 1, [`The file ${seen}.`], marked);
  }
  if (kind.kind === 'binary') {
    return verdict('binary', 0, ['The file is full of control characters: it is no text.']);
  }
  const found = await eightBitCharset(scan, names);
  return looksLikeEbcdic(scan.head) ? doubted(found) : found;
}

async function eightBitCharset(scan: Scan, names: Set<string>): Promise<CharsetVerdict> {
  if (scan.ascii) return verdict('utf-8', 1, ['Every byte is ASCII, which is UTF-8.']);
  const legacy = async () => (await import('./legacy.ts')).legacyCharset(sampleOf(scan), names);
  const utf8 = utf8Verdict(scan);
  if (utf8 === undefined) return legacy();
  return utf8.sure ? utf8 : { ...utf8, rival: (await legacy()).charset };
}

function doubted(found: CharsetVerdict): CharsetVerdict {
  const confidence = Math.min(found.confidence, 0.5);
  return { ...found, sure: false, confidence, evidence: [...found.evidence, EBCDIC_DOUBT] };
}

function verdict(charset: string, confidence: number, evidence: string[], bom = false): CharsetVerdict {
  return { charset, bom, sure: confidence >= 0.9, confidence, evidence };
}

/** An explicit setting wins, even over a byte order mark, which is then only removed if it is one of that charset. */
function settled(hint: string, marked: string | undefined): CharsetVerdict {
  const charset = /^utf-?16$/i.test(hint) && marked?.startsWith('utf-16') ? marked : canonicalCharset(hint);
  if (!canDecode(charset)) {
    throw new OfferlineError('usage', `Unknown charset "${hint}". Name one such as utf-8, windows-1251 or ibm866.`);
  }
  const evidence = [`The charset is set to ${charset}.`];
  if (marked !== undefined && marked !== charset) evidence.push(`The file begins with a byte order mark of ${marked}.`);
  return verdict(charset, 1, evidence, marked === charset);
}

/** UTF-8 with a few broken bytes is still UTF-8: a legacy charset does not form hundreds of valid sequences by chance. */
function utf8Verdict({ utf8: { valid, invalid } }: Scan): CharsetVerdict | undefined {
  if (invalid === 0) return verdict('utf-8', 1, ['The whole file is valid UTF-8.']);
  if (valid < 5 || valid < invalid) return undefined;
  const confidence = valid >= 10 * invalid ? 0.95 : 0.5;
  const share = `${valid} characters are valid UTF-8, at least ${invalid} bytes are not`;
  return verdict('utf-8', confidence, [`${share}; those are reported as undecodable.`]);
}

/**
 * Texts of mainframes have no blank and no line feed where ASCII has them, but many `@`, which is their blank. The
 * Hebrew ones are ASCII to the last byte.
 */
function looksLikeEbcdic(head: Uint8Array): boolean {
  if (head.length < EBCDIC_LEAST_BYTES || head.includes(0x20) || head.includes(0x0a)) return false;
  let blanks = 0;
  for (const byte of head) if (byte === EBCDIC_BLANK) blanks += 1;
  return blanks > head.length * EBCDIC_LEAST_BLANKS;
}
