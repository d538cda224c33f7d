import type { Context } from '../../../context.ts';
import type { ExpectConfig } from '../../../config/schema/schema.ts';
import { asOfLogin, feedRow } from '../../../ledger/runs/feeds.ts';
import { pauseOver } from '../../../ledger/runs/pauses.ts';
import { nextDue } from '../../../calendar/next-due.ts';
import { standingsOf, zoneOf } from '../../feeds/expected.ts';
import { feedInScope } from './scope.ts';

/** When a feed's next delivery is expected; times in epoch milliseconds, spans in milliseconds. */
export type Expectation = {
  /** The setting; null: nothing is expected by it. */
  expectEvery: number | null;
  /** The same. */
  expect: ExpectConfig | null;
  /** In which the days of `expect` and of absences begin and end. */
  timezone: string;
  /** The last delivery; null when there never was one. */
  last: number | null;
  /** When the next delivery is due, which may be past; null when none is at present, or nothing was ever waited for. */
  dueAt: number | null;
  /** From when it is late. */
  lateAt: number | null;
  /** It is late now. While the feed or its login is paused, or the supplier away, nothing is. */
  late: boolean;
  /** Announced absences that are not over, besides those of the settings; days such as 2026-12-24, both included. */
  away: { from: string; to: string; who: string; reason: string }[];
  /** When its source is asked next; null without a schedule. */
  nextDue: number | null;
  paused: boolean;
};

/** When the next delivery of a feed is expected, and whether it is late. */
export async function expectationOf(feed: string, scope: readonly string[] | null, ctx: Context): Promise<Expectation> {
  const settings = feedInScope(feed, scope, ctx);
  const { login, expectEvery = null, expect = null, schedule } = settings;
  const { db } = ctx.ledger;
  const state = asOfLogin(await feedRow(db, feed), feed, login);
  const paused = (await pauseOver(db, feed, login)) !== undefined;
  const standing = (await standingsOf([feed], new Map([[feed, state]]), ctx)).get(feed);
  const now = ctx.clock.now();
  return {
    expectEvery,
    expect,
    timezone: zoneOf(settings),
    last: state.delivered_at,
    dueAt: standing?.due ?? null,
    lateAt: standing?.lateAt ?? null,
    late: standing?.late === true,
    away: (standing?.absences ?? []).map(({ first_day: from, last_day: to, who, reason }) => ({
      from,
      to,
      who,
      reason,
    })),
    nextDue: schedule === undefined ? null : (state.next_due ?? nextDue(schedule, now)),
    paused,
  };
}
