import { parse } from 'node:path/posix';
import { editDistance } from '../../config/read/nearest.ts';

/** Endings of lists and of what they are packed in. */
const LISTS = new Set(
  '.csv .txt .tsv .tab .dat .xls .xlsx .xlsm .xlsb .ods .xml .yml .json .html .htm .dbf .zip .gz .rar .7z .lst .prn .slk'.split(
    ' ',
  ),
);

/** Endings of programs that have not finished writing. */
const UNFINISHED = /\.(?:part|partial|filepart|tmp|temp|crdownload|download)$|~$/iu;
/** Characters of a name, and of a pattern, that are compared. */
const LONGEST = 120;

/** True for a name that would fit a pattern but for the ending that programs give a transfer until it is finished. Pure. */
export function isUnfinished(name: string, matches: (name: string) => boolean): boolean {
  return !name.startsWith('.') && UNFINISHED.test(name) && matches(name.replace(UNFINISHED, ''));
}

/**
 * Whether a name that does not fit a pattern almost does: another ending, a date in another form, a letter more, less or otherwise.
 * Pure.
 */
export function isNear(name: string, pattern: string): boolean {
  if (name.startsWith('.') || name.length > LONGEST || pattern.length > LONGEST) return false;
  const stem = withoutEndings(name);
  return stem !== name && alternativesOf(pattern).some((one) => isNearTo(stem, one));
}

/** Whether the names of two files are those of one list, such as with another date. Pure. */
export function areSimilar(name: string, other: string): boolean {
  const [one, another] = [name, other].map((text) => lettersOf(withoutEndings(text))) as [string, string];
  return isWithin(one, another, one.length >= 8 ? 2 : 1);
}

/** A name without the endings of lists and archives: `price` of `price.csv.zip`. */
function withoutEndings(name: string): string {
  const { name: stem, ext } = parse(name);
  return LISTS.has(ext.toLowerCase()) ? withoutEndings(stem) : name;
}

/** Whether a name without its ending almost is what a pattern without alternatives says. */
function isNearTo(stem: string, pattern: string): boolean {
  const literal = pattern.replace(/\.[^.{}/\\]*$/u, '').replaceAll(/\{[^{}]*\}/gu, ' ');
  const [wanted, there] = [lettersOf(literal), lettersOf(stem)];
  // Only its ending says what a pattern such as *.csv wants.
  if (wanted === '' && !/\d/u.test(literal)) return true;
  // A digit or a short word tells lists of one supplier apart: price_1, stock_A, tecdoc_de.
  const words = stem.toLowerCase().split(/[^\p{L}]+/u);
  const telling = literal.toLowerCase().split(/[^\p{L}]+/u);
  if (telling.some((word) => word.length > 0 && word.length <= 2 && !words.includes(word))) return false;
  if ((literal.match(/\d+/gu) ?? []).some((digits) => !stem.includes(digits))) return false;
  const most = wanted.length >= 8 ? 2 : wanted.length >= 3 ? 1 : 0;
  if (isWithin(wanted, there, most)) return true;
  return pattern.includes('*') && isWithin(wanted, there.slice(0, wanted.length), most);
}

function isWithin(one: string, other: string, most: number): boolean {
  return Math.abs(one.length - other.length) <= most && editDistance(one, other) <= most;
}

/** Alternatives of a pattern that are compared. */
const MOST_ALTERNATIVES = 32;

/** A pattern for each alternative of another: two of `price.{csv,zip}`. */
function alternativesOf(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const found = patterns.flatMap((one) => {
      const braces = /\{([^{}]*,[^{}]*)\}/u.exec(one);
      return braces === null ? [one] : braces[1]!.split(',').map((part) => one.replace(braces[0], () => part));
    });
    if (found.length === patterns.length || found.length > MOST_ALTERNATIVES) return patterns;
    patterns = found;
  }
}

/** The letters of a name or pattern: without dates, numbers, stars and signs. */
function lettersOf(text: string): string {
  return text
    .replaceAll(/\{[^{}]*\}/gu, '')
    .normalize('NFKD')
    .slice(0, LONGEST)
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase();
}
