import { placesByConfiguration } from '../../config/schema/match-names.ts';
import { readSettings } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { asOfLogin } from '../../ledger/runs/feeds.ts';
import type { FeedAccount } from '../../ledger/schema/schema.ts';
import type { LiveNow } from '../../model.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
import type { ExpectedStanding } from '../feeds/expected.ts';
import { leavingFeed } from '../feeds/leaving.ts';
import { liveNow } from '../logins/live-now.ts';
import { nextDue } from '../../calendar/next-due.ts';
import { standingFacts, type StandingFacts } from './facts.ts';
import { incidentsNote, shortAnswers } from './incident-answer.ts';

/** What `feeds` says of one feed of the configuration. */
export type FeedState = ReturnType<typeof feedStateOf>;

/** Columns that a person accepted for one header of a feed. */
export type AcceptedColumns = FeedState['acceptedColumns'][number];

/** A feed that is live but no longer configured. */
export type LeavingState = ReturnType<typeof leavingOf>[number];

/** The state of each feed of the configuration, or of those in a scope. */
export async function feedStates(ctx: Context, scope: readonly string[] | null = null): Promise<FeedState[]> {
  return feedStatesFrom(await standingFacts(ctx, scope), ctx);
}

/** The states of the feeds that facts were gathered of. */
export function feedStatesFrom(facts: StandingFacts, ctx: Context): FeedState[] {
  return facts.names.feeds.map((feed) => feedStateOf(feed, facts, ctx));
}

function feedStateOf(feed: string, facts: StandingFacts, ctx: Context) {
  const settings = ctx.config.feeds[feed];
  const login = settings?.login ?? '';
  const state = asOfLogin(facts.feeds.get(feed), feed, login);
  const last = facts.newestRuns.get(feed);
  const live = facts.live.get(login) ?? NOTHING_KNOWN;
  const now = liveNow(feed, live);
  const schedule = settings?.schedule;
  const incidents = facts.incidents.ofFeed.get(feed) ?? [];
  const pauses = pausesOver(feed, login, facts);
  return {
    feed,
    login,
    lastRun:
      last === undefined
        ? null
        : {
            run: last.id,
            outcome: last.outcome,
            stage: last.stage,
            reason: reasonIn(last),
            createdAt: last.created_at,
          },
    live:
      state.contribution === null
        ? null
        : { run: state.contribution, rows: now.proved?.live ?? 0, since: provedAt(now) },
    /** As in `show`; while it is uncertain, `live` is what was verified before. */
    now,
    /** Rows of the delivery that is live which are not live themselves, by why; null when nothing is live. */
    notLive: state.contribution === null ? null : rowsNotLive(live.proved?.feeds.get(feed)),
    /** An upload of its login that was accepted but not verified. */
    unproved: live.unproved?.offerId ?? null,
    /** The source refused its credentials: since when, how often, and when the schedule asks next. */
    sourceDenied: facts.sourceDenied.get(feed) ?? null,
    /** The pause that it stands under: its own or its login's, the earlier of both. */
    paused: pauses[0] ?? null,
    /** Each of them: what ends one leaves the other. */
    pauses,
    held: last?.outcome === 'held' ? { run: last.id, since: last.finished_at, reason: reasonIn(last) } : null,
    standstill: facts.standstills.get(feed)?.standstill ?? null,
    frozen: frozenBy(feed, facts),
    candidate: state.candidate === null ? null : { run: state.candidate, since: state.candidate_at },
    acceptedColumns: acceptedOf(feed, facts, ctx),
    incidents: shortAnswers(incidents),
    /** What is wrong with it, and which command shows more. */
    note: incidents.length === 0 ? null : incidentsNote(incidents, ` --feed ${feed}`),
    schedule: schedule ?? null,
    expected: expectedAnswer(facts.expected.get(feed)),
    nextDue: schedule === undefined ? null : (state.next_due ?? nextDue(schedule, ctx.clock.now())),
  };
}

/** Of a login that is not in the configuration. */
const NOTHING_KNOWN = { proved: null, elsewhere: [], unproved: null, unverified: null, open: null };

/** When the next delivery is due, from when on it is late, and the absences that were announced; null where nothing is expected. */
function expectedAnswer(standing: ExpectedStanding | undefined) {
  if (standing === undefined) return null;
  const { expected, due, lateAt, late, absences } = standing;
  return {
    by: 'every' in expected ? ('span' as const) : ('days' as const),
    due,
    lateAt,
    late,
    away: absences.map(({ first_day: from, last_day: to, who, reason }) => ({ from, to, who, reason })),
  };
}

/** When the upload that these rows were verified in was accepted, as in `show` and `logins`. */
function provedAt({ proved }: LiveNow): number | null {
  return proved === null || proved.since === null ? null : Date.parse(proved.since);
}

function rowsNotLive(account: FeedAccount | null | undefined) {
  if (account === null || account === undefined) return null;
  const { rejectedLocally, rejectedRemotely, unexplained } = account;
  return { rejectedLocally, rejectedRemotely, unexplained };
}

function acceptedOf(feed: string, { acceptedColumns }: StandingFacts, { config }: Context) {
  const rows = acceptedColumns.get(feed) ?? [];
  const settings = rows.length === 0 ? [] : readSettings(config, feed).columns;
  return rows.map(({ accepted, header_cells: header, width, who, reason, at: since, run }) => {
    const decided = placesByConfiguration(settings, { header, width });
    const columns = accepted.map(({ key, column, position }) => {
      return { key, column, position, inUse: !decided.some((one) => one.key === key || one.position === position) };
    });
    return { columns, header, width, who, reason, since, run };
  });
}

/** The states of all feeds, and of those that are live but no longer configured. */
export async function allFeedStates(ctx: Context): Promise<{ feeds: FeedState[]; leaving: LeavingState[] }> {
  const facts = await standingFacts(ctx);
  return { feeds: feedStatesFrom(facts, ctx), leaving: leavingStatesFrom(facts, ctx) };
}

/** The feeds of the logins that facts were gathered of that are live but no longer configured. */
export function leavingStatesFrom(facts: StandingFacts, ctx: Context): LeavingState[] {
  return facts.names.logins.flatMap((login) => leavingOf(login, facts, ctx));
}

function leavingOf(login: string, { uploads, departures, freezes, live }: StandingFacts, ctx: Context) {
  const parts = uploads.get(login)?.verified?.dataset.parts ?? [];
  // One that expired has a line of its own, and an incident.
  const gone = parts.filter(({ feed }) => ctx.config.feeds[feed]?.login !== login);
  return gone.map((part) => {
    const departure = departures.find((row) => row.login === login && row.feed === part.feed);
    const freeze = freezes.find(({ feed }) => feed === part.feed);
    const { feed, stays, released, why } = leavingFeed(part, { login, departure, freeze }, ctx);
    const rows = liveNow(feed, live.get(login) ?? NOTHING_KNOWN).proved?.live ?? 0;
    const then = stays
      ? `stays in the dataset: ${why}. To let it leave: \`offerline release ${feed} --reason TEXT\``
      : `leaves with the next upload${released ? ' (released)' : ''}`;
    return { feed, login, configured: false, rows, stays, released, reason: `NOT CONFIGURED, ${then}` };
  });
}

function frozenBy(feed: string, { freezes }: StandingFacts) {
  const freeze = freezes.find((row) => row.feed === feed);
  return freeze === undefined ? null : { since: freeze.at, who: freeze.who, reason: freeze.reason };
}

/** The pauses that a feed stands under, its own and its login's, the earlier first. */
function pausesOver(feed: string, login: string, { pauses }: StandingFacts) {
  return pauses
    .filter(({ kind, name }) => name === (kind === 'feed' ? feed : login))
    .sort((a, b) => a.at - b.at)
    .map(({ kind, at: since, who, reason }) => ({ kind, since, who, reason }));
}

function reasonIn(run: Parameters<typeof reasonOfRun>[0]): string | null {
  return shownReason(reasonOfRun(run));
}
