import type { Context } from '../../../context.ts';
import { asOfLogin, feedRow } from '../../../ledger/runs/feeds.ts';
import { pauseOver } from '../../../ledger/runs/pauses.ts';
import { nextDue } from '../../../calendar/next-due.ts';
import { feedInScope } from './scope.ts';

/** When a feed's next delivery is expected; times in epoch milliseconds, spans in milliseconds. */
export type Expectation = {
  /** The setting; null: nothing is expected. */
  expectEvery: number | null;
  /** The last delivery; null when there never was one. */
  last: number | null;
  /** From when the next delivery is late; null when none is expected, or nothing was ever waited for. */
  lateAt: number | null;
  /** It is late now. While the feed or its login is paused nothing is. */
  late: boolean;
  /** When its source is asked next; null without a schedule. */
  nextDue: number | null;
  paused: boolean;
};

/** When the next delivery of a feed is expected, and whether it is late. */
export async function expectationOf(feed: string, scope: readonly string[] | null, ctx: Context): Promise<Expectation> {
  const { login, expectEvery = null, schedule } = feedInScope(feed, scope, ctx);
  const { db } = ctx.ledger;
  const state = asOfLogin(await feedRow(db, feed), feed, login);
  const paused = (await pauseOver(db, feed, login)) !== undefined;
  const since = state.delivered_at ?? state.expected_from;
  const lateAt = expectEvery === null || since === null ? null : since + expectEvery;
  const now = ctx.clock.now();
  return {
    expectEvery,
    last: state.delivered_at,
    lateAt,
    late: lateAt !== null && now > lateAt && !paused,
    nextDue: schedule === undefined ? null : (state.next_due ?? nextDue(schedule, now)),
    paused,
  };
}
