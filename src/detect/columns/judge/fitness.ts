import type { Meaning } from '../../../columns/column-names.ts';
import type { ContentEvidence } from '../../../wording/columns/column-evidence.ts';
import type { ColumnProfile } from '../column-profile.ts';
import type { Makers } from './makers-in.ts';

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

/** Of a column of which only its name is known, or that nothing else speaks for. */
export const NOTHING_KNOWN = { content: 0, plausible: false, absurd: true, contradicted: false, isForRows: false };

/** Content that few columns have by chance. */
export const TELLING = 0.6;

/** How often so few values come again says little. */
export const FEW = 20;

/** A column without a value is none. */
export function fitness(found: Fitness): Fitness | null {
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
export function nameFor(meaning: Meaning, { means }: ColumnProfile): number | null {
  const named = means.get(meaning) ?? 0;
  const rivals = [...means].filter(([other, weight]) => other !== meaning && weight > named && weight >= 2);
  const allowed = COMPATIBLE[meaning] ?? [];
  return rivals.every(([other]) => allowed.includes(other)) ? named : null;
}
