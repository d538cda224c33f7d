import { remembered } from '../remembered.ts';
import { unicodePattern } from '../unicode-pattern.ts';
import { nameWords } from './name-words.ts';
import index from './name-index.json' with { type: 'json' };
import type languages from './column-names.json';

/** What a column may mean: the keys of each language in column-names.json. */
export type Meaning = keyof (typeof languages)['English'];

/**
 * One meaning of a header cell. It is `whole` when the cell is the name, not when the name is among the words of the cell, and
 * `weak` when other columns of a list are called so as well: it counts only where no better column is there.
 */
export type NamedMeaning = { meaning: Meaning; whole: boolean; strength: 'strong' | 'weak' };

type Entry = { meaning: Meaning; strength: 'strong' | 'weak' };

/**
 * The names of column-names.json, folded when they were last changed and not at every start. Those that only begin or only end a word
 * are apart, and so are those that are written otherwise than they are folded.
 */
const INDEX: Record<'whole' | 'beginnings' | 'endings' | 'written', Folded> = index;

/**
 * Names with a tab and what they mean behind them: `brand oem?`, where the second one is weak. They are in order, and searched: a start
 * looks up a few of thousands, and making a table of them would take longer.
 */
type Folded = string[];

/** Names of more words than this are found as the whole cell only. */
const MOST_WORDS = 8;
/** A shorter word means too much in some other language. */
const SHORTEST_WORD = 3;

const LAST_NUMBER = unicodePattern(String.raw`\p{N}+$`, 'u');

/** Longer cells are no names. */
const LONGEST_NAME = 200;

/**
 * Looks up what a header cell means in the languages of the trade: the whole cell, else the names among its words, from left to
 * right, the longest first. Case, punctuation and diacritics do not matter. Empty when nothing is known.
 */
export function meaningsOf(cell: string): NamedMeaning[] {
  return cell.length > LONGEST_NAME ? [] : meaningsOfCell(cell);
}

/** What a program writes for a letter that it could not read, and what may have stood there, as names are folded. */
const LOST = '\uFFFD';
const LOST_LETTERS = 'a e i o u n c s z y l d r t g ae oe ss'.split(' ');
/** Names that have lost more letters, or keep fewer, are not guessed. */
const MOST_LOST = 2;
const LEAST_KEPT = 3;

/** The names that a cell with lost letters may have been: `varem\uFFFDrke`. What they mean is certain of none. */
function meaningsOfDamaged(cell: string): NamedMeaning[] {
  const lost = cell.split(LOST).length - 1;
  if (lost > MOST_LOST || nameWords(cell).join('').length < LEAST_KEPT) return [];
  const spellings = cell
    .split(LOST)
    .reduce<string[]>(
      (found, part) =>
        found.length === 0 ? [part] : found.flatMap((before) => LOST_LETTERS.map((letter) => before + letter + part)),
      [],
    );
  const found = spellings.map(meaningsOfCell).find((means) => means.some(({ whole }) => whole));
  return (found ?? []).map(({ meaning, strength }) => ({ meaning, whole: false, strength }));
}

/** `Обознач-е`, `Стоим-ть`: Cyrillic words are written with their beginning and their last letters. */
const CONTRACTED = unicodePattern(String.raw`^(\p{sc=Cyrillic}{3,})-(\p{sc=Cyrillic}{1,3})\.?$`, 'u');

/** What the shortest name means of which only the beginning and the end are written. */
function contractedName(cell: string): Entry[] | undefined {
  const [, beginning, end] = cell.includes('-') ? (CONTRACTED(cell).exec(cell) ?? []) : [];
  if (beginning === undefined) return undefined;
  const [start, last] = [nameWords(beginning).join(''), nameWords(end!).join('')];
  const fitting = INDEX.whole
    .map((line) => line.slice(0, line.indexOf('\t')))
    .filter((name) => name.startsWith(start) && name.endsWith(last) && name.length > start.length + last.length)
    .sort((a, b) => a.length - b.length);
  return fitting[0] === undefined ? undefined : entriesOf(INDEX.whole, fitting[0]);
}

/** Whether a cell is a name of which only the beginning and the end are written. */
export function isContraction(cell: string): boolean {
  return contractedName(cell.trim().toLowerCase()) !== undefined;
}

/** The cells of a file come again and again. */
const meaningsOfCell = remembered((cell): NamedMeaning[] => {
  if (cell.includes(LOST)) return meaningsOfDamaged(cell);
  const words = nameWords(cell);
  const key = words.join('');
  // `Price 2` is a price.
  const whole = entriesOf(INDEX.whole, key) ?? entriesOf(INDEX.whole, key.replace(LAST_NUMBER(key), ''));
  if (whole !== undefined) return whole.map(({ meaning, strength }) => ({ meaning, whole: true, strength }));
  const contracted = contractedName(cell.trim().toLowerCase());
  if (contracted !== undefined) return contracted.map(({ meaning, strength }) => ({ meaning, whole: false, strength }));
  const named = new Map<string, NamedMeaning>();
  for (let at = 0; at < words.length;) {
    const { entries, length } = nameAt(words, at);
    for (const entry of entries) {
      const isNew = named.get(entry.meaning)?.strength !== 'strong';
      if (isNew) named.set(entry.meaning, { ...entry, whole: false });
    }
    at += length;
  }
  return [...named.values()];
});

/** All names written together as they are looked up: whole ones, and those that only begin or end a word. */
export function listedNames(): Record<'whole' | 'beginnings' | 'endings', string[]> {
  const namesOf = (lines: Folded) => lines.map((line) => line.slice(0, line.indexOf('\t')));
  const { whole, beginnings, endings } = INDEX;
  return { whole: namesOf(whole), beginnings: namesOf(beginnings), endings: namesOf(endings) };
}

/** Whether a name is listed, written together in lower case: with its diacritics, or without. */
export function isListed(name: string): boolean {
  return lookUp(INDEX.whole, name) !== undefined || lookUp(INDEX.written, name) !== undefined;
}

/** The longest name that begins with a word; the word alone without a meaning when there is none. */
function nameAt(words: string[], at: number): { entries: Entry[]; length: number } {
  for (let length = Math.min(MOST_WORDS, words.length - at); length > 0; length--) {
    const name = words.slice(at, at + length).join('');
    const entries = entriesOf(INDEX.whole, name);
    if (entries !== undefined && (name.length >= SHORTEST_WORD || length > 1)) return { entries, length };
  }
  return { entries: partOfWord(words[at]!), length: 1 };
}

/** What the longest beginning or ending of a word means that is listed. */
const partOfWord = remembered((word): Entry[] => {
  for (let size = word.length; size > 0; size--) {
    const entries = entriesOf(INDEX.beginnings, word.slice(0, size)) ?? entriesOf(INDEX.endings, word.slice(-size));
    if (entries !== undefined) return entries;
  }
  return [];
});

function entriesOf(names: Folded, name: string): Entry[] | undefined {
  return lookUp(names, name)
    ?.split(' ')
    .map((written) => {
      const isWeak = written.endsWith('?');
      return { meaning: (isWeak ? written.slice(0, -1) : written) as Meaning, strength: isWeak ? 'weak' : 'strong' };
    });
}

const maps = new Map<Folded, Map<string, string>>();
let asked = 0;
const FEW = 20_000;

/** What stands behind the tab of a name, or undefined. Who asks often gets a map, which takes longer to make than a few answers. */
function lookUp(names: Folded, name: string): string | undefined {
  const map = maps.get(names);
  if (map !== undefined) return map.get(name);
  asked += 1;
  if (asked > FEW) {
    maps.set(
      names,
      new Map(
        names.map((line): [string, string] => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]),
      ),
    );
  }
  const wanted = `${name}\t`;
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return names[low]?.startsWith(wanted) === true ? names[low]!.slice(wanted.length) : undefined;
}
