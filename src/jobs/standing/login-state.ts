import type { Context } from '../../context.ts';
import type { LiveFacts } from '../logins/live-now.ts';
import type { WatchRow } from '../../ledger/schema/watch-schema.ts';
import { moment } from '../../wording/words.ts';

/** What `logins` says of one login. */
export type LoginState = Awaited<ReturnType<typeof loginStateOf>>;

/** The state of each login of the configuration. */
export function loginStates(ctx: Context): Promise<LoginState[]> {
  return Promise.all(Object.keys(ctx.config.logins).map((login) => loginStateOf(login, ctx)));
}

async function standingFeeds(login: string, ctx: Context) {
  const { standstillOf } = await import('../../ledger/uploads/standing.ts');
  const names = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  const found = await Promise.all(
    names.map(async (feed) => ({ feed, standstill: await standstillOf(ctx.ledger.db, feed) })),
  );
  return found.flatMap(({ feed, standstill }) => (standstill === null ? [] : [{ feed, ...standstill }]));
}

async function loginStateOf(login: string, ctx: Context) {
  const { listFeeds } = await import('../../ledger/runs/feeds.ts');
  const { frozenFeeds } = await import('../../ledger/runs/freezes.ts');
  const { lastVerified } = await import('../../ledger/uploads/accepted-uploads.ts');
  const { doubtIn } = await import('../logins/live-now.ts');
  const { liveFacts } = await import('../logins/live-facts.ts');
  const { openUpload } = await import('../../ledger/uploads/uploads.ts');
  const db = ctx.ledger.db;
  const live = await lastVerified(db, login);
  const facts = await liveFacts(db, login);
  const open = await openUpload(db, login);
  const { processed } = await import('../queue/follow-upload.ts');
  const gauge = await processed(open, ctx);
  const feeds = await listFeeds(db, login);
  const { listPauses } = await import('../../ledger/runs/pauses.ts');
  const { standingDenial, deniedText } = await import('../logins/denial.ts');
  const denial = await standingDenial(login, ctx);
  const { incidentsNote, openIncidentsOf } = await import('./incident-answer.ts');
  const incidents = await openIncidentsOf({ login }, ctx);
  const { watchOf } = await import('../../ledger/uploads/watches.ts');
  const watch = await watchOf(db, login);
  const foreign = incidents.rows.some(({ kind }) => kind === 'foreign-upload');
  const paused = (await listPauses(db)).find(({ kind, name }) => kind === 'login' && name === login);
  return {
    login,
    sandbox: ctx.sandbox,
    live:
      live === undefined
        ? null
        : {
            offerId: live.upload.offer_id,
            rows: live.intent.cause === 'baseline' ? live.dataset.rows : sumOf(facts, 'live'),
            rejectedRemotely: sumOf(facts, 'rejectedRemotely'),
            /** What the service held before the first upload: no feed's. */
            baseline: live.intent.cause === 'baseline',
            feeds: live.dataset.parts.map((part) => part.feed),
            since: live.upload.closed_at,
            verified: live.intent.receipt?.verified ?? null,
          },
    /** Why it is uncertain whether this is live; `live` is what was verified last. */
    doubt: doubtIn(facts)?.text ?? null,
    /** A later upload that was accepted but not verified. */
    unproved: facts.unproved?.offerId ?? null,
    open:
      open === undefined
        ? null
        : {
            upload: open.id,
            state: open.state,
            offerId: open.offer_id,
            attempt: open.attempt,
            since: open.created_at,
            note: open.note,
            /** What the service has processed of the rows that were sent, by its own count; null before and after. */
            processed: gauge === null ? null : { rows: gauge.done, of: gauge.total },
          },
    frozen: await frozenFeeds(db, login),
    /** Feeds whose deliveries do not get through, and since when. */
    standing: await standingFeeds(login, ctx),
    denied: denial === null ? null : { since: denial.at, operation: denial.operation, text: denial.text },
    incidents: incidents.answers,
    /** What people have to know and do, in whole sentences. */
    notes: [
      ...(denial === null ? [] : [`${deniedText(denial)}.`]),
      ...(incidents.rows.length === 0 ? [] : [incidentsNote(incidents.rows, ` --login ${login}`)]),
      ...watchNotes(login, watch, foreign),
    ],
    watched: { at: watch.looked_at, silentSince: watch.silent_since, note: watch.note },
    /** Somebody else's upload is live instead of ours. */
    foreign,
    unverified: watch.unverified === null ? null : { upload: watch.unverified, since: watch.unverified_at },
    paused: paused === undefined ? null : { since: paused.at, who: paused.who, reason: paused.reason },
    waiting: feeds.filter((feed) => feed.candidate !== null).map((feed) => feed.feed),
  };
}

function sumOf({ proved }: LiveFacts, count: 'live' | 'rejectedRemotely'): number {
  return [...(proved?.feeds.values() ?? [])].reduce((sum, account) => sum + (account?.[count] ?? 0), 0);
}

const CHECKED = 'offerline is checking whether the dataset before it is live, and sends it again if it is not.';
const NOT_OURS =
  'somebody else’s upload was live by then instead of the dataset before it; the next upload replaces it.';

function watchNotes(
  login: string,
  { unverified, unverified_at, silent_since, note }: WatchRow,
  foreign: boolean,
): string[] {
  const since = (at: number | null) => moment(at ?? 0);
  return [
    ...(unverified === null
      ? []
      : [
          `login ${login}: what is live has been unverified since ${since(unverified_at)}, when the service failed upload ${unverified}; ${foreign ? NOT_OURS : CHECKED}`,
        ]),
    ...(silent_since === null
      ? []
      : [
          `login ${login}: what is live could not be checked since ${since(silent_since)}: ${note ?? 'the reason is not known'}`,
        ]),
  ];
}
