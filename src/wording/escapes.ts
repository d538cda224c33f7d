/**
 * An escape of JSON, of HTML, or of addresses. Percent escapes whose bytes make characters together are one; of a longer row each
 * piece ends before the first byte of a character, since a pattern that takes megabytes at once may exhaust its stack.
 */
const ESCAPE =
  /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["\\/'bfnrt])|&#0{0,6}(\d{1,7});?|&#x0{0,6}([0-9a-f]{1,6});?|&([a-z]{2,8});|((?:%[0-9a-f]{2}){1,64}(?!%[89ab][0-9a-f])|%[0-9a-f]{2})|%u([0-9a-f]{4})/gi;

const SHORT_ESCAPES = new Map(Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }));

/** HTML's names of the signs of ASCII, and of Latin 1 from U+00A0 on. */
const NAMES = new Map([
  ...(
    'quot:" amp:& apos:\' lt:< gt:> excl:! num:# dollar:$ percnt:% lpar:( rpar:) ast:* plus:+ comma:, period:. sol:/ colon:: ' +
    'semi:; equals:= quest:? commat:@ lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:] hat:^ lowbar:_ grave:` lcub:{ lbrace:{ verbar:| vert:| ' +
    'rcub:} rbrace:} tilde:~ dash:-'
  )
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  ...(
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
    'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
    'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute ' +
    'THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
    'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
  )
    .split(' ')
    .map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
]);

/** A text with its escapes undone once; `places` says where each of its characters, and its end, stand in the given text. */
export type Decoded = { text: string; places: number[] };

/** Undoes the escapes of JSON, HTML and addresses, all at once and once only; null when there are none. */
export function decodeEscapes(text: string): Decoded | null {
  let decoded = '';
  const places: number[] = [];
  let taken = 0;
  const keep = (to: number) => {
    for (; taken < to; taken += 1) places.push(taken);
  };
  for (const found of text.matchAll(ESCAPE)) {
    const pieces = meaningOf(found);
    if (pieces === null) continue;
    decoded += text.slice(taken, found.index);
    keep(found.index);
    for (const { text: piece, length } of pieces) {
      decoded += piece;
      for (let at = 0; at < piece.length; at += 1) places.push(taken);
      taken += length;
    }
  }
  if (taken === 0 && decoded === '') return null;
  decoded += text.slice(taken);
  keep(text.length);
  return { text: decoded, places: [...places, text.length] };
}

/** A text with its escapes undone until there are none, or as often as is said. */
export function escapeless(text: string, rounds: number): string {
  const decoded = rounds === 0 ? null : decodeEscapes(text);
  return decoded === null ? text : escapeless(decoded.text, rounds - 1);
}

/** What an escape stands for, in pieces with the length that each takes in the text; null when it stands for itself. */
function meaningOf(found: RegExpMatchArray): { text: string; length: number }[] | null {
  const [written, unicode, byte, short, decimal, hex, name, percent, legacy] = found;
  if (percent !== undefined) return fromPercent(percent);
  const code = unicode ?? byte ?? hex ?? legacy;
  const point = code !== undefined ? Number.parseInt(code, 16) : decimal === undefined ? null : Number(decimal);
  if (point !== null) return point > 0x10ffff ? null : [{ text: String.fromCodePoint(point), length: written.length }];
  const text = short === undefined ? named(name ?? '') : (SHORT_ESCAPES.get(short) ?? short);
  return text === undefined ? null : [{ text, length: written.length }];
}

function named(name: string): string | undefined {
  return NAMES.get(name) ?? NAMES.get(name.toLowerCase());
}

function fromPercent(run: string): { text: string; length: number }[] {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD')) return Array.from(bytes, (byte) => ({ text: String.fromCharCode(byte), length: 3 }));
  return Array.from(text, (one) => ({ text: one, length: Buffer.byteLength(one) * 3 }));
}

/** A word of a command as a shell takes it: in quotes where it has to be. */
export function forShell(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
