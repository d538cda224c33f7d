import { isDate } from '../../values/spreadsheet.ts';
import languages from './footer-words.json' with { type: 'json' };

type Kind = 'sum' | 'page' | 'printed';

/** What a row below the table begins with: its word, whether this may also be a brand, and the text behind it. */
type Label = { kind: Kind; doubtful: boolean; rest: string };

/** Where the brand (null when it is a default) and the number of a row are that would be an offer. */
export type OfferPlaces = { brandPlace: number | null; oemPlace: number };

/** A filled cell behind the first one, and whether it has the number of an offer. */
type Other = { text: string; isNumber: boolean };

const KINDS: Kind[] = ['sum', 'page', 'printed'];
const lists = Object.values(languages);
/** So many letters tell the words from most cells. */
const LETTERS = 3;

/**
 * The words with which rows below a table begin and that decide by themselves, in lower case. Words that may also be a brand
 * are apart, with `doubtful`.
 */
export function footerWords(kind: Kind, doubtful: boolean): string[] {
  const written = lists.flatMap((language) => language[kind].split(', '));
  const doubted = written.filter((word) => word.endsWith('?')).map((word) => word.slice(0, -1));
  return [...new Set(doubtful ? doubted : written.filter((word) => !word.endsWith('?') && !doubted.includes(word)))];
}

const WORDS = KINDS.flatMap((kind) =>
  [false, true].flatMap((doubtful) => footerWords(kind, doubtful).map((word) => ({ kind, doubtful, word }))),
);
const BY_BEGINNING = Map.groupBy(WORDS, ({ word }) => beginningOf(word));

/** Amounts: digits with their punctuation, and one word such as a unit or a currency. */
const AMOUNT = /^[\d\s.,:%+\-–€$£₽]*(?:\p{L}+\.?)?[\d\s.,%€$£₽]*$/u;
const UNIT_LENGTH = 4;
/** Digits with their punctuation only. */
const PURE = /^[\d\s.,:%+\-–€$£₽]*\d[\d\s.,:%+\-–€$£₽]*$/u;
/** What no article number looks like: amounts with a currency, a percent sign, a comma, or the word for what was counted. */
const MARKED = /^[\d\s.,+\-–]*(?:\d\s*[€$£₽%]|[€$£₽]\s*\d|\d,\d)[\d\s.,]*$/u;
const COUNT = new RegExp(`^\\d[\\d\\s.,]*\\s(?:${lists.flatMap(({ unit }) => unit.split(', ')).join('|')})\\.?$`, 'iu');
/** `1 of 3`, `1/3`. */
const PAGE_OF = /^\d{1,4}(?:\s*\/\s*|\s+\p{L}{1,4}\s+)\d{1,4}$/u;
const PAGE = /^\d{1,3}$/;
/** A person's name, also one of two of that name: `Smith J 2`. */
const NAME = /^\p{L}[\p{L}.]*\s[\p{L}\s.]*\d{0,2}$/u;
const TELEPHONE = /^\+\d[\d\s()/-]{6,}$/;
const TIME = / \d{1,2}:\d\d(?::\d\d)?$/;

/**
 * Whether a row is a line below the table such as `Total: 12 345 positions`, `Итого;;;12 345`, `Page;1 of 3` or `Printed by;Anna`.
 * `offer` has the places of brand and number where the row would be an offer otherwise, else null: an offer counts as such a line
 * only if it begins with its brand or number, the word cannot be a maker's, and what stands in the place of the number can be none.
 */
export function isFooter(cells: string[], offer: OfferPlaces | null): boolean {
  const begin = cells.findIndex((cell) => cell.trim() !== '');
  const label = begin === -1 ? null : readLabel(cells[begin]!.trim());
  if (label === null) return false;
  const others = cells.flatMap((cell, place) => {
    const text = cell.trim();
    // A label that stands in merged cells stands in each of them.
    return place > begin && text !== '' && text !== cells[begin]!.trim()
      ? [{ text, isNumber: place === offer?.oemPlace }]
      : [];
  });
  if (offer !== null && offer.brandPlace !== null && begin !== offer.brandPlace) {
    if (begin !== offer.oemPlace || (label.kind === 'sum' && !others.every(({ text }) => PURE.test(text))))
      return false;
  }
  if (label.kind === 'page') return isPage(label, others, offer === null);
  if (label.kind === 'printed') return isPrinted(label, others, offer === null);
  return isSum(label, others, offer);
}

function isSum({ doubtful, rest }: Label, others: Other[], offer: OfferPlaces | null): boolean {
  if (!others.every(({ text }) => AMOUNT.test(text) && (/\d/.test(text) || text.length <= UNIT_LENGTH))) return false;
  if (offer === null || !doubtful) return true;
  if (rest === '' && isCounted(others)) return true;
  const behind = rest === '' ? others : [{ text: rest, isNumber: true }, ...others];
  return behind.length > 0 && behind.every(({ text, isNumber }) => isMarked(text) || (!isNumber && PURE.test(text)));
}

/** Whether amounts alone stand behind a count: `Total;24;;1234.50;99`. Parts have longer numbers, and mostly a name. */
function isCounted(others: Other[]): boolean {
  const [count] = others;
  return others.length > 1 && count!.isNumber && PAGE.test(count!.text) && others.every(({ text }) => PURE.test(text));
}

function isMarked(text: string): boolean {
  return MARKED.test(text) || COUNT.test(text);
}

function isPage({ doubtful, rest }: Label, others: Other[], isRefused: boolean): boolean {
  const numbers = [rest, ...others.map(({ text }) => text)].filter((text) => text !== '');
  const isBare = isRefused || !doubtful;
  if (PAGE_OF.test(numbers.join(' '))) return true;
  return numbers.length > 0 && numbers.every((text) => PAGE_OF.test(text) || (isBare && PAGE.test(text)));
}

/** A word that may be a brand takes a date in the place of the number, and nothing else. */
function isPrinted({ doubtful, rest }: Label, others: Other[], isRefused: boolean): boolean {
  if (doubtful) return !isRefused && rest === '' && others.length > 0 && others.every(({ text }) => isMoment(text));
  if (rest === '' && others.length === 0) return false;
  return others.every(({ text, isNumber }, at) => {
    const isName = !/\d/.test(text) || ((isNumber || at === 0) && NAME.test(text));
    return isName || isMoment(text) || TELEPHONE.test(text) || (!isNumber && PURE.test(text));
  });
}

/** A date, with or without the time. */
function isMoment(text: string): boolean {
  return isDate(text.replace(TIME, ''));
}

function readLabel(text: string): Label | null {
  for (const { kind, doubtful, pattern } of patternsFor(text.slice(0, LETTERS))) {
    const found = pattern.exec(text);
    if (found === null) continue;
    // With a colon it is no brand.
    const isSure = kind === 'sum' && found[1] !== '';
    return { kind, doubtful: doubtful && !isSure, rest: text.slice(found[0].length).trim() };
  }
  return null;
}

type Pattern = Omit<Label, 'rest'> & { pattern: RegExp };

/** Made for the beginnings that occur: the patterns of all words take longer to compile than a small file takes to read. */
const patterns = new Map<string, Pattern[]>();
const MOST_BEGINNINGS = 10_000;

function patternsFor(letters: string): Pattern[] {
  const known = patterns.get(letters);
  if (known !== undefined) return known;
  if (patterns.size >= MOST_BEGINNINGS) patterns.clear();
  const made = makePatterns(beginningOf(letters));
  patterns.set(letters, made);
  return made;
}

function makePatterns(beginning: string): Pattern[] {
  const beginnings = Array.from({ length: LETTERS }, (_, more) => beginning.slice(0, more + 1));
  const words = [...new Set(beginnings)].flatMap((one) => BY_BEGINNING.get(one) ?? []);
  return KINDS.flatMap((kind) =>
    [false, true].flatMap((doubtful) => {
      const own = words.filter((one) => one.kind === kind && one.doubtful === doubtful);
      return own.length === 0 ? [] : [{ kind, doubtful, pattern: beginsWith(own.map(({ word }) => word)) }];
    }),
  );
}

/** The first letters of a text in one case, that of capitals: in it `ſ` is `s`, and `ς` is `σ`, as it is for the patterns. */
function beginningOf(text: string): string {
  return text.slice(0, LETTERS).replace(/\s/, ' ').toLowerCase().toUpperCase();
}

/** One of the words at the beginning of a cell, with the colon behind it. The longest comes first. */
function beginsWith(words: string[]): RegExp {
  const written = words
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', String.raw`\.`).replaceAll(' ', String.raw`\s+`));
  return new RegExp(String.raw`^(?:${written.join('|')})(?![\p{L}\d])\s*([:：]?)`, 'iu');
}
