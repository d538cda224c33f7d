import { nameWords } from '../../../columns/name-words.ts';
import type { ColumnProfile } from '../column-profile.ts';
import { isOfOtherParts, type Fitness } from './fitness.ts';
import { JUDGES } from './judges.ts';
import type { Makers } from './makers-in.ts';

/** What makers call how they designate a product, beside models: Siemens' type, `Тип`, `型式`. */
const TYPE = new Set(['type', 'typ', 'tipo', 'tip', 'tyyppi', 'тип', 'типы', 'τυπος']);
/** Models of cars are words, or shorter, and come again for each part. */
const SHORTEST = 5;
const MOST = 0.6;
const HALF = 0.5;
const VARIED = 0.7;

/** Models and types that makers of other things than cars number their products by. */
export function isDesignation(profile: ColumnProfile): boolean {
  const { means, name, partNumbers, length, distinct, values } = profile;
  const isCalled = (means.get('vehicleModel') ?? 0) >= 2 || nameWords(name).some((word) => TYPE.has(word));
  return isCalled && partNumbers >= MOST && length >= SHORTEST && distinct >= values * HALF;
}

/**
 * Puts models and types that look like a maker's numbers before what is only the list's own code: one whose name says so (`Código SAP`), or
 * codes of one form that rise from row to row under a vague one. `ranked`: the best first.
 */
export function designationsFirst(ranked: Fitness[], free: ColumnProfile[], makers: Makers): Fitness[] {
  const [best] = ranked;
  if (best === undefined || !isOwnCode(best)) return ranked;
  const found = free.filter((profile) => isDesignation(profile) && areMakersOwn(profile, best.profile));
  const fits = found.flatMap((profile) => JUDGES['oem']!({ ...profile, means: new Map() }, makers) ?? []);
  const possible = fits.filter(({ contradicted, isForRows }) => !contradicted && !isForRows);
  return [...possible.map((one) => Object.assign({}, one, { plausible: false })), ...ranked];
}

function isOwnCode({ named, profile }: Fitness): boolean {
  if (isOfOtherParts(profile)) return false;
  const isInternal = named === 0 && profile.means.has('internalCode');
  const { foreign, isSeries } = profile;
  return isInternal || (named === 1 && (isSeries || foreign?.looks === 'codes'));
}

/** With letters, few of them again, and in at least half as many rows as the code. */
function areMakersOwn({ lettered, distinct, values, measures, foreign }: ColumnProfile, code: ColumnProfile): boolean {
  const areVaried = distinct >= values * VARIED && lettered >= HALF;
  return areVaried && measures < HALF && foreign === null && values * 2 >= code.values;
}
