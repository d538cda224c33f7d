import { unicodePattern } from '../unicode-pattern.ts';
import index from './placeholder-index.json' with { type: 'json' };

/** The columns of which it is known what stands for nothing in them. */
export type Where = 'brand' | 'oem' | 'name' | 'tags';

/** Longer cells are texts. */
const LONGEST_PLACEHOLDER = 40;

/** The words of placeholders.md, by column, folded when they were last changed; of brands those end with `?` that may be makers. */
const WORDS: Record<Where, readonly string[]> = index;

const known = new Map<Where, ReadonlyMap<string, boolean>>();

/** The words of a column, and whether each may be a maker as well. */
function wordsIn(where: Where): ReadonlyMap<string, boolean> {
  const before = known.get(where);
  if (before !== undefined) return before;
  const words = new Map(
    WORDS[where].map((word) => [word.replace(/(?<=.)\?$/, ''), where === 'brand' && word.endsWith('?')]),
  );
  known.set(where, words);
  return words;
}

/** The words of all columns, folded, with the columns of each; `dotted` ones stand for nothing with dots in them only. */
export function placeholderWords(): Map<string, (Where | 'dotted')[]> {
  const columns = (Object.keys(WORDS) as Where[]).flatMap((where) =>
    [...wordsIn(where).keys()].map((word) =>
      word.includes('.') ? ({ word: foldPlaceholder(word), where: 'dotted' } as const) : { word, where },
    ),
  );
  return new Map(
    [...Map.groupBy(columns, ({ word }) => word)].map(([word, its]) => [word, its.map(({ where }) => where)]),
  );
}

/** What does not count in a cell that is compared: blanks, dots, brackets, quotes, dashes, and what nobody sees. */
const IGNORED =
  /(?:[\s.…()[\]{}<>"'`´‘’“”„«»_\-‐-―−\u061c\u115f\u1160\u200b-\u200f\u2060-\u2069\u3164\ufeff\uffa0]|\u034f|[\ufe00-\ufe0f])+/gu;
/** Forms as wide as ideographs, and other slashes. */
const WIDE = /[\uff01-\uff5e\u2044\u2215]/g;

function narrow(cell: string): string {
  return cell.replaceAll(WIDE, (wide) => {
    const code = wide.charCodeAt(0);
    return code < WIDE_FROM ? '/' : String.fromCharCode(code - WIDE_FROM);
  });
}

const WIDE_FROM = 0xfee0;
/** What is no letter, digit or accent, in the ranges in which kernels know it. */
const MARK = String.raw`(?:(?![\u0800-\u1fff\u3040-\uefff\u{10000}-\u{10ffff}])[^\p{L}\p{N}\p{M}])`;
const AROUND = unicodePattern(`^${MARK}+|${MARK}+$`, 'gu');
const MARKS = unicodePattern(`^${MARK}+$`, 'u');
/** Zeros, with marks between them. */
const ZEROS = unicodePattern(`^(?:0|${MARK})*0(?:0|${MARK})*$`, 'u');
/** An abbreviation of several parts with dots behind all but the last: `б.н.`, `n. v.`, `s.ref`. */
const DOTTED = /^[\s([{"']*(\p{L}{1,4}(?:\.\s*\p{L}{1,4})+)\.?[\s)\]}"']*$/u;
/** What stands for a character that was lost. */
const LOST = '\uFFFD';

/** A cell as it is compared: without blanks, dots, brackets, quotes, dashes, punctuation around it, in capitals. */
export function foldPlaceholder(cell: string): string {
  return foldAscii(cell) ?? foldAny(cell);
}

/** How an ASCII character is folded: to nothing, to a letter or a digit, or as a mark, which counts inside a word. */
const ASCII = Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code).toUpperCase();
  return { text: character.replaceAll(IGNORED, ''), isMark: MARKS(character).test(character) };
});
const BACKSLASH = 0x5c;

/** The same as `foldAny` for a cell of ASCII characters, in a fraction of its time; null for other cells and those with a backslash. */
function foldAscii(cell: string): string | null {
  let word = '';
  let end = 0;
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    if (code >= ASCII.length || code === BACKSLASH) return null;
    const { text, isMark } = ASCII[code]!;
    if (isMark && word === '') continue;
    word += text;
    if (!isMark) end = word.length;
  }
  return word.slice(0, end);
}

/** The first letters of a cell, in capitals: two cells that are folded to the same word have the same; null when that takes a closer look. */
function firstLetters(cell: string): string | null {
  let letters = '';
  for (let at = 0; at < cell.length && letters.length < 2; at += 1) {
    const code = cell.charCodeAt(at);
    if (code >= CAPITALS_TO) return null;
    const capital = capitals[code] === undefined ? (capitals[code] = capitalOf(code)) : capitals[code];
    if (capital === null) return null;
    letters += capital;
  }
  return letters;
}

/** Latin, Greek and Cyrillic letters; nothing of a mark, null for a letter that is several capitals. Filled as letters are met. */
const CAPITALS_TO = 0x530;
const capitals: (string | null | undefined)[] = Array.from({ length: CAPITALS_TO }, () => undefined);

function capitalOf(code: number): string | null {
  const word = foldAny(String.fromCharCode(code));
  return word.length > 1 || LATER.test(word) ? null : word;
}

/** An accent may stand behind marks that do not count. */
const LATER = /\p{M}/u;

/** The first letters of all words. */
let beginnings: Set<string> | undefined;

/** Whether a cell may stand for nothing in some column, by its first letters alone. */
function mayStandForNothing(cell: string): boolean {
  const letters = firstLetters(cell);
  if (letters === null || letters === '' || letters.startsWith('0')) return true;
  beginnings ??= new Set(Object.values(WORDS).flatMap((words) => words.map((word) => firstLetters(word) ?? '')));
  return beginnings.has(letters);
}

/** See `foldPlaceholder`. */
function foldAny(cell: string): string {
  const bare = narrow(cell).replaceAll(IGNORED, '').toUpperCase();
  return bare === String.raw`\N` ? bare : bare.replaceAll(AROUND(bare), '');
}

/** An abbreviation as it is looked up that counts only when it is written with dots. */
export function dottedWord(parts: string[]): string {
  return parts.join('.').toUpperCase();
}

function isDottedWord(cell: string, where: Where): boolean {
  const written = DOTTED.exec(cell)?.[1];
  return written !== undefined && wordsIn(where).has(dottedWord(written.split(/\.\s*/u)));
}

/**
 * Whether a cell that is not empty stands for nothing: punctuation, zeros where a brand, a number or a name belongs, a word for nothing.
 * `except`: folded words that are something in this file.
 */
export function isPlaceholder(cell: string, where: Where, except: ReadonlySet<string>): boolean {
  if (cell.length > LONGEST_PLACEHOLDER || !mayStandForNothing(cell) || cell.includes(LOST)) return false;
  const word = foldPlaceholder(cell);
  if (word === '' ? except.has(cell) : except.has(word)) return false;
  if (word === '') return true;
  if (wordsIn(where).has(word)) return true;
  if (word[0] === '0' && where !== 'tags' && ZEROS(word).test(word)) return true;
  return cell.includes('.') && isDottedWord(cell, where);
}

/** The folded word of a cell of a brand column if it stands for nothing unless it is a maker here; else null. */
export function mayBeMaker(cell: string): string | null {
  if (cell.length > LONGEST_PLACEHOLDER) return null;
  const word = foldPlaceholder(cell);
  return wordsIn('brand').get(word) === true ? word : null;
}
