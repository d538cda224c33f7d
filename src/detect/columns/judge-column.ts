import type { ContentEvidence } from '../../wording/columns/column-evidence.ts';
import type { Meaning } from '../../columns/column-names.ts';
import { genuineShapes, shapeOf } from '../../values/damaged-numbers.ts';
import { nameWords } from '../../columns/name-words.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { ForeignCells } from './cells/foreign-cells.ts';

/** What is known of makers: what a value's maker makes, and which values say nothing about it (`CHINA`, `OEM`, ordinary words). */
export type Makers = {
  makerKind: (value: string) => 'parts' | 'vehicles' | 'both' | null;
  isNoMakerEvidence: (value: string) => boolean;
};

/** How well a column fits a column of the offer file, and what of it speaks for that. */
export type Fitness = {
  profile: ColumnProfile;
  /** 0 to 3, see `ColumnProfile.means`. */
  named: number;
  /** 0 to 1. */
  content: number;
  /** The cells do not contradict the name. */
  plausible: boolean;
  /** The cells are not known to be what the name says: another column may be. */
  absurd: boolean;
  /** The cells are something else than the name says: row numbers, makers under a number, numbers under a brand. */
  contradicted: boolean;
  /**
   * It numbers rows or records, by its cells or by its name: it is proposed where no other column has the looks of part numbers and its
   * name may mean one.
   */
  isForRows: boolean;
  evidence: ContentEvidence | null;
};

/** Judges one column of a supplier's file for one column of the offer file; null when it cannot be the one. Pure. */
export type Judge = (profile: ColumnProfile, makers: Makers) => Fitness | null;

/** The columns of the offer file whose meaning is known; columns that a configuration adds have only their names. */
export const JUDGES: Record<string, Judge> = {
  brand: judgeBrand,
  oem: judgePartNumber,
  name: judgeName,
  tags: judgeTags,
};

/** Content that few columns have by chance. */
export const TELLING = 0.6;

/** Values of fewer letters and many more of them are no brands: brands repeat. */
const LONGEST_BRAND = 40;
const MOST_DISTINCT = 0.6;
/** Brands of so many characters have hardly two words each, all of them another. */
const SHORTEST_TEXT = 15;
/** Groups and brands repeat more than names. */
const LEAST_DISTINCT = 0.2;
const FEW = 20;
const SHORT_NUMBER = 5;
/** Countries, distributors and models stand under such names, too: so many makers of parts must be known. */
const LEAST_MAKERS = 0.2;

function judgeBrand(profile: ColumnProfile, makers: Makers): Fitness | null {
  const { parts, vehicles, partsAlone } = makersIn(profile, makers);
  const named = namedAsMaker(profile, parts + vehicles) ?? nameFor('brand', profile);
  if (named === null || isOfOtherParts(profile) || (named === 0 && profile.lettered < 0.5)) return null;
  const isRepeated = profile.values < FEW || profile.distinct <= profile.values * MOST_DISTINCT || parts >= 0.5;
  const foreign = foreignBrands(profile, parts);
  const plausible =
    foreign === null &&
    profile.values > 0 &&
    profile.length <= LONGEST_BRAND &&
    profile.lettered >= 0.5 &&
    isRepeated &&
    profile.numbers < 0.2 &&
    profile.partNumbers < 0.3 &&
    (vehicles < 0.5 || parts >= 0.5 || partsAlone >= LEAST_MAKERS) &&
    parts >= LEAST_MAKERS;
  const isVaried = profile.distinct >= profile.values * 0.5;
  const areTexts =
    profile.phrases >= 0.8 && profile.length >= SHORTEST_TEXT && profile.distinct >= profile.values * 0.8;
  const contradicted =
    foreign !== null ||
    (parts < 0.05 &&
      ((profile.partNumbers >= 0.8 && isVaried) || profile.lettered < 0.2 || (areTexts && profile.values >= FEW)));
  const share = Math.max(parts, vehicles);
  const evidence: ContentEvidence | null =
    foreign !== null
      ? { ...foreign, values: profile.values }
      : contradicted && profile.partNumbers >= 0.8
        ? { looks: 'part-numbers', share: profile.partNumbers, values: profile.values }
        : share < 0.05 && named === 0
          ? null
          : parts >= vehicles || partsAlone >= LEAST_MAKERS
            ? { looks: 'makers', share: parts, values: profile.values }
            : { looks: 'vehicle-makers', share: vehicles, values: profile.values };
  // Makers of vehicles have their names on parts, too, but another column of makers goes before them.
  const content = foreign === null ? Math.min(1, parts + vehicles * 0.6) : 0;
  const absurd = parts < LEAST_MAKERS;
  return fitness({ profile, named, content, plausible, absurd, contradicted, isForRows: false, evidence });
}

/** How much a name that means numbers or codes speaks for makers when the cells name some; `share`: of those that are known. */
function namedAsMaker(profile: ColumnProfile, share: number): number | null {
  if (isOriginalMaker(profile, share)) return 2;
  const isCode = profile.means.size > 0 && [...profile.means.keys()].every((meaning) => meaning === 'internalCode');
  return isCode && share >= ALL_BUT_FEW ? 1 : null;
}

const ALL_BUT_FEW = 0.9;

/**
 * `OEM` is the original equipment manufacturer: the car trade means its number, other trades its name. Names have no digits, and come again
 * or are known.
 */
function isOriginalMaker({ name, digits, lettered, values, distinct }: ColumnProfile, share: number): boolean {
  const areNames = digits < 0.1 && lettered >= 0.8;
  const areRepeated = distinct <= values * MOST_DISTINCT;
  return /^oem(?:[ _-]?name)?s?$/i.test(name) && areNames && (areRepeated || share >= 0.5);
}

/** What most brands are that are none. A link may have a maker's name in it. */
function foreignBrands({ foreign }: ColumnProfile, makersOfParts: number): ForeignCells | null {
  const isCertain = foreign?.looks === 'links' || foreign?.looks === 'e-mails';
  return isCertain || makersOfParts < 0.05 ? foreign : null;
}

/** Shares of the values that are known makers of parts, of vehicles alone, and of parts alone. */
type MakerShares = { parts: number; vehicles: number; partsAlone: number };

/** What the values of a column are known to be makers of. */
export function makersIn({ counts, values }: ColumnProfile, makers: Makers): MakerShares {
  let [parts, vehicles, both, silent] = [0, 0, 0, 0];
  counts.forEach((count, value) => {
    const kind = value.length > LONGEST_BRAND ? null : makers.makerKind(value);
    if (kind === 'both') both += count;
    if (kind === 'parts' || kind === 'both') parts += count;
    else if (kind === 'vehicles') vehicles += count;
    else if (makers.isNoMakerEvidence(value)) silent += count;
  });
  const telling = Math.max(values - silent, 1);
  return { parts: parts / telling, vehicles: vehicles / telling, partsAlone: (parts - both) / telling };
}

function judgePartNumber(profile: ColumnProfile, makers: Makers): Fitness | null {
  const named = isMakersNumber(profile) ? 2 : nameFor('oem', profile);
  if (named === null || (named === 0 && isAmountByName(profile))) return null;
  if (isOfSomethingElse(profile.name) || areDesignators(profile)) return null;
  const { partNumbers, barcodes, distinct, values, phrases, isCounter, isSeries } = profile;
  const areAmounts = Math.max(profile.measures, profile.recordIds) >= 0.8;
  if (areAmounts && named < 3) return null;
  // Numbers of parts may be codes of one form.
  const foreign = profile.foreign?.looks === 'codes' ? null : profile.foreign;
  const unique = distinct / Math.max(values, 1);
  const areCodes = values >= 10 && profile.codes >= 0.8;
  const isForRows = isCounter || (named < 2 && (profile.isRunning || isIdByName(profile.name)));
  const plausible =
    !isForRows &&
    foreign === null &&
    !areCodes &&
    !areAmounts &&
    partNumbers >= 0.6 &&
    barcodes < 0.3 &&
    unique >= 0.5 &&
    phrases < 0.2 &&
    // Cross references are several in a cell, and many parts have none.
    profile.lists < 0.03 &&
    values >= profile.rows * 0.9;
  const { parts, vehicles } = makersIn(profile, makers);
  const areMakers = parts + vehicles >= 0.6;
  const areNoNumbers = values >= 10 && profile.digits < 0.1;
  const evidence: ContentEvidence | null =
    foreign !== null
      ? { ...foreign, values }
      : areMakers
        ? { looks: 'makers', share: parts + vehicles, values }
        : partNumbers < 0.05 && named === 0
          ? null
          : { looks: 'part-numbers', share: partNumbers, values };
  // Prices and stocks are short whole numbers, too.
  const areShort = profile.numbers >= 0.9 && profile.length <= SHORT_NUMBER;
  const content = foreign !== null ? 0 : partNumbers * unique * (areCodes ? 0.5 : isSeries ? 0.8 : areShort ? 0.9 : 1);
  const areNumbers = Math.max(profile.numbers, profile.stocks) >= 0.9 && partNumbers < 0.05 && barcodes < 0.05;
  const areCounts = areNumbers && ((values >= FEW && unique < 0.5) || (profile.stocks === 1 && profile.signs > 0));
  const areTexts = values >= 10 && phrases >= 0.8 && partNumbers < 0.2;
  const areDamaged = values >= 10 && profile.damaged >= 0.5 && !(named === 3 && areGenuine(profile));
  const contradicted =
    foreign !== null ||
    areMakers ||
    areNoNumbers ||
    areCounts ||
    areTexts ||
    areDamaged ||
    areAmounts ||
    profile.prices >= 0.8;
  const absurd = isCounter || areCodes;
  return fitness({ profile, named, content, plausible, absurd, contradicted, isForRows, evidence });
}

/** What a column is called that has the ids of records. */
const ROW_ID = new Set(['id', 'ids', 'pk', 'uid', 'uuid', 'guid', 'ид', 'гуид', 'уид']);

function isIdByName(name: string): boolean {
  return nameWords(name).some((word) => ROW_ID.has(word));
}

/** How words begin that name places and papers, whose numbers and codes are no parts'. */
const NO_PARTS =
  /^(?:zip|postal|postcode|postleitzahl|plz|почтов|invoice|document|dokument|receipt|rechnung|beleg|fact?ur|fattur|faktur|фактур|накладн|документ|plate)/u;

function isOfSomethingElse(name: string): boolean {
  return nameWords(name).some((word) => NO_PARTS.test(word));
}

/** Places on a board: `R8,R11`, `C4`, `U2`. They are counted from one for each kind; numbers of parts are not. */
const DESIGNATOR = /^[A-Z]{1,3}\d{1,3}(?:[,;\s]+[A-Z]{1,3}\d{1,3})*$/;
const KINDS_ON_A_BOARD = ['R', 'C', 'U', 'J', 'D', 'Q', 'L'];
const LEAST_KINDS = 3;

function areDesignators({ counts, distinct, length }: ColumnProfile): boolean {
  if (length > LONGEST_BRAND) return false;
  const cells = [...counts.keys()].filter((cell) => DESIGNATOR.test(cell));
  const first = new Set(
    cells.flatMap((cell) => cell.match(/[A-Z]{1,3}[1-9](?!\d)/g) ?? []).map((one) => one.slice(0, -1)),
  );
  return cells.length >= distinct * 0.8 && KINDS_ON_A_BOARD.filter((kind) => first.has(kind)).length >= LEAST_KINDS;
}

/** Amounts, dates and the like: however they are written, they are no numbers of parts. */
const AMOUNTS = new Set<Meaning>([
  ...(['price', 'currency', 'quantity', 'pack', 'weight', 'dimensions', 'barcode', 'year', 'unit'] as const),
  ...(['delivery', 'date', 'discount', 'vat', 'customsCode', 'link'] as const),
]);

function isAmountByName({ means }: ColumnProfile): boolean {
  return !means.has('internalCode') && [...means.keys()].some((meaning) => AMOUNTS.has(meaning));
}

/** Whether most numbers only look like dates: the column is written so. Dates of workbooks are no numbers. */
function areGenuine({ counts, distinct }: ColumnProfile): boolean {
  const numbers = [...counts.keys()];
  const shapes = genuineShapes(numbers, { hasDates: true });
  return numbers.filter((number) => shapes.includes(shapeOf(number))).length * 2 > distinct;
}

/** `Herst.-Nr.` names the maker, and the cells say that it is the maker's number, not an id of the maker or of a supplier. */
function isMakersNumber({ means, partNumbers, name }: ColumnProfile): boolean {
  return (means.get('brand') ?? 0) >= 2 && !means.has('oem') && partNumbers >= 0.6 && !isIdByName(name);
}

function judgeName(profile: ColumnProfile): Fitness | null {
  const named = nameFor('name', profile);
  // Many columns have texts, and addresses read like some.
  if (named === null || (named === 0 && (profile.name !== '' || profile.foreign !== null))) return null;
  const texts = Math.max(profile.phrases, profile.words);
  const isVaried = profile.values < FEW || profile.distinct >= profile.values * LEAST_DISTINCT;
  const plausible = texts >= 0.5 && profile.length >= 4 && isVaried;
  return fitness({
    profile,
    named,
    // Of several texts the longer one that repeats less is the name.
    content: texts * Math.min(1, (profile.length / 20) * (profile.distinct / Math.max(profile.values, 1))),
    plausible,
    absurd: false,
    contradicted: false,
    isForRows: false,
    evidence: { looks: 'texts', share: texts, values: profile.values },
  });
}

/** What is joined in one cell, and for what, is not to be seen: tags are only proposed. Makers of other parts are none. */
function judgeTags(profile: ColumnProfile): Fitness | null {
  const named = nameFor('tags', profile);
  if (named === null || named < 2 || profile.means.has('brand')) return null;
  const nothing = {
    content: 0,
    plausible: false,
    absurd: false,
    contradicted: false,
    isForRows: false,
    evidence: null,
  };
  return fitness({ profile, named, ...nothing });
}

function fitness(found: Fitness): Fitness | null {
  return found.profile.values === 0 ? null : found;
}

/** A word of its name says that it is of other parts: `Alternate Manufacturer`, `Номер замены`. */
export function isOfOtherParts({ means }: ColumnProfile): boolean {
  return (means.get('tags') ?? 0) >= 2;
}

/** Meanings that a column may have beside another one: a maker may be called the supplier, a part number a code. */
const COMPATIBLE: Partial<Record<Meaning, Meaning[]>> = {
  brand: ['supplier', 'vehicleMake'],
  oem: ['internalCode', 'line'],
  name: ['comment', 'group'],
  tags: ['oem'],
};

/** How much the name of a column speaks for a meaning; null when it says that the column is something else. */
function nameFor(meaning: Meaning, { means }: ColumnProfile): number | null {
  const named = means.get(meaning) ?? 0;
  const rivals = [...means].filter(([other, weight]) => other !== meaning && weight > named && weight >= 2);
  const allowed = COMPATIBLE[meaning] ?? [];
  return rivals.every(([other]) => allowed.includes(other)) ? named : null;
}
