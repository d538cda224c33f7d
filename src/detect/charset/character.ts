/** What a decoded character says about the reading that it comes from. */
type CharacterKind =
  /** ASCII that separates words: digits, punctuation. */
  | 'plain'
  | 'ascii-letter'
  | 'letter'
  | 'mark'
  /** A symbol that is common in price lists. */
  | 'symbol'
  | 'rare-symbol'
  /** One that charsets have but nobody writes: accents without a letter, signs that were given up. */
  | 'dead-symbol'
  /** Line drawing and blocks: what DOS code pages have where other charsets have letters. */
  | 'box'
  /** Control characters, undefined bytes, private use. */
  | 'broken';

export type Character = {
  kind: CharacterKind;
  script: 'none' | 'latin' | 'cyrillic' | 'greek' | 'other';
  case: 'upper' | 'lower' | 'none';
  /** Lower case, one code point. */
  folded: string;
};

const COMMON_SYMBOLS = new Set('°®™©№«»“”„‘’´–—…€£µ²³½¼¾×±·•§ªº¿¡¢¥\u00A0');
const DEAD_SYMBOLS = new Set('¤¦₯˘˛ˇ˝˙');
const cache = new Map<string, Character>();

/** Classifies one code point. */
export function characterOf(character: string): Character {
  let known = cache.get(character);
  if (known === undefined) {
    known = classify(character);
    cache.set(character, known);
  }
  return known;
}

function classify(character: string): Character {
  const kind = kindOf(character, character.codePointAt(0)!);
  const isLetter = kind === 'ascii-letter' || kind === 'letter' || kind === 'mark';
  return {
    kind,
    script: isLetter ? scriptOf(character) : 'none',
    case: /\p{Lu}/u.test(character) ? 'upper' : /\p{Ll}/u.test(character) ? 'lower' : 'none',
    folded: String.fromCodePoint(character.toLowerCase().codePointAt(0)!),
  };
}

function kindOf(character: string, code: number): CharacterKind {
  if (code < 0x20 || code === 0x7f) return 'broken';
  if (code < 0x80) return /[a-z]/i.test(character) ? 'ascii-letter' : 'plain';
  if (code < 0xa0 || code === 0xfffd || (code >= 0xe000 && code < 0xf900)) return 'broken';
  if (COMMON_SYMBOLS.has(character)) return 'symbol';
  if (DEAD_SYMBOLS.has(character)) return 'dead-symbol';
  if (/\p{L}/u.test(character)) return 'letter';
  if (/\p{M}/u.test(character)) return 'mark';
  return code >= 0x2500 && code < 0x25a0 ? 'box' : 'rare-symbol';
}

function scriptOf(character: string): Character['script'] {
  if (/\p{Script=Latin}/u.test(character)) return 'latin';
  if (/\p{Script=Cyrillic}/u.test(character)) return 'cyrillic';
  return /\p{Script=Greek}/u.test(character) ? 'greek' : 'other';
}
