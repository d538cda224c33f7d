import { meaningsOf, type Meaning, type NamedMeaning } from '../../columns/column-names.ts';
import { nameWords } from '../../columns/name-words.ts';
import { isPlaceholder } from '../../values/placeholders.ts';
import { profilesOf, type ColumnProfile, type FoundTable } from './column-profile.ts';
import { isOfOtherParts, type Fitness } from './judge/fitness.ts';
import { JUDGES } from './judge/judges.ts';
import { makersIn, type Makers } from './judge/makers-in.ts';
import { isProduct } from './products.ts';

type Beside = { table: FoundTable; makers: Makers };

/**
 * The columns that may be the brand or the number where nothing better is known: little speaks for them, nothing against them, the
 * likeliest first. A person is asked about them in place of being told that the column is missing. Pure.
 */
export function lastResort(key: string, free: ColumnProfile[], beside: Beside): Fitness[] {
  if (key === 'brand') return brands(free, beside);
  return key === 'oem' ? numbers(free, beside) : [];
}

/** Longer texts are no brands, and a column that says one thing in all rows may name the list's own supplier. */
const LONGEST_BRAND = 40;
const MANY = 20;
const SELDOM = 0.05;

/** The name may mean a brand: `Vendor`, `Поставщик`, `Марка` where nothing is said of vehicles. */
function mayBeBrand(profile: ColumnProfile, makers: Makers, areForVehicles: boolean): boolean {
  const { means } = profile;
  if (!means.has('brand') || means.has('link') || (means.has('vehicleMake') && areForVehicles)) return false;
  return areNames(profile, makers);
}

/** The cells are names that come again. */
function areNames(profile: ColumnProfile, makers: Makers): boolean {
  const { values, distinct, lettered, numbers, partNumbers, length, foreign } = profile;
  if (isOfOtherParts(profile) || values === 0 || foreign !== null) return false;
  const { vehicles } = makersIn(profile, makers);
  if (isNoMakers(profile, makers)) return false;
  // What comes again and again is a brand, also where it looks like a number: `JCI 2025`.
  const areNumbers = partNumbers >= 0.5 && distinct > values * SELDOM;
  const areLettered = lettered >= 0.8 && numbers < 0.2 && !areNumbers && length <= LONGEST_BRAND;
  const areRepeated = values < MANY || distinct <= values * 0.6;
  return areLettered && areRepeated && distinct > 1 && vehicles < 0.5;
}

/** `Catalog` beside `Catalog part number`: who gave the numbers, where the name says nothing else. */
function givesNumbers({ name, means, index }: ColumnProfile, all: ColumnProfile[]): boolean {
  const words = nameWords(name);
  if (words.length === 0 || means.size > 0) return false;
  return all.some((other) => {
    const others = nameWords(other.name);
    const isLonger = other.index !== index && words.every((word, at) => others[at] === word);
    return isLonger && meaningsOf(others.slice(words.length).join(' ')).some(isNumberByName);
  });
}

function isNumberByName({ meaning, whole, strength }: NamedMeaning): boolean {
  return meaning === 'oem' && whole && strength === 'strong';
}

/** Most rows say where the part is from: `CHINA`, `LCSC`, `OEM`. */
function isNoMakers({ counts, values }: ColumnProfile, makers: Makers): boolean {
  const silent = [...counts].reduce((sum, [value, count]) => sum + (makers.isNoMakerEvidence(value) ? count : 0), 0);
  return silent >= values * HALF;
}

/**
 * First what may be called a brand; then what numbers beside it are called after; then makes of vehicles, which are the brands of genuine
 * parts where no column names models.
 */
function brands(free: ColumnProfile[], { table, makers }: Beside): Fitness[] {
  const areForVehicles = free.some(({ means }) => means.has('vehicleModel') || means.has('year'));
  const named = free
    .filter((profile) => mayBeBrand(profile, makers, areForVehicles))
    .map((profile) => asBrand(profile, null));
  if (named.length > 0) return named;
  const all = profilesOf(table);
  const giving = free.filter((profile) => givesNumbers(profile, all) && areNames(profile, makers));
  if (giving.length > 0 || areForVehicles) return giving.map((profile) => asBrand(profile, null));
  return free.flatMap((profile) => {
    const { vehicles } = makersIn(profile, makers);
    if (!profile.means.has('brand') || vehicles < HALF) return [];
    return [asBrand(profile, { looks: 'vehicle-makers', share: vehicles, values: profile.values })];
  });
}

function asBrand(profile: ColumnProfile, evidence: Fitness['evidence']): Fitness {
  return { ...NOTHING, profile, named: profile.means.get('brand') ?? 0, evidence };
}

/** What a column of numbers may mean as well; one that means anything else is something else. */
const BESIDE_NUMBER = new Set<Meaning>(['oem', 'internalCode', 'name', 'group', 'comment', 'line', 'vehicleModel']);

/**
 * First those whose name may mean a number; then models, which makers of other things than cars number their products by; then those that
 * look like numbers that come again, the items of several documents; then the supplier's own codes; then its barcodes under a name for
 * codes; then what is called the number, though hardly any row has one.
 */
function numbers(free: ColumnProfile[], beside: Beside): Fitness[] {
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
  const models = possible.filter(isModelNumber);
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

/** Models of cars are words, or shorter, and come again for each part. */
const SHORTEST_MODEL = 5;

function isModelNumber({ means, partNumbers, length, distinct, values }: ColumnProfile): boolean {
  const areVaried = distinct >= values * HALF;
  return (means.get('vehicleModel') ?? 0) >= 2 && partNumbers >= 0.6 && length >= SHORTEST_MODEL && areVaried;
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
  return { ...NOTHING, profile, named: means.get('oem') ?? 0, evidence };
}

function isCalledNumber({ means }: ColumnProfile): boolean {
  return means.has('oem') && [...means.keys()].every((meaning) => BESIDE_NUMBER.has(meaning));
}

function mayBeNumber(profile: ColumnProfile, { table, makers }: Beside): boolean {
  const { values, rows, distinct, spaced, phrases, damaged, prices, barcodes, foreign } = profile;
  if (values < rows / 2 || distinct < Math.min(2, values) || areWords(profile)) return false;
  const fitness = JUDGES['oem']!({ ...profile, means: new Map() }, makers);
  const areTexts = phrases >= 0.8 && spaced >= 0.5;
  const isForeign = foreign !== null && foreign.looks !== 'codes';
  const isOther =
    isForeign ||
    areTexts ||
    damaged >= 0.5 ||
    prices >= 0.8 ||
    barcodes >= 0.5 ||
    areCounts(profile) ||
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

/** Small whole numbers that come again and again. */
function areCounts({ stocks, numbers, values, distinct, partNumbers }: ColumnProfile): boolean {
  const areNumbers = Math.max(numbers, stocks) >= 0.9 && partNumbers < 0.05;
  return areNumbers && values >= MANY && distinct < values * 0.5;
}

function rankOf({ means, partNumbers, values, distinct }: ColumnProfile): number {
  return (means.get('oem') ?? 0) + partNumbers + distinct / Math.max(values, 1);
}

/** A smaller share is no evidence. */
const HALF = 0.5;

const NOTHING = { content: 0, plausible: false, absurd: true, contradicted: false, isForRows: false };
