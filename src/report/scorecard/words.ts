import type { Language } from '../../wording/language/language.ts';
import { LEAST_DELIVERIES, type Measures, type Score } from './measure.ts';

/** The shares of a score, in the order in which people read them. */
export const MEASURES = ['onTime', 'complete', 'clean', 'stable'] as const satisfies (keyof Measures)[];

/** Scores as they are listed for a reader: by rank, those without one last, equal ones by name as the language sorts names. */
export function asListed(scores: readonly Score[], { compare }: Language): Score[] {
  const last = scores.length + 1;
  return scores.toSorted((a, b) => (a.rank ?? last) - (b.rank ?? last) || compare(a.name, b.name));
}

/** The mean of the shares, or why there is none. */
export function overallText({ overall, deliveries }: Score, { say, percent }: Language): string {
  if (overall !== null) return percent(overall);
  return deliveries < LEAST_DELIVERIES ? say('score.few') : '—';
}

/** A share, or a dash where it cannot be measured. */
export function shareText(share: number | null, { percent }: Language): string {
  return share === null ? '—' : percent(share);
}

/** A change in points of a hundred: `▲ +2.1`. */
export function trendText(trend: number | null, { number }: Language): string {
  if (trend === null) return '—';
  const points = Math.round(trend * 1000) / 10;
  const sign = points > 0 ? '▲ +' : points < 0 ? '▼ −' : '±';
  return `${sign}${number(Math.abs(points))}`;
}

/** The usual time to recovery, and what is still open. */
export function recoveryText({ recovery: { median, open } }: Score, { say, span }: Language): string {
  const texts = [
    ...(median === null ? [] : [span(median)]),
    ...(open === 0 ? [] : [say('score.open', { count: open })]),
  ];
  return texts.length === 0 ? '—' : texts.join(', ');
}
