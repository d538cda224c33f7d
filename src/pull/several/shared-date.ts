/** The parts of a date from the largest to the smallest, each with where it ends as ISO 8601 writes a date and time. */
const ENDS = { yyyy: 4, MM: 7, dd: 10, HH: 13, mm: 16, ss: 19 } as const;

/** The date in a pattern, and its parts. */
const DATE = /\{(?:yyyy|MM|dd|HH|mm|ss)[-_. TyMdHms]*\}/u;
const PARTS = /yyyy|MM|dd|HH|mm|ss/gu;

/** Whether two dates in names, in milliseconds, may be those of one delivery. */
export type SharesDate = (one: number, other: number) => boolean;

/** Dates of one kind are the same to the last part. */
export const isSameDate: SharesDate = (one, other) => one === other;

/**
 * How dates in the names of some patterns are compared: those of one kind as they are, others as far down as all of them say one, such as by day
 * where one has no time of day. Pure.
 */
export function dateSharedBy(patterns: string[]): SharesDate {
  const dated = patterns.map(partsOf).filter((parts) => parts.length > 0);
  if (new Set(dated.map((parts) => parts.toSorted().join(' '))).size <= 1) return isSameDate;
  const lacking = Object.keys(ENDS).findIndex((part) => dated.some((parts) => !parts.includes(part)));
  const end = Object.values(ENDS)[lacking - 1] ?? 0;
  const shared = (date: number) => new Date(date).toISOString().slice(0, end);
  return (one, other) => shared(one) === shared(other);
}

function partsOf(pattern: string): string[] {
  return DATE.exec(pattern)?.[0].match(PARTS) ?? [];
}
