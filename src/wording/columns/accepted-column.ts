import type { AcceptedColumn } from '../../model.ts';

/** Which column of a file holds what: `brand ← "Producator"`, or `brand ← column 3` where it has no name. */
export function columnInWords({ key, column, position }: AcceptedColumn): string {
  return `${key} ← ${column === null ? `column ${position}` : `"${column}"`}`;
}

/** Who accepted columns, when and why; a part of a sentence. */
export function acceptanceInWords({ who, at, reason }: { who: string; at: number; reason: string }): string {
  return `accepted by ${who} on ${new Date(at).toISOString().slice(0, 10)}: ${reason}`;
}
