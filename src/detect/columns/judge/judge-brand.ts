import type { ContentEvidence } from '../../../wording/columns/column-evidence.ts';
import type { ColumnProfile } from '../column-profile.ts';
import type { ForeignCells } from '../cells/foreign-cells.ts';
import { FEW, fitness, isOfOtherParts, nameFor, type Fitness } from './fitness.ts';
import { LONGEST_BRAND, makersIn, type Makers } from './makers-in.ts';

/** Brands repeat. */
const MOST_DISTINCT = 0.6;
/** Brands of so many characters have hardly two words each, all of them another. */
const SHORTEST_TEXT = 15;
/** Countries, distributors and models stand under such names, too: so many makers of parts must be known. */
const LEAST_MAKERS = 0.2;

/** Judges a column for the brands: names that come again, many of them known makers. */
export function judgeBrand(profile: ColumnProfile, makers: Makers): Fitness | null {
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
