import type { ColumnProfile } from '../column-profile.ts';

/** What is known of makers: what a value's maker makes, and which values say nothing about it (`CHINA`, `OEM`, ordinary words). */
export type Makers = {
  makerKind: (value: string) => 'parts' | 'vehicles' | 'both' | null;
  isNoMakerEvidence: (value: string) => boolean;
};

/** Values of more letters, and many more of them, are no brands: brands repeat. */
export const LONGEST_BRAND = 40;

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
