import { lastVerified, latestAccepted, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { factsOf, openIncident } from '../../ledger/alerts/incidents.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import type { Db } from '../../ledger/ledger.ts';
import { accountsIn, type IncidentRow } from '../../ledger/schema/schema.ts';
import { closedAt, newestAttempt } from '../../ledger/uploads/uploads.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import type { LiveNow } from '../../model.ts';
import { doubtIn, liveNow, type Doubt, type LiveFacts, type ProvedUpload } from './live-now.ts';

/** What the ledger knows of what a login's service serves. */
export async function liveFacts(db: Db, login: string): Promise<LiveFacts> {
  const proved = await lastVerified(db, login);
  const newest = await latestAccepted(db, login);
  const result = newest?.intent.result ?? null;
  return {
    proved: proved === undefined ? null : provedFacts(proved),
    elsewhere: await saidElsewhere(db, login),
    // One whose account is still open is under way.
    unproved: newest === undefined || result === null || result === 'met' ? null : { offerId: newest.upload.offer_id },
    unverified: (await watchOf(db, login)).unverified,
    open: await underWay(db, login),
  };
}

/** What is live of a feed at present. */
export async function liveNowOf(feed: string, login: string, db: Db): Promise<LiveNow> {
  return liveNow(feed, await liveFacts(db, login));
}

/** Why it is not certain what is live at a login; null when it is. */
export async function doubtAbout(login: string, db: Db): Promise<Doubt | null> {
  return doubtIn(await liveFacts(db, login));
}

/** A proved upload with the account of each feed in its dataset. */
function provedFacts({ upload, intent, dataset }: AcceptedUpload): ProvedUpload {
  const accounts = accountsIn(intent);
  const feeds = new Map(dataset.parts.map(({ feed }) => [feed, accounts?.get(feed) ?? null]));
  return { intent: intent.id, offerId: upload.offer_id, at: upload.closed_at ?? intent.created_at, feeds };
}

/** A late arrival says so only where it took the place of what was live. */
async function saidElsewhere(db: Db, login: string): Promise<LiveFacts['elsewhere']> {
  const foreign = await openIncident(db, { kind: 'foreign-upload', login });
  const late = await openIncident(db, { kind: 'late-arrival', login });
  const replaces = late !== undefined && late.numbers['replaces'] === 1;
  const open = [foreign, replaces ? late : undefined].filter((incident) => incident !== undefined);
  return Promise.all(
    open.map(async (incident) => ({ text: factsOf(incident).text, seenAt: await standsSince(db, incident) })),
  );
}

/**
 * The place of an incident among the login's uploads, as the ledger orders them: the time at which it was seen comes from a
 * clock that may have been set since. What took the place of an upload came after it; what was proved later took its place again.
 */
async function standsSince(db: Db, { numbers, seen_at, login }: IncidentRow): Promise<number> {
  const { ours } = numbers;
  if (typeof ours !== 'string') return seen_at;
  return (await closedAt(db, login, ours)) ?? seen_at;
}

/** As long as nothing was sent, and when the service never took it, what is live stays what it was. */
async function underWay(db: Db, login: string): Promise<LiveFacts['open']> {
  const intent = await openIntent(db, login);
  const attempt = intent === undefined ? undefined : await newestAttempt(db, intent.id);
  if (attempt === undefined || ['intended', 'lost', 'refused'].includes(attempt.state)) return null;
  return { name: attempt.offer_id ?? attempt.token };
}
