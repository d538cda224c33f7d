import { foldNames, nameWords } from './name-words.ts';
import languages from './column-names.json' with { type: 'json' };

/** What a column may mean: the keys of each language in column-names.json. */
export type Meaning = keyof (typeof languages)['English'];

/**
 * One meaning of a header cell. It is `whole` when the cell is the name, not when the name is among the words of the cell, and
 * `weak` when other columns of a list are called so as well: it counts only where no better column is there.
 */
export type NamedMeaning = { meaning: Meaning; whole: boolean; strength: 'strong' | 'weak' };

type Entry = { meaning: Meaning; strength: 'strong' | 'weak' };
type Entries = Map<string, Entry[]>;
/** Names by their key; those that only begin or only end a word are apart. */
type Names = { whole: Entries; beginnings: Entries; endings: Entries };

/** Names of more words than this are found as the whole cell only. */
const MOST_WORDS = 8;
/** A shorter word means too much in some other language. */
const SHORTEST_WORD = 3;

/** Longer cells are no names. */
const LONGEST_NAME = 200;

let names: Names | undefined;

/**
 * Looks up what a header cell means in the languages of the trade: the whole cell, else the names among its words, from left to
 * right, the longest first. Case, punctuation and diacritics do not matter. Empty when nothing is known.
 */
export function meaningsOf(cell: string): NamedMeaning[] {
  if (cell.length > LONGEST_NAME) return [];
  names ??= indexNames();
  const words = nameWords(cell);
  const key = words.join('');
  // `Price 2` is a price.
  const whole = names.whole.get(key) ?? names.whole.get(key.replace(/\p{N}+$/u, ''));
  if (whole !== undefined) return whole.map(({ meaning, strength }) => ({ meaning, whole: true, strength }));
  const found = new Map<string, NamedMeaning>();
  for (let at = 0; at < words.length;) {
    const { entries, length } = nameAt(words, at, names);
    for (const entry of entries) {
      const isNew = found.get(entry.meaning)?.strength !== 'strong';
      if (isNew) found.set(entry.meaning, { ...entry, whole: false });
    }
    at += length;
  }
  return [...found.values()];
}

/** All names, written together in lower case: with their diacritics, and without. */
export function foldedNames(): string[] {
  names ??= indexNames();
  const lists = Object.values(languages).flatMap((language) => Object.values(language));
  const written = lists.flatMap((list) =>
    list
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N},*]+/gu, '')
      .split(','),
  );
  return [...written.filter((name) => !name.includes('*')), ...names.whole.keys()];
}

/** The longest name that begins with a word; the word alone without a meaning when there is none. */
function nameAt(words: string[], at: number, { whole, beginnings, endings }: Names) {
  for (let length = Math.min(MOST_WORDS, words.length - at); length > 0; length--) {
    const name = words.slice(at, at + length).join('');
    const entries = whole.get(name);
    if (entries !== undefined && (name.length >= SHORTEST_WORD || length > 1)) return { entries, length };
  }
  const word = words[at]!;
  for (let size = word.length; size > 0; size--) {
    const entries = beginnings.get(word.slice(0, size)) ?? endings.get(word.slice(-size));
    if (entries !== undefined) return { entries, length: 1 };
  }
  return { entries: [], length: 1 };
}

function indexNames(): Names {
  const index: Names = { whole: new Map(), beginnings: new Map(), endings: new Map() };
  for (const language of Object.values(languages)) {
    for (const [meaning, list] of Object.entries(language) as [Meaning, string][]) {
      const spellings = /[äöü]/i.test(list) ? [list, withoutUmlauts(list)] : [list];
      for (const name of new Set(spellings.flatMap((names) => foldNames(names, ',?*').split(',')))) {
        addName(index, name, meaning);
      }
    }
  }
  return index;
}

/** What one language calls strong is strong. */
function addName({ whole, beginnings, endings }: Names, written: string, meaning: Meaning): void {
  const strength = written.endsWith('?') ? 'weak' : 'strong';
  const name = written.replaceAll(/[?*]/g, '');
  const kind = written.endsWith('*') ? beginnings : written.startsWith('*') ? endings : whole;
  const entries = kind.get(name);
  const same = entries?.find((entry) => entry.meaning === meaning);
  if (entries === undefined) kind.set(name, [{ meaning, strength }]);
  else if (same === undefined) entries.push({ meaning, strength });
  else if (strength === 'strong') same.strength = strength;
}

/** Umlauts become two letters where a keyboard lacks them. */
function withoutUmlauts(text: string): string {
  const lower = text.toLowerCase();
  return lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
}
