import { unicodePattern } from '../unicode-pattern.ts';
import { hasRemark } from './remarks.ts';
import { hasComment, isDate, isScientific, lacksDigits } from './spreadsheet.ts';

/** What became of a number on its way through a spreadsheet or an export: what it was cannot be known any more. */
export type Damage = 'date' | 'power' | 'digits' | 'comment';

/** `MAR-12` begins as numbers of makers do; spreadsheets write `Mar-12`. */
const IN_CAPITALS = /^[A-Z]{3}[-. ]\d\d$/;

/** Says how a number is damaged; null when it is not. */
export function damageOf(number: string): Damage | null {
  if (isScientific(number)) return 'power';
  if (lacksDigits(number)) return 'digits';
  if (isDate(number) && !IN_CAPITALS.test(number)) return 'date';
  return hasComment(number) || hasRemark(number) ? 'comment' : null;
}

const LETTERS = unicodePattern(String.raw`\p{L}+`, 'gu');
const CAPITALISED = unicodePattern(String.raw`^\p{Lu}\p{Ll}+$`, 'u');

/**
 * How a number is written, so that `12.03.2004` and `47.11.2004` are alike, and so are `1-Mar` and `7-Set`: up to two digits in a row are `9`,
 * more are counted; letters are `A`, and three or more `Aa`, `AA` or `aa` by their case.
 */
export function shapeOf(number: string): string {
  return number
    .replaceAll(LETTERS(number), (letters) => {
      if (letters.length < 3) return 'A'.repeat(letters.length);
      if (letters === letters.toUpperCase()) return 'AA';
      return CAPITALISED(letters).test(letters) ? 'Aa' : 'aa';
    })
    .replaceAll(/\d+/g, (digits) => (digits.length < 3 ? '9' : `<${digits.length}>`));
}

/** Shapes of numbers that may look damaged: dates, powers of ten, more digits than a spreadsheet keeps. */
const DOUBTFUL =
  /^(?:9([./-])9\1<4>|<4>([./-])9\2(?:9)|9(?:[-. /]|\. )(?:AA|Aa|aa)\.?(?:[-. /](?:9|<4>))?|(?:AA|Aa|aa)(?:[-. /]|\. )(?:9|<4>)|9(?:[.,](?:9|<\d+>))?A[+-]?(?:9|<3>)|<(?:1[6-9]|[2-9]\d)>)$/;
/** Numbers without any of these are damaged in no way. */
const MAY_BE_DOUBTFUL = /[./-]|[ +E]|\d{16}/i;

/** How dates of workbooks are written. */
const DATE_OF_CELL = '<4>-9-9';
/** So many numbers of a shape are how a maker numbers. */
const LEAST_ALIKE = 2;

/**
 * The shapes of a column's numbers that look damaged and are not: there are at least as many numbers of the shape that nothing can have
 * damaged, or most numbers of the column are different dates. `hasDates`: the file knows dates, and writes them in one way, which is no number.
 */
export function genuineShapes(numbers: readonly string[], { hasDates }: { hasDates: boolean }): string[] {
  const shapes = new Map<string, { sound: number; damaged: Set<string>; dates: number; years: Set<string> }>();
  for (const number of numbers) {
    if (!MAY_BE_DOUBTFUL.test(number)) continue;
    const shape = shapeOf(number);
    if (!DOUBTFUL.test(shape)) continue;
    const found = shapes.get(shape) ?? { sound: 0, damaged: new Set(), dates: 0, years: new Set() };
    shapes.set(shape, found);
    const damage = damageOf(number);
    if (damage === null) found.sound += 1;
    else found.damaged.add(number);
    if (damage !== 'date') continue;
    found.dates += 1;
    const year = YEAR.exec(number)?.[0];
    if (year !== undefined) found.years.add(year);
  }
  return [...shapes]
    .filter(([shape, { sound, damaged, dates, years }]) => {
      if (sound >= Math.max(damaged.size, LEAST_ALIKE) || isOnePrefix([...damaged])) return true;
      if (hasDates && shape === DATE_OF_CELL) return false;
      // A spreadsheet puts the year in which a list was opened behind each day and month.
      if (years.size > 0 && years.size < LEAST_YEARS) return false;
      return dates * 2 > numbers.length && damaged.size * 10 >= dates * 9 && dates >= LEAST_DATES;
    })
    .map(([shape]) => shape);
}

/** Whether numbers with the name of a month all have the same one: a maker's prefix. */
function isOnePrefix(numbers: string[]): boolean {
  const months = new Set(numbers.map((number) => number.match(LETTERS(number))?.[0]));
  return (
    numbers.length >= LEAST_OF_PREFIX && months.size === 1 && !months.has(undefined) && !numbers.some(isScientific)
  );
}

const LEAST_OF_PREFIX = 5;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const LEAST_YEARS = 3;
/** Fewer dates are a short list that a spreadsheet has damaged. */
const LEAST_DATES = 10;
