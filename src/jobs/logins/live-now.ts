import type { FeedAccount } from '../../ledger/schema/schema.ts';
import type { IncidentFacts } from '../../incidents.ts';
import type { LiveNow, ProvedRows } from '../../model.ts';

/** The newest upload of a login that its receipt proved. */
export type ProvedUpload = {
  intent: string;
  offerId: string | null;
  /** When it became live, epoch milliseconds. */
  at: number;
  /** The feeds in its dataset with their accounts; null where the ledger has none of a feed. */
  feeds: ReadonlyMap<string, FeedAccount | null>;
};

/** What the ledger knows of what a login's service serves: facts, nothing concluded. */
export type LiveFacts = {
  proved: ProvedUpload | null;
  /** Open incidents that say that something else is live, and the latest time (`at` of a proved upload) that they speak against. */
  elsewhere: { incident: IncidentFacts; seenAt: number }[];
  /** A newer upload that the service called a success, and no receipt proved. */
  unproved: { offerId: string | null } | null;
  /** An upload that failed or was aborted; what is served since then was not proved yet. */
  unverified: string | null;
  /** An upload that was begun to be sent and whose account is still open. */
  open: { name: string } | null;
};

/** Why it is not certain what is live. `elsewhere`: it is said to be something else, or may be so for good. */
export type Doubt = {
  text: string;
  elsewhere: boolean;
  /** The same as a code with its facts, for readers of other languages. */
  why:
    | { code: 'elsewhere'; incident: IncidentFacts }
    | { code: 'unproved' | 'unverified' | 'open'; upload: string | null };
};

/** What speaks against the newest proved upload being what is live; null when nothing does. */
export function doubtIn({ proved, elsewhere, unproved, unverified, open }: LiveFacts): Doubt | null {
  // An upload that was proved later has taken its place.
  const other = elsewhere.find(({ seenAt }) => proved === null || seenAt >= proved.at);
  if (other !== undefined)
    return { text: other.incident.text, elsewhere: true, why: { code: 'elsewhere', incident: other.incident } };
  if (unproved !== null) {
    const text = `upload ${unproved.offerId} was accepted but could not be confirmed as live`;
    return { text, elsewhere: true, why: { code: 'unproved', upload: unproved.offerId } };
  }
  if (unverified !== null) {
    const text = `the service failed upload ${unverified}, and what it now serves has not been verified yet`;
    return { text, elsewhere: true, why: { code: 'unverified', upload: unverified } };
  }
  if (open === null) return null;
  return { text: `upload ${open.name} is under way`, elsewhere: false, why: { code: 'open', upload: open.name } };
}

/** What is live of a feed, by the newest proved upload of its login. */
export function liveNow(feed: string, facts: LiveFacts): LiveNow {
  const { proved } = facts;
  const account = proved === null ? undefined : proved.feeds.get(feed);
  const rows = proved === null || account === null ? null : provedRows(account, proved);
  const unknown = account === null ? `the account of ${feed} in upload ${proved?.offerId} is not known` : null;
  const doubt = doubtIn(facts)?.text ?? unknown;
  if (doubt !== null) {
    return { live: null, rejectedRemotely: null, since: null, upload: null, doubt, proved: rows };
  }
  if (rows === null) return { live: 0, rejectedRemotely: 0, since: null, upload: null, doubt, proved: rows };
  return { ...rows, doubt, proved: rows };
}

/** A feed that is not in the dataset has nothing live. */
function provedRows(account: FeedAccount | undefined, { at, offerId }: ProvedUpload): ProvedRows {
  const { live = 0, rejectedRemotely = 0 } = account ?? {};
  return { live, rejectedRemotely, since: new Date(at).toISOString(), upload: offerId };
}
