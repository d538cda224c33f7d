import type { Meaning } from '../../../columns/column-names.ts';
import { genuineShapes, shapeOf } from '../../../values/damaged-numbers.ts';
import type { ContentEvidence } from '../../../wording/columns/column-evidence.ts';
import type { ColumnProfile } from '../column-profile.ts';
import { FEW, fitness, nameFor, type Fitness } from './fitness.ts';
import { makersIn, type Makers } from './makers-in.ts';
import { isIdByName, isOfSomethingElse, isSellersNumber } from './number-names.ts';

const SHORT_NUMBER = 5;

/** Judges a column for the part numbers: nearly all of them look like some, and hardly any comes again. */
export function judgePartNumber(profile: ColumnProfile, makers: Makers): Fitness | null {
  const known = isMakersNumber(profile) ? 2 : nameFor('oem', profile);
  if (known === null || (known === 0 && isAmountByName(profile))) return null;
  if (isOfSomethingElse(profile.name) || profile.foreign?.looks === 'board') return null;
  if (profile.foreign?.looks === 'values' && known < 3) return null;
  // A seller's name takes from a number what the rest of its name gives it.
  const named = isSellersNumber(profile) ? Math.min(known, 1) : known;
  const { partNumbers, barcodes, distinct, values, phrases, isCounter, isSeries } = profile;
  const areAmounts = Math.max(profile.measures, profile.recordIds) >= 0.8;
  if (areAmounts && named < 3) return null;
  // Numbers of parts may be codes of one form, and a column that is called so may have values of parts that have no number.
  const mayBe = profile.foreign?.looks === 'codes' || profile.foreign?.looks === 'values';
  const foreign = mayBe ? null : profile.foreign;
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
  // Colours, lengths and sizes have digits among their words, too: only a name makes numbers of them.
  const areWords = named === 0 && phrases >= 0.5;
  const looks = areCodes ? 0.5 : isSeries ? 0.8 : areShort ? 0.9 : 1;
  const content = foreign !== null || areWords ? 0 : partNumbers * unique * looks;
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
