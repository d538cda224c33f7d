import type { Guard } from '../config/schema/schema.ts';

/**
 * The numbers that a guard looks at; `previousRows` is the last good, null when there is none. `rejectedThere`: how many on both
 * sides the service rejected of the last good; they were not live, and nobody loses or wins them.
 */
export type Guarded = {
  rows: number;
  read: number;
  rejected: number;
  previousRows: number | null;
  rejectedThere: RejectedThere;
};

export type RejectedThere = { rows: number; previousRows: number };

/** The first guard that these numbers trip, in words, with the setting to change; null when all is well. */
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

/** What was live against what would be. */
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
