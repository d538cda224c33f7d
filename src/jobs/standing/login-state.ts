import type { Context } from '../../context.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { OpenUpload } from '../../ledger/uploads/open-uploads.ts';
import { moment } from '../../wording/words.ts';
import { deniedText } from '../logins/denial.ts';
import { doubtIn, type LiveFacts } from '../logins/live-now.ts';
import { processedOf } from '../queue/follow-upload.ts';
import { standingFacts, type StandingFacts } from './facts.ts';
import { incidentsNote, shortAnswers } from './incident-answer.ts';

/** What `logins` says of one login. */
export type LoginState = ReturnType<typeof loginStateOf>;

/** The state of each login of the configuration. It speaks of all its feeds: not for who may see some of them only. */
export async function loginStates(ctx: Context): Promise<LoginState[]> {
  return loginStatesFrom(await standingFacts(ctx), ctx);
}

/** The states of the logins that facts were gathered of. */
export function loginStatesFrom(facts: StandingFacts, ctx: Context): LoginState[] {
  return facts.names.logins.map((login) => loginStateOf(login, facts, ctx));
}

/** Feeds whose deliveries do not get through, and since when. */
function standingFeeds(login: string, facts: StandingFacts, { config }: Context) {
  const names = facts.names.feeds.filter((feed) => config.feeds[feed]?.login === login);
  return names.flatMap((feed) => {
    const standstill = facts.standstills.get(feed)?.standstill;
    return standstill === undefined ? [] : [{ feed, ...standstill }];
  });
}

function loginStateOf(login: string, facts: StandingFacts, ctx: Context) {
  const live = facts.uploads.get(login)?.verified ?? null;
  const known = facts.live.get(login)!;
  const open = facts.open.get(login);
  const denial = facts.denied.get(login) ?? null;
  const incidents = facts.incidents.ofLogin.get(login) ?? [];
  const watch = facts.watches.get(login)!;
  const denied = denial === null ? null : { since: denial.at, operation: denial.operation, text: denial.text };
  const seen = {
    watched: { at: watch.looked_at, silentSince: watch.silent_since, note: watch.note },
    /** Somebody else's upload is live instead of ours. */
    foreign: incidents.some(({ row }) => row.kind === 'foreign-upload'),
    unverified: watch.unverified === null ? null : { upload: watch.unverified, since: watch.unverified_at },
  };
  const paused = facts.pauses.find(({ kind, name }) => kind === 'login' && name === login);
  return {
    login,
    sandbox: ctx.sandbox,
    live: live === null ? null : shownLive(live, known),
    /** Why it is uncertain whether this is live; `live` is what was verified last. */
    doubt: doubtIn(known)?.text ?? null,
    /** A later upload that was accepted but not verified. */
    unproved: known.unproved?.offerId ?? null,
    open: open === undefined ? null : shownOpen(open),
    frozen: facts.freezes.filter((freeze) => freeze.login === login).map(({ feed }) => feed),
    /** Feeds whose deliveries do not get through, and since when. */
    standing: standingFeeds(login, facts, ctx),
    denied,
    incidents: shortAnswers(incidents),
    /** What people have to know and do, in whole sentences. */
    notes: [
      ...deniedNotes(login, denied),
      ...(incidents.length === 0 ? [] : [incidentsNote(incidents, ` --login ${login}`)]),
      ...watchNotes(login, seen),
    ],
    ...seen,
    paused: paused === undefined ? null : { since: paused.at, who: paused.who, reason: paused.reason },
    waiting: [...facts.feeds.values()]
      .filter((feed) => feed.login === login && feed.candidate !== null)
      .map((feed) => feed.feed),
  };
}

function shownLive({ upload, intent, dataset }: AcceptedUpload, known: LiveFacts) {
  return {
    offerId: upload.offer_id,
    rows: intent.cause === 'baseline' ? dataset.rows : sumOf(known, 'live'),
    rejectedRemotely: sumOf(known, 'rejectedRemotely'),
    /** What the service held before the first upload: no feed's. */
    baseline: intent.cause === 'baseline',
    feeds: dataset.parts.map((part) => part.feed),
    since: upload.closed_at,
    verified: intent.receipt?.verified ?? null,
  };
}

function shownOpen({ upload, rows }: OpenUpload) {
  const gauge = processedOf(upload, rows);
  return {
    upload: upload.id,
    state: upload.state,
    offerId: upload.offer_id,
    attempt: upload.attempt,
    since: upload.created_at,
    note: upload.note,
    /** What the service has processed of the rows that were sent, by its own count; null before and after. */
    processed: gauge === null ? null : { rows: gauge.done, of: gauge.total },
  };
}

function sumOf({ proved }: LiveFacts, count: 'live' | 'rejectedRemotely'): number {
  return [...(proved?.feeds.values() ?? [])].reduce((sum, account) => sum + (account?.[count] ?? 0), 0);
}

const CHECKED = 'offerline is checking whether the dataset before it is live, and sends it again if it is not.';
const NOT_OURS =
  'somebody else’s upload was live by then instead of the dataset before it; the next upload replaces it.';

/** What people have to know of a login besides its incidents, in whole sentences. */
export function notesApart({ login, denied, ...seen }: Pick<LoginState, 'login' | 'denied'> & Seen): string[] {
  return [...deniedNotes(login, denied), ...watchNotes(login, seen)];
}

function deniedNotes(login: string, denied: { since: number; text: string } | null): string[] {
  return denied === null ? [] : [`${deniedText({ login, text: denied.text, at: denied.since })}.`];
}

/** What was seen of what is live. */
type Seen = {
  watched: { silentSince: number | null; note: string | null };
  foreign: boolean;
  unverified: { upload: string; since: number | null } | null;
};

function watchNotes(login: string, { unverified, watched: { silentSince, note }, foreign }: Seen): string[] {
  const since = (at: number | null) => moment(at ?? 0);
  return [
    ...(unverified === null
      ? []
      : [
          `login ${login}: what is live has been unverified since ${since(unverified.since)}, when the service failed upload ${unverified.upload}; ${foreign ? NOT_OURS : CHECKED}`,
        ]),
    ...(silentSince === null
      ? []
      : [
          `login ${login}: what is live could not be checked since ${since(silentSince)}: ${note ?? 'the reason is not known'}`,
        ]),
  ];
}
