import type { IncidentRow } from '../../ledger/schema/schema.ts';
import { isQuietAt } from './people.ts';

/** Who is to be reminded of an incident: all who are notified of it, or only the one who works on it. */
export type Reminded = 'all' | 'holder';

/** What decides about a reminder, besides the incident. */
type Facts = {
  now: number;
  /** How long after one reminder the next one comes, in milliseconds. */
  every: number;
  /** The one who works on it was disabled or removed. */
  gone: boolean;
  /** Something was done about it within `every`. */
  worked: boolean;
};

/**
 * Who is to be reminded of an open incident that was announced; null: nobody yet. While it is quiet nobody is, but for whoever works on it
 * where somebody else asked for quiet. While somebody works on it only they are, until nothing was done about it for `every`.
 */
export function reminderOf(incident: IncidentRow, { now, every, gone, worked }: Facts): Reminded | null {
  const { told_at: told, holder_told_at: holderTold, taken_by, quiet_by } = incident;
  if (told === null) return null;
  const isQuiet = isQuietAt(incident, now);
  const isDue = told <= now - every;
  if (taken_by === null || gone) return isDue && !isQuiet ? 'all' : null;
  if (isDue && !worked && !isQuiet) return 'all';
  // Whoever was given it hears of it, quiet or not.
  if (holderTold === null) return 'holder';
  if (isQuiet && quiet_by === taken_by) return null;
  // A clock that was set back must not keep a reminder away.
  const last = holderTold > now ? told : Math.max(told, holderTold);
  return last <= now - every ? 'holder' : null;
}
