import { meaningsOf, type NamedMeaning } from '../../../columns/column-names.ts';
import { nameWords } from '../../../columns/name-words.ts';
import { profilesOf, type ColumnProfile, type FoundTable } from '../column-profile.ts';
import { FEW, isOfOtherParts, NOTHING_KNOWN, type Fitness } from './fitness.ts';
import { judgeBrand } from './judge-brand.ts';
import { makersIn, type Makers } from './makers-in.ts';

/** Longer texts are no brands, and a column that says one thing in all rows may name the list's own supplier. */
const LONGEST_BRAND = 40;
const SELDOM = 0.05;
/** A smaller share is no evidence. */
const HALF = 0.5;

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
  const areRepeated = values < FEW || distinct <= values * 0.6;
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
 * The columns that may be the brand where nothing better is known: little speaks for them, nothing against them, the likeliest first. A
 * person is asked about them in place of being told that the column is missing. First what may be called a brand; then what numbers beside it are called after; then makes of vehicles, which are the brands of genuine
 * parts where no column names models.
 */
export function possibleBrands(
  free: ColumnProfile[],
  { table, makers }: { table: FoundTable; makers: Makers },
): Fitness[] {
  const areForVehicles = free.some(({ means }) => means.has('vehicleModel') || means.has('year'));
  const named = free
    .filter((profile) => mayBeBrand(profile, makers, areForVehicles))
    .map((profile) => asBrand(profile, null));
  if (named.length > 0) return named;
  if (table.header.length === 0) return namelessMakers(free, makers);
  const all = profilesOf(table);
  const giving = free.filter((profile) => givesNumbers(profile, all) && areNames(profile, makers));
  if (giving.length > 0 || areForVehicles) return giving.map((profile) => asBrand(profile, null));
  return free.flatMap((profile) => {
    const { vehicles } = makersIn(profile, makers);
    if (!profile.means.has('brand') || vehicles < HALF) return [];
    return [asBrand(profile, { looks: 'vehicle-makers', share: vehicles, values: profile.values })];
  });
}

/** Where no column has a name, one of names that come again, some of which are known makers; genuine parts have those of vehicles. */
function namelessMakers(free: ColumnProfile[], makers: Makers): Fitness[] {
  return free.flatMap((profile) => {
    const { values, distinct, lettered } = profile;
    const { parts, vehicles } = makersIn(profile, makers);
    const isPlausible = judgeBrand(profile, makers)?.plausible === true;
    if (distinct < 2 || distinct > values * 0.6 || lettered < 0.8) return [];
    if (isPlausible) return [asBrand(profile, { looks: 'makers', share: parts, values })];
    return parts + vehicles < 0.6 ? [] : [asBrand(profile, { looks: 'vehicle-makers', share: vehicles, values })];
  });
}

function asBrand(profile: ColumnProfile, evidence: Fitness['evidence']): Fitness {
  return { ...NOTHING_KNOWN, profile, named: profile.means.get('brand') ?? 0, evidence };
}
