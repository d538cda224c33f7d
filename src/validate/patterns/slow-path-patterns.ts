import { ANYTHING, compileAutomaton, triggerPairs, START, type PatternPart } from './automaton.ts';
import { BREAKS, INVISIBLE } from '../checks/clean-cell.ts';
import type { SlowPathPatterns } from '../fast/wasm/patterns-file.ts';
import { pairFilter } from './pair-filter.ts';

/** Patterns of brand or number, of every configured column, or of the first cell of the row that is not blank. */
type Where = 'every' | 'first' | 'brand' | 'oem';

const DIGIT = /\d/;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /[\u0400-\u04ff]/;
const YEAR = [/[12]/, /[90]/, DIGIT, DIGIT];
/** How months begin, in the languages of spreadsheet.ts. */
const MONTHS =
  'jan feb mar apr may jun jul aug sep oct nov dec mär mrz mai okt dez янв фев мар апр май мая июн июл авг сен окт ноя дек fév avr jui aoû déc'.split(
    ' ',
  );
/** How the words of footer.ts begin. */
const SUMS =
  'grand subtotal sub-total summ gesamt zwisch endsum insges anzahl общий итого всего всього усього разом ogół razem łącz celkem össz genel iš yht 合 总 總'.split(
    ' ',
  );
const MAYBE_SUMS = 'total sum spolu toplam totaa kopā kokku rows lines positions строк позиций'.split(' ');

/**
 * THE place that says which text sends a row to the careful path. Large files are read by a kernel that knows no issues
 * about the content of cells: a row that shows one of these patterns in a cell of a configured column is handed to
 * scan-rows and check-row, which alone decide. A pattern may hit rows that turn out to be good (that costs time), but every
 * cell in which `checkCell` finds something, or that it changes beyond trimming blanks, must show one. Patterns are compiled by
 * `npm run build:kernel`.
 *
 * Whoever adds a check of cells to check-cell or check-row adds a pattern here: a list of parts that follow each other, each
 * a regular expression for one character, or words; `in` says in which cells. What needs no pattern, because the kernel hands it over
 * anyway: another number of cells, empty required cells, cells over `limits.cellLength`, lists with empty, padded, repeated
 * or too many tags, the header again, lone carriage returns, line breaks inside quotes, quotes that are neither doubled nor
 * followed by a delimiter, bytes that are not UTF-8, characters beyond the basic plane. test/validate/patterns/slow-path-patterns.test.ts
 * fails when a check has no pattern.
 */
const PATTERNS: { in: Where; text: PatternPart[] }[] = [
  // clean-cell: what is removed or becomes a blank, and what trimming takes beside blanks
  { in: 'every', text: [/[^\S ]/] },
  { in: 'every', text: [new RegExp(BREAKS.source, 'u')] },
  { in: 'every', text: [new RegExp(INVISIBLE.source, 'u')] },
  { in: 'every', text: [/\ufffd/] },
  // mojibake
  { in: 'every', text: [/[ÐÑ]/, /[\x80-\xbf\u0100-\u02ff\u2000-\u2122]/, /[ÐÑ]/] },
  { in: 'every', text: [/[ÃÂ]/, /[\x80-\xbf\u0100-\u02ff\u2000-\u2122]/] },
  { in: 'every', text: [/[РС]/, /[\x80-\xbf\u0401-\u040f\u0451-\u045fҐґ\u2000-\u2122]/, /[РС]/] },
  { in: 'every', text: [/[╨╤├]/] },
  // spreadsheet
  { in: 'every', text: [START, /#/] },
  { in: 'oem', text: [/e/i, /[+-]/] },
  { in: 'oem', text: [/[./-]/, DIGIT, /[./-]/, ...YEAR] },
  { in: 'oem', text: [/[./-]/, DIGIT, DIGIT, /[./-]/, ...YEAR] },
  { in: 'oem', text: [/-/, /[01]/, DIGIT, /-/, /[0-3]/, DIGIT] },
  { in: 'oem', text: [/[-. ]/, MONTHS] },
  { in: 'oem', text: [START, MONTHS, /[-. \p{L}]/u] },
  // lookalikes
  { in: 'brand', text: [LATIN, ANYTHING, CYRILLIC] },
  { in: 'brand', text: [CYRILLIC, ANYTHING, LATIN] },
  { in: 'oem', text: [CYRILLIC] },
  // footer
  { in: 'first', text: [START, /[^\S ]/] },
  { in: 'first', text: [START, [...SUMS, ...MAYBE_SUMS]] },
];

/** Compiles the patterns, for text that is UTF-8 and for text that is not everywhere. */
export function compilePatterns(): SlowPathPatterns[] {
  return [false, true].map((strict) => {
    const wheres = [...new Set(PATTERNS.map((pattern) => pattern.in))];
    const automata = wheres.map((where) => {
      const states = compileAutomaton(patternsOf(where), strict);
      return [where, { states, filter: pairFilter(triggerPairs(states)) }];
    });
    return { strict, automata: Object.fromEntries(automata) as SlowPathPatterns['automata'] };
  });
}

function patternsOf(where: Where): PatternPart[][] {
  const patterns = PATTERNS.filter((pattern) => pattern.in === where || (pattern.in === 'every' && where !== 'first'));
  return patterns.map(({ text }) => text);
}
