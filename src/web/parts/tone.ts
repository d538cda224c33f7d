import type { NotLive, StatusLine } from '../../jobs/standing/status-line.ts';
import { TONE_MARKS, type Tone } from '../../jobs/standing/tone.ts';

/** How pages show that something stands. `look`: nothing has to be decided, but not all of it is live. */
export type ShownTone = Tone | 'look';

/** A tone of a page as one sign. */
export const SHOWN_MARKS: Record<ShownTone, string> = { ...TONE_MARKS, look: '◐' };

/** The worst first, as lines are sorted. */
export const SHOWN_ORDER: readonly ShownTone[] = ['bad', 'waiting', 'busy', 'look', 'good', 'quiet'];

/** How a line is shown: what is good is worth a look where rows of it are not live. */
export function shownTone({ tone, notLive }: StatusLine): ShownTone {
  return tone === 'good' && notLive !== undefined && lostRows(notLive.rows).length > 0 ? 'look' : tone;
}

/** The reasons for which rows are not live, with how many those are. */
export function lostRows(rows: NotLive): { group: keyof NotLive; count: number }[] {
  return (['rejectedRemotely', 'rejectedLocally', 'unexplained'] as const)
    .map((group) => ({ group, count: rows[group] }))
    .filter(({ count }) => count > 0);
}
