import type { Guard } from '../config/schema.ts';

/** The numbers that a guard looks at; `previousRows` is the last good, null when there is none. */
export type Guarded = { rows: number; read: number; rejected: number; previousRows: number | null };

/** The first guard that these numbers trip, in words, with the setting to change; null when all is well. */
export function trippedGuard(guard: Guard, numbers: Guarded, whose: string): string | null {
  const { rows, read, rejected, previousRows } = numbers;
  if (guard.minRows !== undefined && rows < guard.minRows) {
    return `${whose} has ${rows} rows, fewer than guard.minRows (${guard.minRows})`;
  }
  if (guard.maxRejected !== undefined && read > 0 && rejected / read > guard.maxRejected) {
    return `${percent(rejected / read)} of the rows of ${whose} were rejected (${rejected} of ${read}), more than guard.maxRejected (${percent(guard.maxRejected)})`;
  }
  if (previousRows === null || previousRows === 0) return null;
  const change = (rows - previousRows) / previousRows;
  if (guard.maxRowDrop !== undefined && -change > guard.maxRowDrop) {
    return `${whose} shrank by ${percent(-change)} (from ${previousRows} to ${rows} rows), more than guard.maxRowDrop (${percent(guard.maxRowDrop)})`;
  }
  if (guard.maxRowGrowth !== undefined && change > guard.maxRowGrowth) {
    return `${whose} grew by ${percent(change)} (from ${previousRows} to ${rows} rows), more than guard.maxRowGrowth (${percent(guard.maxRowGrowth)})`;
  }
  return null;
}

/** A share as people read it: `12.5%`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
