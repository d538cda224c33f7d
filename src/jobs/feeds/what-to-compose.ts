import type { Context } from '../../context.ts';
import { feedState, listFeeds } from '../../ledger/runs/feeds.ts';
import { listPauses } from '../../ledger/runs/pauses.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import { fetchingOf } from '../../ledger/maintenance/fetching.ts';
import type { FeedRow, RunRow } from '../../ledger/schema/schema.ts';
import { hasExpired } from './expectations.ts';

/** What is known of a feed that has rows for its login's next dataset. */
export type FeedFacts = {
  state: FeedRow;
  /** Its supplier stopped delivering. */
  expired: boolean;
  /** The feed or its login is paused. */
  paused: boolean;
  /** The run of its candidate. */
  run: RunRow | null;
  /** Milliseconds for which its candidate has waited. */
  waited: number;
};

/** What a login's next dataset is made of. */
export type ToCompose = {
  /** The feeds in winning order; each brings its candidate or, without one, its contribution. */
  states: FeedRow[];
  /** The runs of the candidates that go into it. */
  pending: RunRow[];
  /** When it may be composed, epoch milliseconds. */
  due: number;
};

/** What a login's next dataset is made of, as the ledger stands. */
export async function nextDataset(login: string, ctx: Context): Promise<ToCompose> {
  const feeds = await gatherFeeds(login, ctx);
  const next = whatToCompose(feeds, ctx.config.logins[login]?.coalesce ?? 0, ctx.clock.now());
  const fetching = next.pending.length === 0 ? null : await fetchingOf(ctx.ledger.db, login, ctx.config.feeds);
  return fetching === null ? next : { ...next, due: Math.max(next.due, ctx.clock.now() + LOOK_AGAIN[fetching]) };
}

/** Milliseconds between two looks whether what was delivered since a restored backup is here. */
const LOOK_AGAIN = { open: 1000, missing: 10_000 };

/** The login's feeds that have rows, in winning order. */
async function gatherFeeds(login: string, ctx: Context): Promise<FeedFacts[]> {
  const { db } = ctx.ledger;
  const ordered = inWinningOrder(Object.entries(ctx.config.feeds).filter(([, feed]) => feed.login === login));
  await Promise.all(ordered.map((name) => feedState(db, name, login)));
  const states = new Map((await listFeeds(db, login)).map((row) => [row.feed, row]));
  const paused = new Set((await listPauses(db)).map(({ kind, name }) => `${kind} ${name}`));
  const facts = async (state: FeedRow): Promise<FeedFacts> => ({
    state,
    expired: await hasExpired(state, ctx),
    paused: paused.has(`feed ${state.feed}`) || paused.has(`login ${login}`),
    run: state.candidate === null ? null : await getRun(db, state.candidate),
    waited: state.candidate === null ? 0 : ctx.clock.since(state.candidate_at ?? 0),
  });
  const known = ordered.map((name) => states.get(name)).filter((row) => row !== undefined);
  return Promise.all(known.filter(hasRows).map(facts));
}

/**
 * Names of feeds in winning order: lower priority first, then by name.
 * @internal exported for tests
 */
export function inWinningOrder(feeds: readonly (readonly [name: string, feed: { priority: number }])[]): string[] {
  return [...feeds].sort(([a, x], [b, y]) => x.priority - y.priority || (a < b ? -1 : 1)).map(([name]) => name);
}

/**
 * Decides what a login's next dataset is made of: candidates of feeds that are not paused, one at a time after a failed
 * dataset, and everyone else's contribution. It is due once the oldest candidate has waited for `coalesce`, and at once when
 * someone waits for it.
 * @internal exported for tests
 */
export function whatToCompose(feeds: readonly FeedFacts[], coalesce: number, now: number): ToCompose {
  // What has expired leaves with the next dataset; what is paused contributes what it did, and its candidate waits.
  const staying = feeds.filter(({ expired }) => !expired).map((feed) => (feed.paused ? withoutCandidate(feed) : feed));
  const chosen = oneAlone(staying.filter(({ state }) => hasRows(state)));
  const pending = chosen.map(({ run }) => run).filter((run) => run !== null);
  return { states: chosen.map(({ state }) => state), pending, due: dueAt(chosen, coalesce, now) };
}

function hasRows({ candidate, contribution }: FeedRow): boolean {
  return candidate !== null || contribution !== null;
}

function withoutCandidate(feed: FeedFacts): FeedFacts {
  return { ...feed, state: { ...feed.state, candidate: null }, run: null, waited: 0 };
}

/**
 * After the service failed a dataset, its candidates go back one feed per upload: the oldest of them comes alone, everything
 * else contributes what it did.
 */
function oneAlone(feeds: FeedFacts[]): FeedFacts[] {
  const runs = feeds.map(({ run }) => run).filter((run) => run !== null);
  const suspects = runs.filter((run) => run.options.alone === true);
  const [first] = suspects.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  if (first === undefined) return feeds;
  return feeds
    .map((feed) => (feed.run?.id === first.id ? feed : withoutCandidate(feed)))
    .filter(({ state }) => hasRows(state));
}

function dueAt(feeds: readonly FeedFacts[], coalesce: number, now: number): number {
  if (feeds.some(({ run }) => run !== null && (run.options.wait === true || run.options.inTurn === true))) return 0;
  const left = coalesce - Math.max(0, ...feeds.map(({ waited }) => waited));
  return left <= 0 ? 0 : now + left;
}
