import { meaningsOf, type NamedMeaning } from '../../columns/column-names.ts';
import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import type { Issue } from '../../model.ts';
import { isPlaceholder } from '../../values/placeholders.ts';
import { isFormulaError } from '../../values/spreadsheet.ts';
import { createIssue } from '../issues/create-issue.ts';
import type { ColumnMap } from './header.ts';
import { isBlankCell } from '../checks/lone-cell.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';

/** `same`: a header below the first one whose columns mean the same; an issue: one that says that they do not. */
export type LaterHeader = 'same' | Issue | null;

const DIGIT = /\d/;
/** A header has so many different names of columns, and this share of its filled cells has a name in it. */
const LEAST_NAMES = 2;
const NAMED_SHARE = 0.6;

/**
 * Creates a check that tells whether a row between the rows of offers is a header: that of another page, or that of another table
 * that was appended. Its number is a name of a column and has no digit, so no part is ever taken for one.
 */
export function createLaterHeaderCheck(
  columns: ColumnSettings[],
  { places, header }: Pick<ColumnMap, 'places' | 'header'>,
): (row: ScannedRow) => LaterHeader {
  const placed = columns.flatMap(({ key, names, required }, index) => {
    const place = places[index] ?? null;
    return place === null ? [] : [{ key, names: new Set(names.map(foldExactName)), required, place }];
  });
  const numberPlace = placed.find(({ key }) => key === 'oem')?.place;
  // Few brands have many rows, and most of them name nothing.
  const lookFirst = placed.filter(({ key }) => key === 'brand').map(({ place }) => place);
  const earlier = header.map((name) => ({ name: name.trim(), folded: foldExactName(name), means: meaningsOf(name) }));

  return ({ cells, line }) => {
    if (numberPlace === undefined) return null;
    const number = cells[numberPlace] ?? '';
    if (isBlankCell(number) || DIGIT.test(number)) return null;
    if (isPartOfHeader(cells, numberPlace)) return 'same';
    const means = meaningsIn(cells, [...lookFirst, numberPlace]);
    if (means === null || means[numberPlace]!.length === 0 || !isNamed(cells, means, lookFirst)) return null;
    const moved = placed.find((column) => !hasSameMeaning(column, cells, means));
    if (moved === undefined) return 'same';
    const [now, before] = [cells[moved.place]!.trim(), earlier[moved.place]?.name];
    const where = before === undefined ? `column ${moved.place + 1}` : `"${before}"`;
    const facts = { place: where, found: now === '' ? 'nothing' : `"${now}"` };
    return createIssue('other-header', { line, column: moved.key, value: cells.join(' | ') }, facts);
  };

  /** Whether the cells repeat the header, or one row of a header of several rows. */
  function isPartOfHeader(cells: string[], numberAt: number): boolean {
    const isPart = (at: number) => {
      const [name, whole] = [foldExactName(cells[at]!), earlier[at]?.folded ?? ''];
      return whole.startsWith(name) || whole.endsWith(name);
    };
    if (!isPart(numberAt)) return false;
    const filled = [...cells.keys()].filter((at) => !isBlankCell(cells[at]!));
    return filled.length >= LEAST_NAMES && filled.every(isPart);
  }

  function hasSameMeaning(
    { key, names, required, place }: (typeof placed)[number],
    cells: string[],
    means: NamedMeaning[][],
  ): boolean {
    const cell = cells[place] ?? '';
    const before = earlier[place];
    if (isBlankCell(cell)) return !required || before?.folded === '';
    const folded = foldExactName(cell);
    if (names.has(folded) || folded === before?.folded) return true;
    const known = new Set([key, ...(before?.means ?? []).map(({ meaning }) => meaning as string)]);
    const now = means[place]!.filter(({ meaning }) => known.has(meaning));
    // A name that also stands for other columns gives way to one that stands for this one alone.
    const isBetter = (found: NamedMeaning[], at: number) =>
      at !== place && found.some(({ meaning, whole, strength }) => meaning === key && whole && strength === 'strong');
    return now.some(({ strength }) => strength === 'strong') || (now.length > 0 && !means.some(isBetter));
  }
}

/** What each cell names; null when too few of them name anything, which is known before all are looked up. */
function meaningsIn(cells: string[], first: number[]): NamedMeaning[][] | null {
  const filled = cells.filter((cell) => !isBlankCell(cell));
  if (filled.some(isAmount)) return null;
  let spare = filled.length - Math.ceil(filled.length * NAMED_SHARE);
  const means: NamedMeaning[][] = cells.map(() => []);
  for (const at of new Set([...first, ...cells.keys()])) {
    const cell = cells[at]!;
    if (isBlankCell(cell)) continue;
    means[at] = meaningOf(cell);
    if (means[at].length === 0) spare -= 1;
    if (spare < 0) return null;
  }
  return means;
}

function isAmount(cell: string): boolean {
  return DIGIT.test(cell) && !/\p{L}/u.test(cell);
}

const NONE_KEPT: ReadonlySet<string> = new Set();

/**
 * What a cell names; `#NAME?` and `#WERT!` are messages of failed formulas, and names of columns without their marks; `n/a` and `#` are
 * written for nothing.
 */
function meaningOf(cell: string): NamedMeaning[] {
  const isNothing = isBlankCell(cell) || isFormulaError(cell.trim()) || isPlaceholder(cell.trim(), 'name', NONE_KEPT);
  return isNothing ? [] : meaningsOf(cell);
}

/**
 * Whether most filled cells have names of columns in them, and some are nothing else; all of the others where the brand names nothing. Of names that other
 * columns have as well only those of brands and numbers count, beside a certain one: `OEM;SET` is a part.
 */
function isNamed(cells: string[], means: NamedMeaning[][], brands: number[]): boolean {
  const filled = cells.filter((cell) => !isBlankCell(cell));
  const isCertain = ({ whole, strength }: NamedMeaning) => whole && strength === 'strong';
  const isTelling = (name: NamedMeaning) => isCertain(name) || (name.whole && PART.has(name.meaning));
  const telling = new Set(cells.filter((_, at) => means[at]!.some(isTelling)).map(foldExactName)).size;
  const named = means.filter((found) => found.length > 0).length;
  const hasBrand = brands.some((at) => means[at]?.length === 0 && !isBlankCell(cells[at] ?? ''));
  if (hasBrand && telling < Math.max(filled.length - 1, LEAST_BESIDE_BRAND)) return false;
  return telling >= LEAST_NAMES && means.flat().some(isCertain) && named >= filled.length * NAMED_SHARE;
}

const PART = new Set(['brand', 'oem']);
const LEAST_BESIDE_BRAND = 3;
