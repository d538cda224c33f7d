import type { Context } from '../../context.ts';
import { feedState, listFeeds } from '../../ledger/runs/feeds.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { FeedRow, RunRow } from '../../ledger/schema/schema.ts';
import { hasExpired } from './expectations.ts';

/** What a login's next dataset is made of. */
export type ToCompose = {
  /** The feeds in winning order; each brings its candidate or, without one, its contribution. */
  states: FeedRow[];
  /** The runs of the candidates that go into it. */
  pending: RunRow[];
  /** When it may be composed, epoch milliseconds. */
  due: number;
};

/**
 * Decides what a login's next dataset is made of: candidates of feeds that are not paused, one at a time after a failed
 * dataset, and everyone else's contribution. It is due once the oldest candidate has waited for `coalesce`, and at once when
 * someone waits for it.
 */
export async function whatToCompose(login: string, ctx: Context): Promise<ToCompose> {
  const states = await oneAlone(
    await withoutPaused(await withoutExpired(await feedsInOrder(login, ctx), ctx), ctx),
    ctx,
  );
  const pending = await pendingRuns(states, ctx);
  return { states, pending, due: dueAt(states, pending, ctx.config.logins[login]?.coalesce ?? 0, ctx) };
}

/** The login's feeds that have rows, in winning order. */
async function feedsInOrder(login: string, ctx: Context): Promise<FeedRow[]> {
  const ordered = inWinningOrder(Object.entries(ctx.config.feeds).filter(([, feed]) => feed.login === login));
  await Promise.all(ordered.map((name) => feedState(ctx.ledger.db, name, login)));
  const states = new Map((await listFeeds(ctx.ledger.db, login)).map((row) => [row.feed, row]));
  return ordered
    .map((name) => states.get(name))
    .filter((row) => row !== undefined)
    .filter((row) => row.candidate !== null || row.contribution !== null);
}

/** Names of feeds in winning order: lower priority first, then by name. */
export function inWinningOrder(feeds: readonly (readonly [name: string, feed: { priority: number }])[]): string[] {
  return [...feeds].sort(([a, x], [b, y]) => x.priority - y.priority || (a < b ? -1 : 1)).map(([name]) => name);
}

/** What expired leaves with the next dataset. */
async function withoutExpired(states: FeedRow[], ctx: Context): Promise<FeedRow[]> {
  const expired = await Promise.all(states.map((state) => hasExpired(state, ctx)));
  return states.filter((_, at) => expired[at] !== true);
}

/** What is paused contributes what it did; its candidate waits. */
async function withoutPaused(states: FeedRow[], ctx: Context): Promise<FeedRow[]> {
  const held = await Promise.all(
    states.map(async (state) => {
      const paused = await pauseOver(ctx.ledger.db, state.feed, state.login);
      return paused === undefined ? state : { ...state, candidate: null };
    }),
  );
  return held.filter((state) => state.candidate !== null || state.contribution !== null);
}

/**
 * After the service failed a dataset, its candidates go back one feed per upload: the oldest of them comes alone, everything
 * else contributes what it did.
 */
async function oneAlone(states: FeedRow[], ctx: Context): Promise<FeedRow[]> {
  const runs = await pendingRuns(states, ctx);
  const suspects = runs.filter((run) => run.options.alone === true);
  const [first] = suspects.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  if (first === undefined) return states;
  return states
    .map((state) => (state.candidate === first.id ? state : { ...state, candidate: null }))
    .filter((state) => state.candidate !== null || state.contribution !== null);
}

async function pendingRuns(states: FeedRow[], ctx: Context): Promise<RunRow[]> {
  const ids = states.map((state) => state.candidate).filter((id) => id !== null);
  return Promise.all(ids.map((id) => getRun(ctx.ledger.db, id)));
}

function dueAt(states: FeedRow[], pending: RunRow[], coalesce: number, ctx: Context): number {
  if (pending.some((run) => run.options.wait === true)) return 0;
  const arrivals = states.filter((state) => state.candidate !== null).map((state) => state.candidate_at ?? 0);
  const left = coalesce - Math.max(0, ...arrivals.map((at) => ctx.clock.since(at)));
  return left <= 0 ? 0 : ctx.clock.now() + left;
}
