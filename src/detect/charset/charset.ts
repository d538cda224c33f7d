import { byteKind } from '../../io/byte-kind.ts';
import { canDecode } from '../../io/text-decode.ts';
import { OfferlineError } from '../../errors.ts';
import { canonicalCharset, type DetectedCharset } from './charsets.ts';
import { sampleOf, type Scan } from './scan.ts';
import { unsupportedCharset } from './unsupported.ts';
import type { HeaderNames } from '../table/header-names.ts';

const UTF16_HEAD_BYTES = 64 * 1024;

/** What is known beside the bytes: the charset that is set, or that of other files of the same kind. */
type KnownCharset = { set?: string | undefined; likely?: string | undefined };

/**
 * Finds the charset in layers, the most certain first: a setting, a byte order mark, the NUL bytes of UTF-16, what cannot be
 * read, strict UTF-8 over the whole file, and only then the legacy charsets, by how plausible their readings are; the likely one decides
 * where these leave it open.
 */
export async function charsetOf(
  scan: Scan,
  names: HeaderNames,
  { set, likely }: KnownCharset = {},
): Promise<DetectedCharset> {
  const kind = byteKind(scan.head.subarray(0, UTF16_HEAD_BYTES));
  const bomBytes = kind.kind === 'unicode' ? kind.bomBytes : 0;
  if (set !== undefined) return fromSetting(set, kind.kind === 'unicode' && bomBytes > 0 ? kind.charset : undefined);
  if (kind.kind === 'unicode') {
    const marked = bomBytes > 0;
    const seen = marked ? `begins with the byte order mark of ${kind.charset}` : `has the NUL bytes of ${kind.charset}`;
    return detected(kind.charset, 1, [`The file ${seen}.`], marked);
  }
  const unsupported = unsupportedCharset(scan);
  if (unsupported !== undefined) return unsupported;
  if (kind.kind === 'binary') {
    return detected('binary', 0, ['The file is full of control characters: it is not text.']);
  }
  return eightBitCharset(scan, names, likely);
}

async function eightBitCharset(scan: Scan, names: HeaderNames, likely: string | undefined): Promise<DetectedCharset> {
  if (scan.ascii) return detected('utf-8', 1, ['Every byte is ASCII, which is UTF-8.']);
  const legacy = async () => (await import('./legacy.ts')).legacyCharset(sampleOf(scan), names, likely);
  const utf8 = damagedOrWholeUtf8(scan);
  if (utf8 === undefined) return legacy();
  return utf8.sure ? utf8 : { ...utf8, rival: (await legacy()).charset };
}

function detected(charset: string, confidence: number, evidence: string[], bom = false): DetectedCharset {
  return { charset, bom, sure: confidence >= 0.9, confidence, evidence };
}

/** An explicit setting wins, even over a byte order mark, which is then only removed if it is one of that charset. */
function fromSetting(hint: string, marked: string | undefined): DetectedCharset {
  const charset = /^utf-?16$/i.test(hint) && marked?.startsWith('utf-16') ? marked : canonicalCharset(hint);
  if (!canDecode(charset)) {
    throw new OfferlineError('usage', `Unknown charset "${hint}". Name one such as utf-8, windows-1251 or ibm866.`);
  }
  const evidence = [`The charset is set to ${charset}.`];
  if (marked !== undefined && marked !== charset) evidence.push(`The file begins with a byte order mark of ${marked}.`);
  return detected(charset, 1, evidence, marked === charset);
}

/** UTF-8, perhaps with a few damaged bytes: a legacy charset does not form hundreds of valid sequences by chance. */
function damagedOrWholeUtf8({ utf8: { valid, invalid } }: Scan): DetectedCharset | undefined {
  if (invalid === 0) return detected('utf-8', 1, ['The whole file is valid UTF-8.']);
  if (valid < 5 || valid < invalid) return undefined;
  const confidence = valid >= 10 * invalid ? 0.95 : 0.5;
  const share = `${valid} characters are valid UTF-8, at least ${invalid} bytes are not`;
  return detected('utf-8', confidence, [`${share}; the latter are reported as undecodable.`]);
}
