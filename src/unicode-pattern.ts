/** Nearly all texts of the trade: ASCII, and the letters of Western European and most Slavic languages. */
const PLAIN = /^[\0-\x7fÀ-ÖØ-öø-ÿЀ-џ]*$/;

/** What Unicode's classes hold of them. */
const CLASSES = new Map([
  ['L', 'A-Za-zÀ-ÖØ-öø-ÿЀ-џ'],
  ['Lu', 'A-ZÀ-ÖØ-ÞЀ-Я'],
  ['Ll', 'a-zß-öø-ÿа-џ'],
  ['N', '0-9'],
  ['M', ''],
  ['sc=Latin', 'A-Za-zÀ-ÖØ-öø-ÿ'],
  ['sc=Cyrillic', 'Ѐ-џ'],
  ['sc=Han', ''],
  ['sc=Hangul', ''],
  ['sc=Hiragana', ''],
  ['sc=Katakana', ''],
]);

/**
 * A regular expression with Unicode's classes, `\p{L}` and the like; returns the one to use for a text. V8 takes a millisecond or more to
 * compile one of them, and a start needs a dozen, so most texts get one with a short list of letters instead: it matches the same.
 */
export function unicodePattern(source: string, flags: 'u' | 'gu' | 'iu' | 'gv'): (text: string) => RegExp {
  let [forPlain, forAny]: (RegExp | undefined)[] = [];
  return (text) => {
    if (PLAIN.test(text)) return (forPlain ??= new RegExp(listed(source, flags.endsWith('v')), flags));
    return (forAny ??= new RegExp(source, flags));
  };
}

/** Lists the letters of each class; with flag v classes stand inside others. */
function listed(source: string, isNesting: boolean): string {
  let isInside = false;
  return source.replaceAll(/\\p\{([^}]+)\}|\\.|[[\]]/g, (part, name?: string) => {
    if (part === '[' || part === ']') isInside = part === '[';
    if (name === undefined) return part;
    const letters = CLASSES.get(name)!;
    return isInside && !isNesting ? letters : `[${letters}]`;
  });
}
