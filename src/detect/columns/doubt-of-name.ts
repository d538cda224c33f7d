import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import type { ContentEvidence } from '../../wording/columns/column-evidence.ts';
import type { ColumnProfile } from './column-profile.ts';
import { isCountry } from './cells/countries.ts';
import { TELLING, type Fitness } from './judge/fitness.ts';
import { JUDGES } from './judge/judges.ts';
import { makersIn, type Makers } from './judge/makers-in.ts';

/** Why a column is not what its exact name says; `content`: what its cells look like instead, where that is known. */
export type Doubt = { content: ContentEvidence | null };

/**
 * Doubts a column of which only the name says what it is: its cells are something else (prices, links, countries), or another column
 * is more likely. Null where nothing speaks against the name. `free`: the other columns. Pure.
 */
export function doubtOfName(
  column: ColumnSettings,
  profile: ColumnProfile,
  free: ColumnProfile[],
  makers: Makers,
): Doubt | null {
  const { key } = column;
  const content =
    key === 'brand' ? brandsInstead(profile, free, makers) : key === 'oem' ? numbersInstead(profile, free) : null;
  if (content !== null) return { content };
  if (!isMisnamed(column, profile, free, makers)) return null;
  return { content: JUDGES[key]!(profile, makers)?.evidence ?? null };
}

/** The cells are something else when so many of them are. */
const MOST = 0.8;
/** No brand is known where so few are. */
const HARDLY = 0.05;

/** What stands where brands should: nothing with letters, countries, or the makes of the vehicles that the parts are for. */
function brandsInstead(profile: ColumnProfile, free: ColumnProfile[], makers: Makers): ContentEvidence | null {
  const { values, lettered } = profile;
  const { parts, vehicles, partsAlone } = makersIn(profile, makers);
  // Brands have letters, but for a few that are known makers (`555`): what has none is a number, or a code of the supplier.
  if (values > 0 && lettered < 0.5 && parts < 0.5) return { looks: 'letterless', share: 1 - lettered, values };
  const countries = parts < HARDLY ? shareOf(profile, isCountry) : 0;
  if (countries >= MOST) return { looks: 'countries', share: countries, values };
  const makes = vehicles + parts - partsAlone;
  const areVehiclesNamed = (['vehicleModel', 'year'] as const).every((meaning) =>
    free.some(({ means }) => means.has(meaning)),
  );
  const areForVehicles = areVehiclesNamed && makes >= MOST && partsAlone < HARDLY;
  return areForVehicles ? { looks: 'vehicle-makers', share: makes, values } : null;
}

/** What stands where numbers should: places on a board, barcodes. */
function numbersInstead(profile: ColumnProfile, free: ColumnProfile[]): ContentEvidence | null {
  const { foreign, values } = profile;
  return foreign?.looks === 'board' ? { ...foreign, values } : barcodesInstead(profile, free);
}

/** Barcodes are no numbers of a maker: they stand in their own column as well. */
function barcodesInstead(profile: ColumnProfile, free: ColumnProfile[]): ContentEvidence | null {
  const { values, numbers, length } = profile;
  if (length < SHORTEST_BARCODE || numbers < MOST) return null;
  const share = free
    .filter(({ means }) => means.has('barcode'))
    .reduce(
      (most, { counts }) =>
        Math.max(
          most,
          shareOf(profile, (value) => counts.has(value)),
        ),
      0,
    );
  return share >= MOST ? { looks: 'barcodes-beside', share, values } : null;
}

const SHORTEST_BARCODE = 8;

function shareOf({ counts, values }: ColumnProfile, isOne: (value: string) => boolean): number {
  const found = [...counts].reduce((sum, [value, count]) => (isOne(value) ? sum + count : sum), 0);
  return found / Math.max(values, 1);
}

/**
 * Row numbers under `номер` beside part numbers, makes of cars under `marca` beside makers of parts, a shop's own numbers under
 * `Artikelnummer` beside those of the makers.
 */
function isMisnamed(
  { key, names }: ColumnSettings,
  profile: ColumnProfile,
  free: ColumnProfile[],
  makers: Makers,
): boolean {
  const judge = JUDGES[key]!;
  const own = judge(profile, makers);
  if (own?.contradicted === true) return true;
  const judged = (profiles: ColumnProfile[]) =>
    profiles.map((other) => judge(other, makers)).filter((fitness) => fitness !== null);
  if (key !== 'brand') {
    if (isSparseBeside(profile, judged(free))) return true;
    const areBarcodes = profile.barcodes >= TELLING || (profile.length === BARCODE && profile.numbers >= TELLING);
    const isUnlikely = own?.absurd === true || areBarcodes;
    const known = new Set(names.map(foldExactName));
    const isKnown = (other: ColumnProfile) => known.has(foldExactName(other.name));
    // Most lists have many columns whose names mean nothing here: their cells need not be looked at.
    const rivals = isUnlikely ? free : free.filter((other) => other.means.size > 0 || isKnown(other));
    return judged(rivals)
      .filter(isTelling)
      .some(({ named, profile: other }) => isUnlikely || named >= 2 || isKnown(other));
  }
  const areVehicles = own?.evidence?.looks === 'vehicle-makers';
  const isAbsurd = own?.absurd ?? true;
  if (isAbsurd && free.some((other) => saysMore(other, profile, { free, makers }))) return true;
  const others = areVehicles || isAbsurd ? judged(free) : [];
  if (areVehicles && others.some(({ named, content }) => named >= 2 || content >= TELLING)) return true;
  const hasNone = own === null || own.content === 0;
  return isAbsurd && others.filter(isTelling).some(({ named }) => hasNone || named >= 2);
}

/** Whether most rows leave the column empty beside a full one of part numbers whose name may mean the number: `SKU`. */
function isSparseBeside({ values, rows }: ColumnProfile, others: Fitness[]): boolean {
  if (values > rows * FEW_ROWS) return false;
  const isCalled = ({ means }: ColumnProfile) => means.has('oem') || means.has('internalCode');
  return others.filter(isTelling).some(({ profile: other }) => isCalled(other) && other.values >= rows * NEARLY_ALL);
}

/** So many rows have a value of one column, so few a maker in the other, and so many of the former's values are known makers. */
const NEARLY_ALL = 0.9;
const FEW_ROWS = 0.25;
const MANY_KNOWN = 0.5;

/**
 * Whether a column that most rows leave empty, or in which most say nothing of a maker (`Б/У`), stands beside a full one of known makers
 * whose name may mean the brand: `Марка`. Makes of vehicles beside their models are no brands.
 */
function saysMore(
  other: ColumnProfile,
  { values, rows, counts }: ColumnProfile,
  { free, makers }: { free: ColumnProfile[]; makers: Makers },
): boolean {
  if (!other.means.has('brand') || other.values < rows * NEARLY_ALL) return false;
  const silent = [...counts].reduce((sum, [cell, count]) => sum + (makers.isNoMakerEvidence(cell) ? count : 0), 0);
  if (values - silent > rows * FEW_ROWS) return false;
  const areForVehicles = free.some(({ means }) => means.has('vehicleModel') || means.has('year'));
  const { parts, vehicles } = makersIn(other, makers);
  return (areForVehicles ? parts : parts + vehicles) >= MANY_KNOWN;
}

function isTelling({ plausible, content }: Fitness): boolean {
  return plausible && content >= TELLING;
}

/** Digits of a barcode, also of one whose check digit is wrong. */
const BARCODE = 13;
