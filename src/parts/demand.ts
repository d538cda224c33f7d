import type { PartDemand } from '../model.ts';
import { foldHalf, partKey } from './part-key.ts';

/** What is known of the demand for parts. */
export type Demand = {
  /** 1 to 4, a lower one is in more demand; null where it is not known. A part without a brand has the highest of its number. */
  of: (part: { brand: string | null; oem: string | null }) => number | null;
  /** The look that answered last, null where no demand is known at all. */
  asOf: string | null;
};

/** A part as it is uploaded, from what the supplier's file says. */
type AsUploaded = (part: { brand: string; oem: string }) => { brand: string; oem: string };

/**
 * The demand for parts by what the search answered, the newest answers first. `asOf`: the look that answered last. A part that is not known as it is written
 * is looked up as it would be uploaded.
 */
export function createDemand(
  { look, parts }: { look: string | null; parts: readonly PartDemand[] },
  asUploaded: AsUploaded = (part) => part,
): Demand {
  const ofPart = new Map<string, number>();
  const ofNumber = new Map<string, number>();
  for (const { brand, oem, saleCategory } of parts) {
    const key = partKey(brand, oem);
    if (ofPart.has(key)) continue;
    ofPart.set(key, saleCategory);
    const number = foldHalf(oem);
    ofNumber.set(number, Math.min(saleCategory, ofNumber.get(number) ?? Infinity));
  }
  return {
    asOf: ofPart.size === 0 ? null : look,
    of: ({ brand, oem }) => {
      if (ofPart.size === 0 || oem === null || oem === '') return null;
      const uploaded = asUploaded({ brand: brand ?? '', oem });
      const known =
        brand === null || brand === ''
          ? (ofNumber.get(foldHalf(oem)) ?? ofNumber.get(foldHalf(uploaded.oem)))
          : (ofPart.get(partKey(brand, oem)) ?? ofPart.get(partKey(uploaded.brand, uploaded.oem)));
      return known ?? null;
    },
  };
}

/** Nothing is known of any demand. */
export const NO_DEMAND: Demand = createDemand({ look: null, parts: [] });

/** Which part a value is about. */
type PartOf<T> = (value: T) => { brand: string | null; oem: string | null };

const UNKNOWN = Infinity;

/** Values in the order of their demand, those without one last; what is in equal demand stays in its order. */
export function byDemand<T>(values: readonly T[], demand: Demand, partOf: PartOf<T>): T[] {
  const levels = Map.groupBy(values, (value) => demand.of(partOf(value)) ?? UNKNOWN);
  return inOrder(levels);
}

/** The first so many values of a stream in the order of their demand; memory does not grow with the stream. */
export async function firstByDemand<T>(
  stream: AsyncIterable<T>,
  most: number,
  demand: Demand,
  partOf: PartOf<T>,
): Promise<T[]> {
  const levels = new Map<number, T[]>([[UNKNOWN, []]]);
  for await (const value of stream) {
    const wanted = demand.of(partOf(value)) ?? UNKNOWN;
    const level = levels.get(wanted) ?? [];
    if (level.length < most) level.push(value);
    levels.set(wanted, level);
    if (demand.asOf === null && level.length === most) break;
  }
  return inOrder(levels).slice(0, most);
}

function inOrder<T>(levels: ReadonlyMap<number, T[]>): T[] {
  return [...levels].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, level]) => level);
}
