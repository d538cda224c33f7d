/** Names of characters in web pages that price lists have; the case of letters counts for those with accents. */
const NAMED = new Map(
  (
    'amp & lt < gt > quot " apos \' laquo « raquo » ldquo “ rdquo ” lsquo ‘ rsquo ’ bdquo „ ndash – mdash — minus − hellip … middot · ' +
    'bull • deg ° reg ® copy © trade ™ sect § para ¶ euro € pound £ yen ¥ times × plusmn ± frac12 ½ frac14 ¼ frac34 ¾ sup2 ² sup3 ³ ' +
    'micro µ Oslash Ø oslash ø Auml Ä auml ä Ouml Ö ouml ö Uuml Ü uuml ü szlig ß Eacute É eacute é Egrave È egrave è ecirc ê euml ë ' +
    'Aacute Á aacute á agrave à acirc â Aring Å aring å aelig æ iacute í igrave ì icirc î iuml ï Oacute Ó oacute ó ograve ò ocirc ô ' +
    'otilde õ atilde ã uacute ú ugrave ù ucirc û Ccedil Ç ccedil ç Ntilde Ñ ntilde ñ yacute ý Scaron Š scaron š num # sol / comma , ' +
    'period . colon : semi ; lpar ( rpar ) lsqb [ rsqb ] ast * plus + equals = percnt % commat @ lowbar _'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, at, words) => {
      if (at % 2 === 0) pairs.push([word, words[at + 1]!]);
      return pairs;
    }, []),
);
/** Blanks of all kinds are a blank here, and what is invisible is nothing. */
for (const name of ['nbsp', 'ensp', 'emsp', 'thinsp', 'Tab', 'NewLine']) NAMED.set(name, ' ');
for (const name of ['shy', 'zwj', 'zwnj', 'lrm', 'rlm']) NAMED.set(name, '');

const ENTITY = /&(?:#(\d{2,5})|#x([0-9a-f]{2,4})|([a-z]{2,6}\d{0,2}));/gi;
/** What was encoded twice: `&amp;nbsp;`. */
const MOST_ROUNDS = 3;
/** An element around all of a cell, without another one of its name in it. */
const ELEMENT = /^\s*<([a-z][a-z\d]{0,9})(?:\s[^<>]*)?>(.*)<\/\1\s*>\s*$/isu;
/** Elements that only say how their text looks, wherever in a cell they stand. */
const LOOKS = /<(b|i|u|em|strong|span|font|small|big|nobr|center|mark)(?:\s[^<>]*)?>([^<>]*)<\/\1\s*>/giu;
const LINE_END = /^\s*(?:<br\s*\/?>\s*)+|(?:\s*<br\s*\/?>)+\s*$/giu;

/**
 * The text that a cell of a web page shows: its entities decoded, without elements that say how it looks or stand around all of it; null
 * when it is no markup. No
 * part of a brand, a number, a name or a tag looks like this.
 */
export function withoutMarkup(cell: string): string | null {
  if (!cell.includes('&') && !cell.includes('<')) return null;
  let text = cell;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const bare = withoutElement(text);
    const decoded = bare.replaceAll(ENTITY, meantBy);
    if (decoded === text) break;
    text = decoded;
  }
  return text === cell ? null : text;
}

function withoutElement(cell: string): string {
  if (!cell.includes('<')) return cell;
  const text = cell.replaceAll(LINE_END, '').replaceAll(LOOKS, '$2');
  const [, name, inside] = ELEMENT.exec(text) ?? [];
  return name === undefined || new RegExp(`</?${name}[\\s>]`, 'iu').test(inside!) ? text : inside!;
}

function meantBy(written: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? written;
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
  if (code === 0xa0 || code === 9 || code === 10 || code === 13) return ' ';
  if (code === 0xad || (code >= 0x200b && code <= 0x200f) || code === 0xfeff) return '';
  const isCharacter = code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0) && code < 0xfff0;
  return isCharacter && (code < 0xd800 || code >= 0xe000) ? String.fromCharCode(code) : written;
}
