import type { ColumnLook } from '../../model.ts';
import type { CellShare } from '../../wording/columns/column-evidence.ts';
import { profilesOf, type ColumnProfile, type FoundTable } from './column-profile.ts';
import { lazily } from './lazily.ts';
import { makersIn, type Makers } from './judge/makers-in.ts';

/** Says of each column of a table what its cells look like. What is not asked for is not counted. Pure. */
export function looksOf(table: FoundTable, makers: Makers): ColumnLook[] {
  return profilesOf(table).map((profile) => lookOf(profile, makers));
}

/** What the cells of a column look like. What is not asked for is not counted. Pure. */
export function lookOf(profile: ColumnProfile, makers: Makers): ColumnLook {
  const known = lazily({ shares: () => makersIn(profile, makers) });
  const percent = (share: () => number) => () => Math.round(share() * 100);
  return lazily<ColumnLook>({
    values: () => profile.values,
    makers: percent(() => known.shares.parts),
    vehicles: percent(() => known.shares.vehicles),
    distinct: percent(() => profile.distinct / Math.max(profile.values, 1)),
    partNumbers: percent(() => profile.partNumbers),
    barcodes: percent(() => profile.barcodes),
    prices: percent(() => profile.prices),
    phrases: percent(() => profile.phrases),
    lettered: percent(() => profile.lettered),
    digits: percent(() => profile.digits),
    isCounter: () => profile.isCounter,
  });
}

/** What speaks against a meaning when there is more of it than before, and what when there is less. */
export type Telling = { more: CellShare[]; less: CellShare[] };

const OF_ANY: CellShare[] = ['makers', 'vehicles', 'barcodes', 'prices', 'phrases', 'lettered', 'digits'];
const TELLING: Record<string, Telling> = {
  brand: {
    more: ['partNumbers', 'barcodes', 'prices', 'digits', 'vehicles', 'phrases'],
    less: ['makers', 'lettered'],
  },
  oem: {
    more: ['makers', 'vehicles', 'barcodes', 'prices', 'phrases', 'lettered'],
    less: ['partNumbers', 'digits', 'distinct', 'lettered'],
  },
};

/** A column has changed when at least so many more or fewer in a hundred of its values are something; of few values, more. */
const LEAST_CHANGE = 50;
/** That other makers come, or makers who write numbers otherwise or shortly, is seen in so many values only. */
const LEAST_VALUES = 10;
const OFTEN_CHANGING: CellShare[] = ['makers', 'lettered', 'distinct', 'phrases', 'partNumbers'];

/** The greatest change of a column's cells that its meaning does not allow; null when there is none. Pure. */
export function changeOf(key: string, then: ColumnLook, now: ColumnLook, telling = TELLING) {
  const values = Math.min(then.values, now.values);
  if (values === 0) return null;
  const least = Math.min(100, LEAST_CHANGE + 50 / Math.sqrt(values));
  const { more, less } = telling[key] ?? { more: OF_ANY, less: OF_ANY };
  const grown = more.map((share) => ({ share, by: now[share] - then[share] }));
  const shrunk = less.map((share) => ({ share, by: then[share] - now[share] }));
  const [most] = [...grown, ...shrunk]
    .filter(({ share, by }) => by >= least && (values >= LEAST_VALUES || !OFTEN_CHANGING.includes(share)))
    .sort((a, b) => b.by - a.by);
  if (most === undefined) return null;
  return { share: most.share, was: then[most.share], now: now[most.share], values: now.values };
}

/** What nobody would expect in such a column; null when the cells do not contradict it. Pure. */
export function contradictionOf(
  key: string,
  look: ColumnLook,
): { share: CellShare | 'rowNumbers'; now: number } | null {
  if (look.values === 0) return null;
  const most = (...shares: CellShare[]) => {
    const share = shares.find((one) => look[one] >= LEAST_CHANGE);
    return share === undefined ? null : { share, now: look[share] };
  };
  if (key === 'oem') {
    if (look.isCounter) return { share: 'rowNumbers', now: 100 };
    const few = look.digits < LEAST_CHANGE ? ({ share: 'digits', now: look.digits } as const) : null;
    return most('makers', 'vehicles', 'prices', 'barcodes') ?? few;
  }
  if (key === 'brand') return look.makers >= LEAST_CHANGE ? null : most('partNumbers', 'barcodes', 'prices', 'digits');
  return null;
}
