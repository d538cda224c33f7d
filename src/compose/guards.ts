import type { Guard } from '../config/schema/schema.ts';
import type { Share, Signals, TrippedGuard } from '../model.ts';

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
  /** Rows that rules left out, and of the delivery that was proved last; null where there is none. */
  leftOut?: { now: number; before: Share | null };
};

export type RejectedThere = { rows: number; previousRows: number };

/** The first guard that these numbers trip; null when all is well. */
export function trippedGuard(guard: Guard, numbers: Guarded, whose: TrippedGuard['whose']): TrippedGuard | null {
  const { rows, read, rejected } = numbers;
  const { minRows, maxRejected } = guard;
  const ruled = rows < (minRows ?? 0) ? trippedLeftOut(guard, numbers, whose) : null;
  if (ruled !== null) return ruled;
  if (minRows !== undefined && rows < minRows) return { whose, guard: 'minRows', limit: minRows, rows };
  if (maxRejected !== undefined && (shareRejected(numbers) ?? 0) > maxRejected) {
    return { whose, guard: 'maxRejected', limit: maxRejected, rejected, read };
  }
  return trippedLeftOut(guard, numbers, whose) ?? trippedChange(guard, numbers, whose);
}

/** By how many points of the rows read more were left out than in the delivery that was proved last; null where there is none. */
export function moreLeftOut({ read, leftOut }: Pick<Guarded, 'read' | 'leftOut'>): number | null {
  const before = leftOut?.before ?? null;
  if (leftOut === undefined || before === null || read === 0) return null;
  return leftOut.now / read - (before.of === 0 ? 0 : before.rows / before.of);
}

function trippedLeftOut(
  { maxLeftOut }: Guard,
  { read, leftOut }: Guarded,
  whose: TrippedGuard['whose'],
): TrippedGuard | null {
  const more = moreLeftOut({ read, ...(leftOut === undefined ? {} : { leftOut }) });
  if (maxLeftOut === undefined || more === null || more <= maxLeftOut) return null;
  const after = { rows: leftOut!.now, of: read };
  return { whose, guard: 'maxLeftOut', limit: maxLeftOut, before: leftOut!.before!, after };
}

/** The share of the rows read that were rejected; null when none were read. */
export function shareRejected({ read, rejected }: Pick<Guarded, 'read' | 'rejected'>): number | null {
  return read > 0 ? rejected / read : null;
}

/** By what share rows became more, or less (below 0), and the numbers that were compared; null when there is nothing to compare with. */
export function changeOfRows({
  rows,
  previousRows,
  rejectedThere,
}: Pick<Guarded, 'rows' | 'previousRows' | 'rejectedThere'>): { change: number; before: number; after: number } | null {
  if (previousRows === null) return null;
  const before = previousRows - rejectedThere.previousRows;
  const after = rows - rejectedThere.rows;
  return before <= 0 ? null : { change: (after - before) / before, before, after };
}

/** What was live against what would be. */
function trippedChange(
  { maxRowDrop, maxRowGrowth }: Guard,
  guarded: Guarded,
  whose: TrippedGuard['whose'],
): TrippedGuard | null {
  const changed = changeOfRows(guarded);
  if (changed === null) return null;
  const { change, before, after } = changed;
  const { rows, previousRows } = guarded;
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
  if (maxPriceJump !== undefined && prices !== null && prices.parts / prices.of > maxPriceJump) {
    return { whose, guard: 'maxPriceJump', limit: maxPriceJump, ...prices };
  }
  const stock = stockDrop(signals);
  if (maxStockDrop === undefined || stock === null || stock.drop <= maxStockDrop) return null;
  const { before, after } = stock;
  return { whose, guard: 'maxStockDrop', limit: maxStockDrop, before, after };
}

type Counted = { rows: number; of: number };

/** By what share fewer rows are in stock, below 0 for more; null when too little can be compared. */
export function stockDrop({
  before: old,
  seen,
}: Pick<Signals, 'before' | 'seen'>): { drop: number; before: Counted; after: Counted } | null {
  const [was, is] = [old?.stock ?? null, seen.stock];
  if (was === null || is === null) return null;
  if (was.known < LEAST_PARTS || is.known < LEAST_PARTS || was.inStock === 0) return null;
  const [before, after] = [was, is].map(({ inStock, known }) => ({ rows: inStock, of: known })) as [Counted, Counted];
  return { drop: 1 - after.rows / after.of / (before.rows / before.of), before, after };
}

type StrangePrices = { parts: number; of: number; how: 'jumped' | 'swapped' | 'unreadable' };

/** The parts whose price is another altogether, see `pricesNow`; null when too few can be compared. */
export function strangePrices(signals: Signals): StrangePrices | null {
  const prices = pricesNow(signals);
  return prices.of < LEAST_PARTS ? null : prices;
}

/** It jumped, or it is no price any more. */
function pricesNow({ compared, jumped, swapped, findings }: Signals): StrangePrices {
  if (findings.some(({ code }) => code === 'prices-swapped')) return { ...swapped, how: 'swapped' };
  const unreadable = findings.find((finding) => finding.code === 'prices-unreadable');
  if (unreadable !== undefined) {
    return { parts: unreadable.rows, of: unreadable.of, how: 'unreadable' };
  }
  return { parts: jumped, of: compared, how: 'jumped' };
}

/** Guards of shares look at no fewer parts. */
const LEAST_PARTS = 10;
