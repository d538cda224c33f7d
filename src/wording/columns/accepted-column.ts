import type { AcceptedColumn } from '../../model.ts';

/** The position of a brand that stands in headings above its rows, and in no column. */
export const HEADINGS = 0;

/** Which column of a file holds what: `brand ← "Producator"`, or `brand ← column 3` where it has no name, or the headings. */
export function columnInWords({ key, column, position }: AcceptedColumn): string {
  if (position === HEADINGS) return `${key} ← the headings above its rows`;
  return `${key} ← ${column === null ? `column ${position}` : `"${column}"`}`;
}

/** What names a column for `--columns`: its name, or its position where it has none. */
export function columnName({ column, position }: Pick<AcceptedColumn, 'column' | 'position'>): string {
  return position === HEADINGS ? 'headings' : (column ?? String(position));
}

/** Who accepted columns, when and why; a part of a sentence. */
export function acceptanceInWords({ who, at, reason }: { who: string; at: number; reason: string }): string {
  return `accepted by ${who} on ${new Date(at).toISOString().slice(0, 10)}: ${reason}`;
}
