import { nameWords } from '../../../columns/name-words.ts';
import type { Meaning } from '../../../columns/column-names.ts';
import { genuineShapes, shapeOf } from '../../../values/damaged-numbers.ts';
import type { ContentEvidence } from '../../../wording/columns/column-evidence.ts';
import type { ColumnProfile } from '../column-profile.ts';
import { FEW, fitness, nameFor, type Fitness } from './fitness.ts';
import { LONGEST_BRAND, makersIn, type Makers } from './makers-in.ts';

const SHORT_NUMBER = 5;

/** Judges a column for the part numbers: nearly all of them look like some, and hardly any comes again. */
export function judgePartNumber(profile: ColumnProfile, makers: Makers): Fitness | null {
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
