import { ANYTHING, BEYOND_BASIC, compileAutomaton, END, triggerPairs, START, type PatternPart } from './automaton.ts';
import { footerWords } from '../checks/footer.ts';
import { MARK } from '../checks/lone-cell.ts';
import { MONTH_NAMES } from '../../values/spreadsheet.ts';
import { remarkWords } from '../../values/remarks.ts';
import { BREAK, INVISIBLE } from '../checks/clean-cell.ts';
import type { SlowPathPatterns } from '../fast/wasm/patterns-file.ts';
import { pairFilter } from './pair-filter.ts';

/** Where a pattern applies: brand or number, every configured column, or the first cell of the row that is not blank. */
type Where = 'every' | 'first' | 'brand' | 'oem';
type Pattern = { in: Where; text: PatternPart[] };

const DIGIT = /\d/;
/** More of a word would make the automaton larger, and hardly a brand begins with as much. */
const LONGEST_BEGINNING = 5;
/** Kernels judge Latin letters up to U+024F, but for two that are no letters of words. */
const LATIN = /(?![A-Za-z\xc0-\u024f])\p{Script=Latin}/u;
const CYRILLIC = /[\u0400-\u04ff]/;
const YEAR: PatternPart[] = [['19', '20'], DIGIT, DIGIT];
/** Numbers up to a day or a month, with and without a zero before them. */
const upTo = (last: number) =>
  Array.from({ length: last }, (_, at) => [`${at + 1}`, `${at + 1}`.padStart(2, '0')]).flat();
const DAY = [...new Set(upTo(31))];
const MONTH = [...new Set(upTo(12))];
/** Before the example of a template. */
const EXAMPLES = ['e.g.', 'e. g.', 'z.b.', 'z. b.'];
/** Before the length that a value may have. */
const LIMITED = ['max', 'maximum', 'maximal', 'máx', 'макс', 'максимум'];
/** The letters between `&` and `;`. */
const ENTITY = /[#a-z\d]/i;
const LONGEST_ENTITY = 8;
/** Up to four digits: a quantity, or with two at most the day before the name of a month. */
const FEW_DIGITS: PatternPart[][] = [1, 2, 3, 4].map((count) => Array.from({ length: count }, () => DIGIT));
const DAYS = FEW_DIGITS.slice(0, 2);
/** What stands behind a date: nothing, or a time. */
const BEHIND_DATE: PatternPart[][] = [[END], [/[ t]/i, DIGIT]];
/** What stands between a month and a day or a year. */
const BEHIND_MONTH: PatternPart[][] = [[/[-. /]/], [/\./, / /]];
const SIGNS: PatternPart[][] = [[], [/-/]];
/** How months begin. */
const MONTHS = [...new Set(MONTH_NAMES.map((name) => name.slice(0, 3)))];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** How the message of a failed formula begins that has no `#`. */
const FORMULA_FAILED = ['err', 'fehler', 'ошибка', 'erreur', 'błąd'];
/** How the words begin that decide alone, or of a row with an empty number, that it is a footer. */
const FOOTER_WORDS = [
  ...footerWords('sum', false),
  ...footerWords('sum', true),
  ...footerWords('page', false),
  ...footerWords('page', true),
  ...footerWords('printed', false),
].map((word) => word.slice(0, LONGEST_BEGINNING).replace(/[ '].*/, ''));

/** Fewer letters of remarks: there are many of them. */
function beginningsOf(words: string[]): string[] {
  return [...new Set(words.map((word) => word.slice(0, 3)))];
}

const BLANK = /[ \u00a0]/;
const { currencies, units, references, remarks } = remarkWords();
const CURRENCIES = beginningsOf(currencies);
const REMARKS = beginningsOf(remarks);

/**
 * The one place that says which text sends a row to the slow path. The kernel that reads large files knows no issues about
 * the content of cells: it hands a row that shows one of these patterns in a configured column to scan-rows and check-row,
 * which alone decide. A pattern may match rows that turn out to be good (that costs time), but every cell in which `checkCell`
 * finds something, or which it changes beyond trimming blanks, must match one. `npm run build:kernel` compiles the patterns.
 *
 * If you add a check of cells to check-cell or check-row, add a pattern here: a list of consecutive parts, each a regular
 * expression for one character, or words; `in` says in which cells. These cases need no pattern, because the kernel hands them
 * over anyway: another number of cells, empty required cells, cells over `limits.cellLength`, lists with empty, padded,
 * repeated or too many tags, a repeated header, cells that stand for nothing (kernel/placeholders.ts), numbers that lost their last digits,
 * numbers without a digit, numbers that repeat the brand, rows with one filled
 * cell where the brand is a default, lone carriage returns, line breaks inside quotes, quotes that are neither doubled nor
 * followed by a delimiter, bytes that are not UTF-8, brands and numbers with characters beyond the basic plane.
 * test/validate/patterns/slow-path-patterns.test.ts fails when a check has no pattern.
 */
const PATTERNS: Pattern[] = [
  // clean-cell: what is removed or becomes a blank
  { in: 'every', text: [BREAK] },
  { in: 'every', text: [new RegExp(INVISIBLE.source, 'u')] },
  { in: 'every', text: [/\ufffd/] },
  // mojibake
  { in: 'every', text: [/[ÐÑ]/, /[\x80-\xbf\u0100-\u02ff\u2000-\u2122]/, /[ÐÑ]/] },
  { in: 'every', text: [/[ÃÂ]/, /[\x80-\xbf\u0100-\u02ff\u2000-\u2122]/] },
  { in: 'every', text: [/â/, /[€‚„\x80\x82\x84]/] },
  { in: 'every', text: [/[РС]/, /[\x80-\xbf\u0401-\u040f\u0451-\u045fҐґ\u2000-\u2122]/, /[РС]/] },
  { in: 'every', text: [/[╨╤├]/] },
  // markup: an entity, an element
  ...Array.from({ length: LONGEST_ENTITY - 1 }, (_, at): Pattern => ({
    in: 'every',
    text: [/&/, ...Array.from({ length: at + 2 }, () => ENTITY), /;/],
  })),
  { in: 'every', text: [/</, /[/a-z]/i] },
  // spreadsheet
  { in: 'every', text: [START, /#/] },
  { in: 'every', text: [START, /=/] },
  { in: 'every', text: [START, FORMULA_FAILED, /:/, /5/] },
  ...SIGNS.map((sign): Pattern => ({ in: 'oem', text: [START, ...sign, DIGIT, /e/i, /[+-]/, DIGIT] })),
  ...SIGNS.flatMap((sign) =>
    FEW_DIGITS.slice(0, 3).map((digits): Pattern => ({
      in: 'oem',
      text: [START, ...sign, ...digits, /[.,]/, DIGIT, ANYTHING, /e/i, /[-+\d]/],
    })),
  ),
  ...DAYS.flatMap((day): Pattern[] => [
    { in: 'oem', text: [START, ...day, /[-. /]/, MONTHS] },
    { in: 'oem', text: [START, ...day, /\./, / /] },
  ]),
  ...BEHIND_DATE.map((behind): Pattern => ({
    in: 'oem',
    text: [START, ...YEAR, /[./]/, MONTH, /[./]/, DAY, ...behind],
  })),
  { in: 'oem', text: [START, ...YEAR, /\./, / /, DIGIT] },
  { in: 'oem', text: [START, WEEKDAYS, / /, MONTHS] },
  // A comment: behind its label stands a colon.
  { in: 'oem', text: [/:/] },
  ...BEHIND_DATE.flatMap((behind) =>
    [/\./, /\//, /-/].map((mark): Pattern => ({
      in: 'oem',
      text: [START, DAY, mark, MONTH, mark, ...YEAR, ...behind],
    })),
  ),
  ...BEHIND_DATE.flatMap((behind): Pattern[] => [
    { in: 'oem', text: [START, MONTH, /\//, DAY, /\//, ...YEAR, ...behind] },
    { in: 'oem', text: [START, ...YEAR, /-/, /[01]/, DIGIT, /-/, /[0-3]/, DIGIT, ...behind] },
  ]),
  ...BEHIND_DATE.flatMap((behind) =>
    BEHIND_MONTH.flatMap((marks): Pattern[] => [
      { in: 'oem', text: [START, MONTH_NAMES, ...marks, DIGIT, DIGIT, ...behind] },
      { in: 'oem', text: [START, MONTH_NAMES, ...marks, ...YEAR, ...behind] },
    ]),
  ),
  // no-numbers: examples and limits of templates; kernels count the words of what has no digit, or is long
  { in: 'oem', text: [START, EXAMPLES] },
  { in: 'oem', text: [START, /[*(["']/, ANYTHING, EXAMPLES] },
  { in: 'oem', text: [START, LIMITED, /[.\s]/] },
  { in: 'oem', text: [START, ['text', 'string', 'varchar', 'char'], /[\s(]/] },
  { in: 'oem', text: [/[@?]/] },
  { in: 'oem', text: [START, ['www.']] },
  // remarks: prices, quantities, references, what stands behind a number
  { in: 'oem', text: [/[€£¥₽₴₺₸₩$]/] },
  { in: 'oem', text: [BLANK, CURRENCIES] },
  { in: 'oem', text: [START, CURRENCIES, BLANK, DIGIT] },
  ...[[], [BLANK]].flatMap((blank) =>
    FEW_DIGITS.flatMap((digits): Pattern[] => [
      { in: 'oem', text: [START, ...digits, ...blank, units] },
      { in: 'oem', text: [/[([]/, ...digits, ...blank, units] },
    ]),
  ),
  { in: 'oem', text: [START, references, /[\s:]/] },
  { in: 'oem', text: [/[ \u00a0([*#]/, REMARKS] },
  // unwrap: wide letters and dashes of typesetting
  { in: 'brand', text: [/[\uff01-\uff5e\u2010-\u2015\u2212]/] },
  { in: 'oem', text: [/[\uff01-\uff5e\u2010-\u2015\u2212]/] },
  // homoglyphs
  { in: 'brand', text: [LATIN, ANYTHING, CYRILLIC] },
  { in: 'brand', text: [CYRILLIC, ANYTHING, LATIN] },
  // footer, ruler
  { in: 'first', text: [START, /[^\S ]/] },
  { in: 'first', text: [START, new RegExp(MARK, 'u')] },
  { in: 'first', text: [START, BEYOND_BASIC] },
  { in: 'first', text: [START, [...new Set(FOOTER_WORDS)]] },
];

/** Compiles the patterns, for UTF-8 and for text that is not entirely UTF-8. */
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
