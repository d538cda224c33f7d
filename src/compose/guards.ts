import type { Guard } from '../config/schema/schema.ts';
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
