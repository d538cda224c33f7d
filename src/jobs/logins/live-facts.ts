import { factsOf, openOfKinds } from '../../ledger/alerts/incidents.ts';
import type { Db } from '../../ledger/ledger.ts';
import { accountsIn, type IncidentRow, type UploadRow } from '../../ledger/schema/schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { newestUploads, type NewestUploads } from '../../ledger/uploads/newest-uploads.ts';
import { openAttempts } from '../../ledger/uploads/open-uploads.ts';
import { closedAt } from '../../ledger/uploads/uploads.ts';
import { watchesOf } from '../../ledger/uploads/watches.ts';
import type { LiveNow } from '../../model.ts';
import { doubtIn, liveNow, type Doubt, type LiveFacts, type ProvedUpload } from './live-now.ts';

/** What the ledger knows of what a login's service serves. */
export async function liveFacts(db: Db, login: string): Promise<LiveFacts> {
  const [facts] = (await liveFactsOf(db, await newestUploads(db, [login]))).values();
  if (facts === undefined) throw new Error(`nothing was gathered of the login ${login}`);
  return facts;
}

/** What the ledger knows of what the services of some logins serve, by their newest uploads. */
export async function liveFactsOf(db: Db, newest: ReadonlyMap<string, NewestUploads>): Promise<Map<string, LiveFacts>> {
  const logins = [...newest.keys()];
  const [elsewhere, watches, attempts] = [
    await saidElsewhere(db, logins),
    await watchesOf(db, logins),
    await openAttempts(db, logins),
  ];
  return new Map(
    [...newest].map(([login, { verified, success }]) => {
      const result = success?.intent.result ?? null;
      const facts: LiveFacts = {
        proved: verified === null ? null : provedFacts(verified),
        elsewhere: elsewhere.get(login) ?? [],
        // One whose account is still open is under way.
        unproved: success === null || result === null || result === 'met' ? null : { offerId: success.upload.offer_id },
        unverified: watches.get(login)?.unverified ?? null,
        open: underWay(attempts.get(login)),
      };
      return [login, facts];
    }),
  );
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

/** What open incidents say of each login. A late arrival says so only where it took the place of what was live. */
async function saidElsewhere(db: Db, logins: readonly string[]): Promise<Map<string, LiveFacts['elsewhere']>> {
  const open = await openOfKinds(db, ['foreign-upload', 'late-arrival']);
  const saying = open
    .filter(({ kind, numbers }) => kind === 'foreign-upload' || numbers['replaces'] === 1)
    .filter(({ login, feed }) => feed === null && logins.includes(login))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
  const said = await Promise.all(
    saying.map(async (incident) => {
      return { incident: factsOf(incident), seenAt: await standsSince(db, incident) };
    }),
  );
  return Map.groupBy(said, ({ incident }) => incident.login);
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
function underWay(attempt: Pick<UploadRow, 'state' | 'token' | 'offer_id'> | undefined): LiveFacts['open'] {
  if (attempt === undefined || ['intended', 'lost', 'refused'].includes(attempt.state)) return null;
  return { name: attempt.offer_id ?? attempt.token };
}
