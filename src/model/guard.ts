import type { PartsGone } from './parts-gone.ts';

/** What a guard checked: the file of a feed, or the dataset of a login. */
export type Guarded = { feed: string } | { login: string };

/** A brand or a tag that lost more rows than its guard allows. */
export type SliceDrop = { kind: 'brand' | 'tag'; name: string; before: number; after: number };

/** A guard that tripped: its setting with its limit, and the numbers that it compared. */
export type TrippedGuard = { whose: Guarded; limit: number } & (
  | { guard: 'minRows'; rows: number }
  | { guard: 'maxRejected'; rejected: number; read: number }
  | {
      guard: 'maxRowDrop' | 'maxRowGrowth';
      before: number;
      after: number;
      /** Rows that the service rejected are left out of the numbers. */
      withoutRejected: boolean;
    }
  | { guard: 'maxBrandDrop' | 'maxTagDrop'; first: SliceDrop; others: SliceDrop[]; more: number }
  | ({ guard: 'maxPriceJump' } & PriceJump)
  | { guard: 'maxStockDrop'; before: Share; after: Share }
  | { guard: 'maxLeftOut'; before: Share; after: Share }
  | ({ guard: 'maxPartsGone' } & PartsGone)
);

/** Prices that are others altogether, of all that were compared. */
export type PriceJump = { parts: number; of: number; how: 'jumped' | 'swapped' | 'unreadable' };

/** Some rows of all that say what is asked. */
export type Share = { rows: number; of: number };
