import type { Meaning } from '../../../columns/column-names.ts';
import { isPlaceholder } from '../../../values/placeholders.ts';
import { profilesOf, type ColumnProfile, type FoundTable } from '../column-profile.ts';
import { isProduct } from '../products.ts';
import { isDesignation } from './designations.ts';
import { FEW, NOTHING_KNOWN, type Fitness } from './fitness.ts';
import { judgePartNumber } from './judge-part-number.ts';
import { makersIn, type Makers } from './makers-in.ts';
import { isOfOneKind } from './number-names.ts';

type Beside = { table: FoundTable; makers: Makers };

/** What a column of numbers may mean as well; one that means anything else is something else. */
const BESIDE_NUMBER = new Set<Meaning>(['oem', 'internalCode', 'name', 'group', 'comment', 'line', 'vehicleModel']);

/**
 * The columns that may be the number where nothing better is known, as with brands. First those whose name may mean one; then models and
 * types, which makers of other things than cars number their products by; then those that look like numbers that come again, the items of several documents; then the supplier's own codes; then its barcodes under a name for
 * codes; then what is called the number, though hardly any row has one.
 */
export function possibleNumbers(free: ColumnProfile[], beside: Beside): Fitness[] {
  const possible = free.filter((profile) => mayBeNumber(profile, beside));
  const named = possible
    .filter((profile) => isCalledNumber(profile) && !isRepeated(profile))
    .sort((a, b) => rankOf(b) - rankOf(a));
  const alike = possible.filter(
    ({ means, partNumbers, lettered, isGrouped }) =>
      means.size === 0 && partNumbers >= 0.8 && lettered >= 0.6 && !isGrouped,
  );
  // Where the rows are numbered they are those of documents, in which the same item comes again.
  const areRowsNumbered = free.some(({ isRunning }) => isRunning);
  const models = possible.filter(isDesignation);
  // Of several codes of its own, a supplier counts those that have no letter.
  const codes = free
    .filter((profile) => isOwnCode(profile) && mayBeNumber({ ...profile, name: '' }, beside))
    .sort((a, b) => b.lettered - a.lettered);
  const ways = [named, models, areRowsNumbered ? alike : [], codes, barcodesAsCodes(free), free.filter(isNamedAlone)];
  return (ways.find(({ length }) => length > 0) ?? []).map(asNumber);
}

/** The barcode is the only code of an article where no column is for barcodes. */
function barcodesAsCodes(free: ColumnProfile[]): ColumnProfile[] {
  if (free.some(({ means, values }) => means.has('barcode') && values > 0)) return [];
  return free.filter((profile) => {
    const { means, barcodes, partNumbers, values, distinct } = profile;
    const isCode = means.get('internalCode') === WHOLE && means.has('oem');
    return isCode && isCalledNumber(profile) && barcodes + partNumbers >= 0.8 && distinct >= values * 0.9;
  });
}

const NOTHING_KEPT: ReadonlySet<string> = new Set();
/** The weight of a whole name (`ColumnProfile.means`). */
const WHOLE = 3;

/** The whole name says that a column has the numbers, and its cells say nothing: they are empty, but for a few numbers. */
function isNamedAlone(profile: ColumnProfile): boolean {
  const { means, values, counts, rows } = profile;
  const isNamed = Math.max(means.get('oem') ?? 0, means.get('internalCode') ?? 0) === WHOLE;
  if (!isNamed || !isCalledNumber(profile)) return false;
  const silent = [...counts].reduce(
    (sum, [cell, count]) => sum + (isPlaceholder(cell, 'oem', NOTHING_KEPT) ? count : 0),
    0,
  );
  const telling = values - silent;
  return telling < rows * HALF && profile.partNumbers * values >= telling * 0.8;
}

/** What a supplier's own code for an article may be called: `PLU`, `manufacturer_id`. */
const OWN_CODE = new Set<Meaning>(['internalCode', 'brand', 'supplier']);

/** A supplier's own code is what customers see where a list has no other number; one that counts the rows is none. */
function isOwnCode({ means, partNumbers, distinct, values, isRunning, isCounter }: ColumnProfile): boolean {
  const isCode = means.has('internalCode') && [...means.keys()].every((meaning) => OWN_CODE.has(meaning));
  return isCode && partNumbers >= 0.6 && distinct >= values * 0.9 && !isRunning && !isCounter;
}

function asNumber(profile: ColumnProfile): Fitness {
  const { means, partNumbers, values } = profile;
  const evidence: Fitness['evidence'] =
    partNumbers < HALF ? null : { looks: 'part-numbers', share: partNumbers, values };
  return { ...NOTHING_KNOWN, profile, named: means.get('oem') ?? 0, evidence };
}

function isCalledNumber({ means }: ColumnProfile): boolean {
  return means.has('oem') && [...means.keys()].every((meaning) => BESIDE_NUMBER.has(meaning));
}

function mayBeNumber(profile: ColumnProfile, { table, makers }: Beside): boolean {
  const { values, rows, distinct, spaced, phrases, damaged, prices, barcodes, foreign } = profile;
  if (values < rows / 2 || distinct < Math.min(2, values) || areWords(profile)) return false;
  const fitness = judgePartNumber({ ...profile, means: new Map() }, makers);
  const areTexts = phrases >= 0.8 && spaced >= 0.5;
  const isForeign = foreign !== null && foreign.looks !== 'codes';
  const isOther =
    isForeign ||
    areTexts ||
    damaged >= 0.5 ||
    prices >= 0.8 ||
    barcodes >= 0.5 ||
    areCounts(profile) ||
    isOfOneKind(profile, profilesOf(table)) ||
    isProduct(profile, table);
  return fitness !== null && !fitness.isForRows && !isOther && makersIn(profile, makers).parts < 0.5;
}

/** Currencies and groups come again; of a few values that says nothing. */
const SOME = 10;
const LEAST_DISTINCT = 0.3;

function isRepeated({ values, distinct }: ColumnProfile): boolean {
  return values >= SOME && distinct < values * LEAST_DISTINCT;
}

/**
 * Words without a digit, but for those that are joined as only codes are: `oil-filter-large`. Under a vague name (`Part`) most need to have
 * none, under one for codes (`SKU`) nearly all.
 */
function areWords({ means, digits, counts }: ColumnProfile): boolean {
  const joined = [...counts.keys()].filter((value) => /^\S+[-_./]\S+$/.test(value));
  const isVague = Math.max(means.get('oem') ?? 0, means.get('internalCode') ?? 0) < 2;
  return digits < (isVague ? HALF : 0.1) && joined.length < counts.size * 0.8;
}

/** Small whole numbers that come again and again; of few values, those of one or two digits of which one comes again. */
function areCounts({ stocks, numbers, values, distinct, partNumbers, length }: ColumnProfile): boolean {
  const areNumbers = Math.max(numbers, stocks) >= 0.9 && partNumbers < 0.05;
  if (!areNumbers) return false;
  return values >= FEW ? distinct < values * 0.5 : length < SHORTEST_CODE && distinct < values;
}
/** Digits of a code that is more than an amount. */
const SHORTEST_CODE = 3;

function rankOf({ means, partNumbers, values, distinct }: ColumnProfile): number {
  return (means.get('oem') ?? 0) + partNumbers + distinct / Math.max(values, 1);
}

/** A smaller share is no evidence. */
const HALF = 0.5;
