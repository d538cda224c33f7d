import { INCIDENTS } from '../../incidents.ts';
import type { Language } from '../../wording/language/language.ts';
import type { DigestSupplier } from './input.ts';

/** From this share of rejected rows on a supplier needs attention, incident or not. */
const MUCH_REJECTED = 0.1;

/**
 * Suppliers in the order in which they need attention, the worst first: by the gravest incident, then by the share of parts lost
 * since a day or a week ago, by the share of rows rejected, by name as the language sorts names.
 */
export function worstFirst(
  suppliers: readonly DigestSupplier[],
  { compare }: Pick<Language, 'compare'>,
): DigestSupplier[] {
  return suppliers.toSorted(
    (a, b) =>
      gradeOf(b) - gradeOf(a) ||
      lostShare(b) - lostShare(a) ||
      rejectedShare(b) - rejectedShare(a) ||
      compare(a.name, b.name) ||
      (a.feed < b.feed ? -1 : 1),
  );
}

/** Whether someone should look: an incident that is more than low, nothing or nobody knows what online, late, or much rejected. */
export function needsAttention(supplier: DigestSupplier): boolean {
  return gradeOf(supplier) > 1;
}

/** The share of a file's rows that was rejected, from 0 to 1. */
export function rejectedShare({ file }: Pick<DigestSupplier, 'file'>): number {
  return file === null || file.read === 0 ? 0 : Math.min(1, file.rejected / file.read);
}

function gradeOf(supplier: DigestSupplier): number {
  const { live, isLate, incident } = supplier;
  const severity = incident === null ? null : INCIDENTS[incident.kind].severity;
  if (severity === 'high') return 4;
  if (severity === 'medium' || live === null || live === 0) return 3;
  if (isLate || rejectedShare(supplier) >= MUCH_REJECTED) return 2;
  return severity === 'low' ? 1 : 0;
}

function lostShare({ live, liveDayBefore, liveWeekBefore }: DigestSupplier): number {
  const before = Math.max(liveDayBefore ?? 0, liveWeekBefore ?? 0);
  return live === null || before === 0 ? 0 : Math.max(0, 1 - live / before);
}
