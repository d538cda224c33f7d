import type { Context } from '../../../context.ts';
import { deliveryStrip, type StripRun } from '../../../ledger/lists/delivery-strip.ts';
import { livePoints, type LivePoint } from '../../../ledger/lists/live-points.ts';
import type { Outcome } from '../../../model.ts';
import { toneOf, type Tone } from '../tone.ts';
import { feedInScope } from './scope.ts';

/** One delivery and what became of it; numbers are null where that is not known. */
export type StripEntry = {
  run: string;
  outcome: Outcome | null;
  tone: Tone;
  at: number;
  read: number | null;
  accepted: number | null;
  live: number | null;
};

/** A feed's newest deliveries, and its live rows over time; both oldest first. */
export type FeedHistory = { strip: StripEntry[]; points: LivePoint[] };

/** How much of a history is asked for; `since` in epoch milliseconds. */
export type HistoryOf = { deliveries?: number; since?: number; points?: number };

const DELIVERIES = 30;
const DAYS = 90 * 86_400_000;
/** A chart that people look at does not show more. */
const MOST_POINTS = 200;

/** How a feed's deliveries went. A point is an upload of its login that was proved, whether the feed delivered for it or not;
 * of very many some are left out. */
export async function feedHistory(
  feed: string,
  scope: readonly string[] | null,
  ctx: Context,
  { deliveries = DELIVERIES, since = ctx.clock.now() - DAYS, points = MOST_POINTS }: HistoryOf = {},
): Promise<FeedHistory> {
  const { login } = feedInScope(feed, scope, ctx);
  const runs = await deliveryStrip(ctx.ledger.db, feed, deliveries);
  return { strip: runs.map(entryOf), points: await livePoints(ctx.ledger, { feed, login, since, limit: points }) };
}

function entryOf({ id: run, outcome, created_at: at, counts, account }: StripRun): StripEntry {
  const { read = null, accepted = null } = account ?? counts ?? {};
  const isLive = outcome === 'live' || outcome === 'partial';
  return { run, outcome, tone: toneOf(outcome), at, read, accepted, live: isLive ? (account?.live ?? null) : null };
}
