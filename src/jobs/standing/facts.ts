import type { Context } from '../../context.ts';
import type { IncidentFacts } from '../../incidents.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { acceptedByFeed } from '../../ledger/runs/accepted-columns.ts';
import { listFeeds } from '../../ledger/runs/feeds.ts';
import { listFreezes } from '../../ledger/runs/freezes.ts';
import { newestRuns, type NewestRun } from '../../ledger/runs/newest-runs.ts';
import { listPauses } from '../../ledger/runs/pauses.ts';
import { listSourceDenials } from '../../ledger/runs/source-denials.ts';
import { standstills, type KnownStandstill } from '../../ledger/runs/standstills.ts';
import type {
  AcceptedColumnsRow,
  DepartureRow,
  FeedRow,
  FreezeRow,
  IncidentRow,
  PauseRow,
} from '../../ledger/schema/schema.ts';
import type { DenialRow, WatchRow } from '../../ledger/schema/watch-schema.ts';
import { listDenials } from '../../ledger/uploads/denials.ts';
import { listDepartures } from '../../ledger/uploads/departures.ts';
import { newestUploads, type NewestUploads } from '../../ledger/uploads/newest-uploads.ts';
import { openUploads, type OpenUpload } from '../../ledger/uploads/open-uploads.ts';
import { watchesOf } from '../../ledger/uploads/watches.ts';
import type { IncidentWork } from '../../model.ts';
import { peopleNow, workOf } from '../alerts/people.ts';
import { standingsOf, type ExpectedStanding } from '../feeds/expected.ts';
import { stillDenies } from '../logins/denial.ts';
import { liveFactsOf } from '../logins/live-facts.ts';
import type { LiveFacts } from '../logins/live-now.ts';
import { describeDenial } from '../queries/feed-standing.ts';

/** An open incident as the ledger has it and as people read it. */
export type SeenIncident = { row: IncidentRow; facts: IncidentFacts; work: IncidentWork };

/** A refusal of a source's credentials, in words. */
export type SourceDenied = Awaited<ReturnType<typeof describeDenial>>;

/**
 * What is known of the feeds and logins of the configuration at one moment: each question was asked once, for all of them. The
 * states of feeds and logins are assembled from it.
 */
export type StandingFacts = {
  /** The feeds and logins that are asked about. */
  names: { feeds: string[]; logins: string[] };
  /** What the ledger remembers of feeds, also of those that are not in the configuration. */
  feeds: Map<string, FeedRow>;
  newestRuns: Map<string, NewestRun>;
  standstills: Map<string, KnownStandstill>;
  acceptedColumns: Map<string, AcceptedColumnsRow[]>;
  sourceDenied: Map<string, SourceDenied>;
  /** Of feeds whose deliveries are expected. */
  expected: Map<string, ExpectedStanding>;
  pauses: PauseRow[];
  freezes: FreezeRow[];
  departures: DepartureRow[];
  uploads: Map<string, NewestUploads>;
  live: Map<string, LiveFacts>;
  open: Map<string, OpenUpload>;
  watches: Map<string, WatchRow>;
  denied: Map<string, DenialRow>;
  /** Oldest first. */
  incidents: { all: SeenIncident[]; ofFeed: Map<string | null, SeenIncident[]>; ofLogin: Map<string, SeenIncident[]> };
};

/**
 * Asks the ledger what stands how. `scope`: these feeds with their incidents, and the logins that they belong to; null: all of the
 * configuration.
 */
export async function standingFacts(ctx: Context, scope: readonly string[] | null = null): Promise<StandingFacts> {
  const { db } = ctx.ledger;
  const { config } = ctx;
  const feeds = Object.keys(config.feeds).filter((feed) => scope === null || scope.includes(feed));
  const asked = new Set(feeds.map((feed) => config.feeds[feed]?.login));
  const logins = Object.keys(config.logins).filter((login) => scope === null || asked.has(login));
  const uploads = await newestUploads(db, logins);
  const rows = new Map((await listFeeds(db)).map((row) => [row.feed, row]));
  // A server answers several questions at once.
  const [
    runs,
    standing,
    accepted,
    sources,
    expected,
    pauses,
    freezes,
    departures,
    live,
    open,
    watches,
    denied,
    incidents,
  ] = await Promise.all([
    newestRuns(db, feeds),
    standstills(db, feeds),
    acceptedByFeed(db),
    deniedSources(ctx),
    standingsOf(feeds, rows, ctx),
    listPauses(db),
    listFreezes(db),
    listDepartures(db),
    liveFactsOf(db, uploads),
    openUploads(db),
    watchesOf(db, logins),
    deniedLogins(ctx),
    seenIncidents(ctx, scope),
  ]);
  return {
    names: { feeds, logins },
    feeds: rows,
    newestRuns: runs,
    standstills: standing,
    acceptedColumns: accepted,
    sourceDenied: sources,
    expected,
    pauses,
    freezes,
    departures,
    uploads,
    live,
    open,
    watches,
    denied,
    incidents,
  };
}

async function deniedSources(ctx: Context): Promise<Map<string, SourceDenied>> {
  const denials = await listSourceDenials(ctx.ledger.db);
  return new Map(
    await Promise.all(denials.map(async (denial) => [denial.feed, await describeDenial(denial, ctx)] as const)),
  );
}

async function deniedLogins(ctx: Context): Promise<Map<string, DenialRow>> {
  const denials = await listDenials(ctx.ledger.db);
  const stand = await Promise.all(denials.map((denial) => stillDenies(denial, ctx)));
  return new Map(denials.filter((_, at) => stand[at] === true).map((denial) => [denial.login, denial]));
}

/** The open incidents of a feed, of a login with its feeds, or of several feeds, the oldest first. */
export async function openIncidents(
  filter: { feed?: string; login?: string; feeds?: readonly string[] },
  ctx: Context,
): Promise<SeenIncident[]> {
  const rows = await listIncidents(ctx.ledger.db, filter);
  const people = await peopleNow(ctx);
  return rows.map((row) => ({ row, facts: factsOf(row), work: workOf(row, people, ctx.clock.now()) }));
}

async function seenIncidents(ctx: Context, scope: readonly string[] | null): Promise<StandingFacts['incidents']> {
  const all = await openIncidents(scope === null ? {} : { feeds: scope }, ctx);
  return {
    all,
    ofFeed: Map.groupBy(all, ({ row }) => row.feed),
    ofLogin: Map.groupBy(all, ({ row }) => row.login),
  };
}
