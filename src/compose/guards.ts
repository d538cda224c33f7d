import type { Guard } from '../config/schema/schema.ts';
import type { Signals } from '../model.ts';
import type { TrippedGuard } from '../wording/reasons/guard-reasons.ts';

/**
 * The numbers that a guard checks. `previousRows` belongs to the last accepted delivery, null when there is none.
 * `rejectedThere` counts, on both sides, rows of parts that the service rejected: they were not live, so they count on neither.
 */
export type Guarded = {
  rows: number;
  read: number;
  rejected: number;
  previousRows: number | null;
  rejectedThere: RejectedThere;
};

export type RejectedThere = { rows: number; previousRows: number };

/** The first guard that these numbers trip; null when all is well. */
export function trippedGuard(guard: Guard, numbers: Guarded, whose: TrippedGuard['whose']): TrippedGuard | null {
  const { rows, read, rejected, previousRows } = numbers;
  const { minRows, maxRejected } = guard;
  if (minRows !== undefined && rows < minRows) return { whose, guard: 'minRows', limit: minRows, rows };
  if (maxRejected !== undefined && read > 0 && rejected / read > maxRejected) {
    return { whose, guard: 'maxRejected', limit: maxRejected, rejected, read };
  }
  return previousRows === null ? null : trippedChange(guard, numbers, previousRows, whose);
}

/** What was live against what would be. */
function trippedChange(
  { maxRowDrop, maxRowGrowth }: Guard,
  { rows, rejectedThere }: Guarded,
  previousRows: number,
  whose: TrippedGuard['whose'],
): TrippedGuard | null {
  const before = previousRows - rejectedThere.previousRows;
  const after = rows - rejectedThere.rows;
  if (before <= 0) return null;
  const change = (after - before) / before;
  const numbers = { whose, before, after, withoutRejected: before !== previousRows || after !== rows };
  if (maxRowDrop !== undefined && -change > maxRowDrop) return { ...numbers, guard: 'maxRowDrop', limit: maxRowDrop };
  if (maxRowGrowth !== undefined && change > maxRowGrowth) {
    return { ...numbers, guard: 'maxRowGrowth', limit: maxRowGrowth };
  }
  return null;
}

/** The first guard of prices and stock that a comparison trips; null when all is well, or too little can be compared. */
export function trippedSignals(
  guard: Guard,
  signals: Signals | null,
  whose: TrippedGuard['whose'],
): TrippedGuard | null {
  if (signals === null) return null;
  const { maxPriceJump, maxStockDrop } = guard;
  const prices = strangePrices(signals);
  if (maxPriceJump !== undefined && prices.of >= LEAST_PARTS && prices.parts / prices.of > maxPriceJump) {
    return { whose, guard: 'maxPriceJump', limit: maxPriceJump, ...prices };
  }
  const [was, is] = [signals.before?.stock ?? null, signals.seen.stock];
  if (maxStockDrop === undefined || was === null || is === null) return null;
  if (was.known < LEAST_PARTS || is.known < LEAST_PARTS || was.inStock === 0) return null;
  const [before, after] = [was, is].map(({ inStock, known }) => ({ rows: inStock, of: known })) as [Counted, Counted];
  const left = after.rows / after.of / (before.rows / before.of);
  return 1 - left > maxStockDrop ? { whose, guard: 'maxStockDrop', limit: maxStockDrop, before, after } : null;
}

type Counted = { rows: number; of: number };

/** The parts whose price is another altogether: it jumped, or it is no price any more. */
function strangePrices({ compared, jumped, swapped, findings }: Signals): {
  parts: number;
  of: number;
  how: 'jumped' | 'swapped' | 'unreadable';
} {
  if (findings.some(({ code }) => code === 'prices-swapped')) return { ...swapped, how: 'swapped' };
  const unreadable = findings.find((finding) => finding.code === 'prices-unreadable');
  if (unreadable !== undefined) {
    return { parts: unreadable.rows, of: unreadable.of, how: 'unreadable' };
  }
  return { parts: jumped, of: compared, how: 'jumped' };
}

/** Guards of shares look at no fewer parts. */
const LEAST_PARTS = 10;
