import type { Context } from '../../context.ts';
import type { LiveNow } from '../../model.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';

/** What `feeds` says of one feed of the configuration. */
export type FeedState = Awaited<ReturnType<typeof feedStateOf>>;

/** Columns that a person accepted for one header of a feed. */
export type AcceptedColumns = FeedState['acceptedColumns'][number];

/** A feed that is live but no longer configured. */
export type LeavingState = Awaited<ReturnType<typeof leavingStates>>[number];

/** The state of each feed of the configuration. */
export function feedStates(ctx: Context): Promise<FeedState[]> {
  return Promise.all(Object.keys(ctx.config.feeds).map((feed) => feedStateOf(feed, ctx)));
}

async function acceptedOf(feed: string, ctx: Context) {
  const { acceptedColumnsOf } = await import('../../ledger/runs/accepted-columns.ts');
  const { readSettings } = await import('../../config/schema/feed-settings.ts');
  const { placesByConfiguration } = await import('../../config/schema/match-names.ts');
  const rows = await acceptedColumnsOf(ctx.ledger.db, feed);
  const settings = readSettings(ctx.config, feed).columns;
  return rows.map(({ accepted, header_cells: header, width, who, reason, at: since, run }) => {
    const decided = placesByConfiguration(settings, { header, width });
    const columns = accepted.map(({ key, column, position }) => {
      return { key, column, position, inUse: !decided.some((one) => one.key === key || one.position === position) };
    });
    return { columns, header, width, who, reason, since, run };
  });
}

async function feedStateOf(feed: string, ctx: Context) {
  const { knownFeed } = await import('../../ledger/runs/feeds.ts');
  const { getRun, listRuns } = await import('../../ledger/runs/runs.ts');
  const { nextDue } = await import('../queue/next-due.ts');
  const { standstillOf } = await import('../../ledger/uploads/standing.ts');
  const settings = ctx.config.feeds[feed];
  const db = ctx.ledger.db;
  const state = await knownFeed(db, feed, settings?.login ?? '');
  const [last] = await listRuns(db, { feed, limit: 1 });
  const live = state.contribution === null ? null : await getRun(db, state.contribution);
  const { liveFacts } = await import('../logins/live-facts.ts');
  const { liveNow } = await import('../logins/live-now.ts');
  const facts = await liveFacts(db, state.login);
  const now = liveNow(feed, facts);
  const schedule = settings?.schedule;
  const { incidentsNote, openIncidentsOf } = await import('./incident-answer.ts');
  const incidents = await openIncidentsOf({ feed }, ctx);
  return {
    feed,
    login: state.login,
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
    live: live === null ? null : { run: live.id, rows: now.proved?.live ?? 0, since: provedAt(now) },
    /** As in `show`; while it is uncertain, `live` is what was verified before. */
    now,
    /** An upload of its login that was accepted but not verified. */
    unproved: facts.unproved?.offerId ?? null,
    /** The source refused its credentials: since when, how often, and when the schedule asks next. */
    sourceDenied: await deniedBy(feed, ctx),
    paused: await pausedBy(feed, state.login, ctx),
    held: last?.outcome === 'held' ? { run: last.id, since: last.finished_at, reason: reasonIn(last) } : null,
    standstill: await standstillOf(db, feed),
    frozen: await frozenBy(feed, ctx),
    candidate: state.candidate === null ? null : { run: state.candidate, since: state.candidate_at },
    acceptedColumns: await acceptedOf(feed, ctx),
    incidents: incidents.answers,
    /** What is wrong with it, and which command shows more. */
    note: incidents.rows.length === 0 ? null : incidentsNote(incidents.rows, ` --feed ${feed}`),
    schedule: schedule ?? null,
    nextDue: schedule === undefined ? null : (state.next_due ?? nextDue(schedule, ctx.clock.now())),
  };
}

/** When the upload that these rows were verified in was accepted, as in `show` and `logins`. */
function provedAt({ proved }: LiveNow): number | null {
  return proved === null || proved.since === null ? null : Date.parse(proved.since);
}

/** Feeds that are live but no longer configured. */
export async function leavingStates(ctx: Context) {
  const { leavingFeeds } = await import('../feeds/leaving.ts');
  const { lastVerified } = await import('../../ledger/uploads/accepted-uploads.ts');
  const { liveFacts } = await import('../logins/live-facts.ts');
  const { liveNow } = await import('../logins/live-now.ts');
  const found = [];
  for (const login of Object.keys(ctx.config.logins)) {
    const live = await lastVerified(ctx.ledger.db, login);
    const facts = await liveFacts(ctx.ledger.db, login);
    for (const leaving of await leavingFeeds(login, live?.dataset ?? null, ctx)) {
      const { feed, stays, released, why } = leaving;
      const rows = liveNow(feed, facts).proved?.live ?? 0;
      // One that expired has a line of its own, and an incident.
      if (leaving.configured) continue;
      const then = stays
        ? `stays in the dataset: ${why}. To let it leave: \`offerline release ${feed} --reason TEXT\``
        : `leaves with the next upload${released ? ' (released)' : ''}`;
      found.push({ feed, login, configured: false, rows, stays, released, reason: `NOT CONFIGURED, ${then}` });
    }
  }
  return found;
}

async function deniedBy(feed: string, ctx: Context) {
  const { sourceDenialStanding } = await import('../queries/feed-standing.ts');
  return sourceDenialStanding(feed, ctx);
}

async function frozenBy(feed: string, ctx: Context) {
  const { freezeOf } = await import('../../ledger/runs/freezes.ts');
  const freeze = await freezeOf(ctx.ledger.db, feed);
  return freeze === undefined ? null : { since: freeze.at, who: freeze.who, reason: freeze.reason };
}

async function pausedBy(feed: string, login: string, ctx: Context) {
  const { pauseOver } = await import('../../ledger/runs/pauses.ts');
  const pause = await pauseOver(ctx.ledger.db, feed, login);
  return pause === undefined ? null : { kind: pause.kind, since: pause.at, who: pause.who, reason: pause.reason };
}

function reasonIn(run: Parameters<typeof reasonOfRun>[0]): string | null {
  return shownReason(reasonOfRun(run));
}
