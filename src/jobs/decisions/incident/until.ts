import { OfferlineError } from '../../../errors.ts';
import type { QuietUntil } from '../../../model.ts';

/** What ends the quiet of an incident, and when it ends in any case. */
export type QuietEnd = { until: QuietUntil; ends: number };

const MINUTE = 60_000;
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 7 * 1440 * MINUTE };

/** What is quiet for longer is forgotten. */
const LONGEST = 366 * UNITS.d;
/** A delivery may never come, and not everything gets worse. */
const LONGEST_OPEN = 14 * UNITS.d;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/u;

/**
 * Reads what ends a quiet: `delivery` or `worse`, but 14 days in any case, a span from `now` on such as `3d`, a date with or without a time (UTC unless it names a
 * zone), or `now`. Fails with `usage` for anything else, and for a time that is past or more than 366 days ahead.
 */
export function readQuietEnd(text: string, now: number): QuietEnd {
  const word = text.trim();
  if (word === 'delivery' || word === 'worse') return { until: word, ends: now + LONGEST_OPEN };
  const ends = word === 'now' ? now : momentIn(word, now);
  if (Number.isNaN(ends))
    throw new OfferlineError(
      'usage',
      `"${text}" ends no quiet: write delivery, worse, now, a span such as 3d, or a time such as 2026-12-01T08:00Z.`,
    );
  if (ends < now) throw new OfferlineError('usage', `The time "${text}" is past.`);
  if (ends > now + LONGEST)
    throw new OfferlineError('usage', `The time "${text}" is more than 366 days ahead; name an earlier one.`);
  return { until: 'time', ends };
}

function momentIn(text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,5})([mhdw])$/u.exec(text) ?? [];
  if (unit !== undefined && Number(amount) > 0) return now + Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (!DATE.test(text)) return Number.NaN;
  // A day that its month does not have would be one of the next.
  const day = Date.parse(`${text.slice(0, 10)}T00:00Z`);
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text.slice(0, 10)) return Number.NaN;
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/u.test(text.slice(10));
  return Date.parse(text.length === 10 || hasZone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
}
