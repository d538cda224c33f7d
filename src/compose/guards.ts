import type { Guard } from '../config/schema/schema.ts';

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

/** Describes the first guard that these numbers trip, with the setting to change; null when none trips. */
export function trippedGuard(guard: Guard, numbers: Guarded, whose: string): string | null {
  const { rows, read, rejected, previousRows } = numbers;
  if (guard.minRows !== undefined && rows < guard.minRows) {
    return `${whose} has ${rows} rows, fewer than guard.minRows (${guard.minRows})`;
  }
  if (guard.maxRejected !== undefined && read > 0 && rejected / read > guard.maxRejected) {
    return `${percent(rejected / read)} of the rows of ${whose} were rejected (${rejected} of ${read}), more than guard.maxRejected (${percent(guard.maxRejected)})`;
  }
  return previousRows === null ? null : changeText(guard, numbers, previousRows, whose);
}

/** Compares what is live with what would be. */
function changeText(
  guard: Guard,
  { rows, rejectedThere }: Guarded,
  previousRows: number,
  whose: string,
): string | null {
  const before = previousRows - rejectedThere.previousRows;
  const after = rows - rejectedThere.rows;
  if (before <= 0) return null;
  const change = (after - before) / before;
  const without = before === previousRows && after === rows ? '' : ' without those that the service rejected';
  const numbers = `(from ${before} to ${after} rows${without})`;
  if (guard.maxRowDrop !== undefined && -change > guard.maxRowDrop) {
    return `${whose} shrank by ${percent(-change)} ${numbers}, more than guard.maxRowDrop (${percent(guard.maxRowDrop)})`;
  }
  if (guard.maxRowGrowth !== undefined && change > guard.maxRowGrowth) {
    return `${whose} grew by ${percent(change)} ${numbers}, more than guard.maxRowGrowth (${percent(guard.maxRowGrowth)})`;
  }
  return null;
}

/** A share as people read it: `12.5%`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
