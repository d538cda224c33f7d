import type { DetectedCharset } from './charsets.ts';
import { ESCAPE as ESCAPE_BYTE, sampleOf, type Scan } from './scan.ts';

const ESCAPE = String.fromCharCode(ESCAPE_BYTE);

/** Charsets that are ASCII to the last byte: what turns their letters on and off shows them; `␛` stands for an escape. */
const SWITCHING = [
  { charset: 'iso-2022-kr', sign: /␛\$\)C/, what: 'the escape sequence' },
  { charset: 'iso-2022-cn', sign: /␛\$(?:\)[AEG]|\*H|\+[I-M])/, what: 'the escape sequences' },
  { charset: 'iso-2022-jp', sign: /␛(?:\$(?:[@AB]|\([DOPQ])|\([IJ])/, what: 'the escape sequences' },
  { charset: 'hz-gb-2312', sign: /~\{(?:[!-}][!-~])+~\}/, what: 'the "~{" and "~}"' },
  { charset: 'utf-7', sign: /[a-z]\+A[A-P][\w+/]-[a-z]/i, what: 'the coded letters' },
];

/**
 * Names a charset that offerline recognises but cannot read: EBCDIC, and those that switch between alphabets. Other
 * charsets read their bytes as something plausible, so no other evidence stops them.
 */
export function unsupportedCharset(scan: Scan): DetectedCharset | undefined {
  if (looksLikeEbcdic(scan.head)) return unsupported('ebcdic', 'the blanks and digits');
  if (!scan.ascii) return undefined;
  const text = sampleOf(scan).toString('latin1').replaceAll(ESCAPE, '␛');
  const found = SWITCHING.find(({ sign }) => sign.test(text));
  return found === undefined ? undefined : unsupported(found.charset, found.what);
}

function unsupported(charset: string, what: string): DetectedCharset {
  const evidence = `The file has ${what} of ${charset.toUpperCase()}, which is not supported: ask for the file in UTF-8.`;
  return { charset, bom: false, sure: false, confidence: 0, evidence: [evidence] };
}

const EBCDIC = { leastBytes: 40, blank: 0x40, newlines: [0x0d, 0x15, 0x25], zero: 0xf0, nine: 0xf9 };
/** Blanks and digits make up a good part of any list. */
const LEAST_PLAIN = 0.08;
const LEAST_BREAKS = 0.01;
/** What is a blank, a digit or a delimiter in ASCII is a control character in EBCDIC. */
const MOST_ASCII = 0.01;

/** EBCDIC has its blank at `@` and its digits at the end of the bytes, and neither ASCII digits nor line feeds. */
function looksLikeEbcdic(head: Uint8Array): boolean {
  if (head.length < EBCDIC.leastBytes) return false;
  const counts = { plain: 0, breaks: 0 };
  let ascii = 0;
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at]!;
    const isNewline = EBCDIC.newlines.includes(byte);
    if (byte === 0x0a || (byte >= 0x20 && byte < 0x40 && !isNewline)) {
      ascii += 1;
      // Most files are known to be none after few of their bytes.
      if (ascii >= head.length * MOST_ASCII) return false;
    }
    if (byte === EBCDIC.blank || (byte >= EBCDIC.zero && byte <= EBCDIC.nine)) counts.plain += 1;
    if (byte === EBCDIC.blank || isNewline) counts.breaks += 1;
  }
  return counts.plain >= head.length * LEAST_PLAIN && counts.breaks >= head.length * LEAST_BREAKS;
}
