import type { ColumnSettings } from '../../../config/schema/feed-settings.ts';
import type { Meaning } from '../../../columns/column-names.ts';
import { nameWords } from '../../../columns/name-words.ts';
import type { ColumnEvidence } from '../../../wording/columns/column-evidence.ts';
import type { ColumnProfile, FoundTable } from '../column-profile.ts';
import { isProduct } from '../products.ts';
import { isOfOtherParts, TELLING, type Fitness } from './fitness.ts';
import { designationsFirst } from './designations.ts';
import { JUDGES } from './judges.ts';
import type { Makers } from './makers-in.ts';
import { isCalledMakersNumber, isOfOneKind, isSellersNumber } from './number-names.ts';
import { possibleBrands } from './possible-brands.ts';
import { possibleNumbers } from './possible-numbers.ts';

/** Where a column of the offer file may be, and what speaks for that. */
export type Judged = { index: number; sure: boolean; evidence: Extract<ColumnEvidence, { code: 'judged' }> };

/** Where nothing is worth proposing. */
const LAST_RESORT: Record<string, typeof possibleBrands> = { brand: possibleBrands, oem: possibleNumbers };

/**
 * The most certain pair of columns first; no column of the file is taken twice. A column that is needed and that nothing is worth
 * proposing for may be one that little speaks for.
 */
export function judgeColumns(
  open: ColumnSettings[],
  free: ColumnProfile[],
  { table, makers }: { table: FoundTable; makers: Makers },
): Map<string, Judged> {
  const fits = open.map(({ key, required }) => {
    const fitnesses = free.map((profile) => JUDGES[key]!(profile, makers)).filter((one) => one !== null);
    const least = Math.max(0, ...fitnesses.map(({ profile }) => profile.values)) * LEAST_OF_FULLEST;
    const isCertain = ({ named, profile }: Fitness) => named >= 2 && profile.values >= least;
    const mayBeSparse = key === 'oem' && !fitnesses.some(isCertain);
    const isPossible = (one: Fitness) =>
      isWorthProposing(one) &&
      (one.profile.values >= least ||
        (mayBeSparse && one.profile.means.get('oem') === WHOLE && isCalledMakersNumber(one.profile))) &&
      (one.profile.means.has(key as Meaning) || !isHardlyFilled(one.profile)) &&
      !(key === 'brand' && (one.contradicted || isVehicleMake(one))) &&
      !(key === 'oem' && one.named < 2 && (isProduct(one.profile, table) || isOfOneKind(one.profile, free)));
    const rank = (one: Fitness) => weight(one) + (key === 'oem' ? rankOfNumber(one) : 0);
    const ranked = fitnesses.filter(isPossible).sort((a, b) => rank(b) - rank(a));
    const possible = ranked.filter((one) => !one.isForRows);
    const certain = lowestFirst(key === 'oem' ? designationsFirst(possible, free, makers) : possible);
    const others = required && certain.length === 0 ? (LAST_RESORT[key]?.(free, { table, makers }) ?? []) : [];
    const best = certain[0] === undefined ? 0 : weight(certain[0]);
    const forRows = ranked.filter((one) => one.isForRows && mayBeNumbers(one));
    return { key, ranked: [...certain, ...others, ...forRows], best };
  });
  fits.sort((a, b) => b.best - a.best);
  const judged = new Map<string, Judged>();
  const taken = new Set<number>();
  for (const { key, ranked } of fits) {
    const [best, ...others] = ranked.filter(({ profile }) => !taken.has(profile.index));
    if (best === undefined) continue;
    taken.add(best.profile.index);
    const rival = others.find((other) => isRival(best, other) && !holdTheSame(table, best.profile, other.profile));
    const { named, evidence: content } = best;
    judged.set(key, {
      index: best.profile.index,
      sure: isSure(best) && rival === undefined,
      evidence: { code: 'judged', named: named > 0, content, rival: rival?.profile.name || null },
    });
  }
  return judged;
}

/** Of columns that are counted (`MPN1`, `MPN2`), the first one has what the others have more of: it goes where the best of them is. */
function lowestFirst(ranked: Fitness[]): Fitness[] {
  const [best] = ranked;
  if (best === undefined) return ranked;
  const { base } = countedName(best.profile.name);
  const family = ranked.filter(({ profile }) => countedName(profile.name).base === base);
  const [first] = base === '' ? [] : family.sort((a, b) => countOf(a) - countOf(b));
  return first === undefined || first === best ? ranked : [first, ...ranked.filter((one) => one !== first)];
}

function countOf({ profile }: Fitness): number {
  return countedName(profile.name).count;
}

/** A name without the number at its end, and that number: `Manufacturer 2`. */
function countedName(name: string): { base: string; count: number } {
  const words = nameWords(name);
  const last = words.at(-1) ?? '';
  const isCounted = /^\d{1,3}$/.test(last);
  return { base: (isCounted ? words.slice(0, -1) : words).join(' '), count: isCounted ? Number(last) : 0 };
}

/** Whether two columns have the same in each row, as a field and a parameter of a document may: it is all one which is taken. */
function holdTheSame({ rows }: FoundTable, one: ColumnProfile, other: ColumnProfile): boolean {
  if (one.values !== other.values || one.distinct !== other.distinct) return false;
  return rows.every((cells) => (cells[one.index] ?? '').trim() === (cells[other.index] ?? '').trim());
}

/**
 * What hardly any row has, where others have it in all, belongs to few rows, unless it is called the maker's number and nothing else is
 * certain.
 */
const LEAST_OF_FULLEST = 0.1;

/** One or two values of many rows say nothing by themselves. */
function isHardlyFilled({ values, rows }: ColumnProfile): boolean {
  return values < 3 && values < rows / 2;
}

/** Ids and running numbers may be those of the parts if their name may say so, or if no program counted them: `AIR 6034`. */
function mayBeNumbers({ named, content, profile }: Fitness): boolean {
  const isOrder = isOfOrder(profile);
  if (named > 0 && !isOrder) return true;
  const areLettered = profile.lettered >= (isOrder ? SOME_LETTERS : 0.5);
  return content >= TELLING && areLettered && !profile.isRunning && !profile.isCounter;
}

/** Codes to order by are those of several makers, some of which have digits alone. */
const SOME_LETTERS = 0.3;

/** The id of an order may be the code to order by, or what a shop counts its orders with. */
function isOfOrder({ name }: ColumnProfile): boolean {
  return nameWords(name)[0] === 'order';
}

/** Makers of vehicles under a name that says so: the list is for them, it is not from them. */
function isVehicleMake({ profile, evidence }: Fitness): boolean {
  return evidence?.looks === 'vehicle-makers' && profile.means.has('vehicleMake');
}

/** Of two columns of numbers the one with letters is the makers': those of a shop are mostly digits. */
const LETTERS = 0.2;
/** Numbers of other parts go behind those of the parts themselves, and a seller's behind those of the makers, however few. */
const OF_OTHERS = -1;
const OF_SELLERS = -1.2;
/** Words that say that a number is the maker's, in whatever languages, are as good as a whole name. */
const OF_MAKERS = 1;
/** The weight of a whole name (`ColumnProfile.means`). */
const WHOLE = 3;

function rankOfNumber({ named, profile }: Fitness): number {
  const place = isOfOtherParts(profile)
    ? OF_OTHERS
    : isSellersNumber(profile)
      ? OF_SELLERS
      : named < WHOLE && isCalledMakersNumber(profile)
        ? OF_MAKERS
        : 0;
  return profile.lettered * LETTERS + place;
}

/** A column with so much more of it is the better one, whatever the names say. */
const CLEARLY_MORE = 0.3;

function isWorthProposing({ named, content, plausible, contradicted }: Fitness): boolean {
  return (!contradicted || named === 3) && (named >= 2 || (plausible && named > 0) || content >= TELLING);
}

/** What the cells contradict goes behind what anything speaks for. */
function weight({ named, content, plausible, contradicted }: Fitness): number {
  return (contradicted ? named / 3 : named) + content * 2 + (plausible ? 1 : 0);
}

/** The whole name says what it is, and the cells do not contradict it. A word of a name says too little. */
function isSure({ named, plausible }: Fitness): boolean {
  return plausible && named === 3;
}

/** Another column that a careful person would look at before deciding. */
function isRival(best: Fitness, other: Fitness): boolean {
  if (isOfOtherParts(other.profile)) return false;
  if (other.named >= Math.max(best.named, 2)) return true;
  if (!other.plausible) return false;
  // A column whose name is not known may be anything that it looks like.
  const isUnknown = other.profile.means.size === 0 && other.evidence?.looks === 'part-numbers';
  return other.named >= 1 || other.content >= best.content + (isUnknown ? 0 : CLEARLY_MORE);
}
