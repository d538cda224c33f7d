import type { Context } from '../../context.ts';
import { supplierName } from '../../config/supplier.ts';
import { arrivalsSince, lastArrivalsBefore } from '../../ledger/expected/arrivals.ts';
import { deliveriesIn, problemsIn, type DeliveredRun } from '../../ledger/runs/scored.ts';
import { lastLooks } from '../../ledger/uploads/findability.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';
import type { ScorecardInput } from '../../report/scorecard/input.ts';
import { scoreSuppliers, type PeriodFacts, type SupplierFacts } from '../../report/scorecard/measure.ts';
import { expectedOf, stopsOf } from '../feeds/expected.ts';
import { knownShareAt } from '../findability/share.ts';
import type { Language } from '../../wording/language/language.ts';

/** The incidents that are problems of a supplier. */
const PROBLEMS: readonly IncidentRow['kind'][] = ['delivery', 'missing-delivery', 'expiry'];

type Period = { from: number; to: number };

/** Scores the suppliers of some feeds for a period, beside the period of the same length before it. A few queries, however many they are. */
export async function scorecard(
  { from, to, feeds, language }: Period & { feeds: readonly string[]; language: Language },
  ctx: Context,
): Promise<ScorecardInput> {
  const before = { from: from - (to - from), to: from };
  const [now, earlier] = [await factsIn({ from, to }, ctx), await factsIn(before, ctx)];
  const looks = await lastLooks(ctx.ledger.db, feeds);
  const stops = await stopsOf(feeds, ctx);
  const suppliers = feeds.map((feed): SupplierFacts => ({
    feed,
    name: supplierName(ctx.config, feed),
    expected: expectedOf(feed, ctx.config),
    stops: stops.ofFeed(feed),
    known: knownShareAt(ctx.config.feeds[feed]?.login, looks.get(feed)),
    now: now(feed),
    before: earlier(feed),
  }));
  return { from, to, scores: scoreSuppliers(suppliers), language, sandbox: ctx.sandbox };
}

async function factsIn(period: Period, { ledger: { db } }: Context): Promise<(feed: string) => PeriodFacts> {
  const deliveries = Map.groupBy(await deliveriesIn(db, period), ({ feed }) => feed);
  const arrived = await arrivalsSince(db, null, period.from);
  const last = await lastArrivalsBefore(db, period.from);
  const problems = await problemsIn(db, PROBLEMS, period);
  return (feed) => ({
    ...period,
    last: last.get(feed) ?? null,
    arrivals: (arrived.get(feed) ?? []).filter(({ at }) => at < period.to),
    deliveries: eachOnce(deliveries.get(feed) ?? []).map(({ id, at, outcome, read, rejected, restructured }) => ({
      run: id,
      at,
      outcome,
      read,
      rejected,
      restructured,
    })),
    problems: problems
      .filter((problem) => problem.feed === feed)
      .map(({ run, opened_at, recovered_at }) => ({ run, openedAt: opened_at, recoveredAt: recovered_at })),
  });
}

/** The same bytes read again are the delivery that they were: it came when it came first, and ended as it ended last. */
function eachOnce(runs: DeliveredRun[]): DeliveredRun[] {
  const kept: DeliveredRun[] = [];
  for (const run of runs) {
    const before = kept.at(-1);
    if (before !== undefined && before.sha !== null && before.sha === run.sha) {
      kept[kept.length - 1] = { ...run, at: before.at };
    } else kept.push(run);
  }
  return kept;
}
