import { duesIn, type Expected } from '../../calendar/expected.ts';
import type { Stop } from '../../calendar/stops.ts';
import type { Estimate, Outcome } from '../../model.ts';

/** A delivery as a scorecard sees it; `read` is null where nothing of it could be read. */
export type ScoredDelivery = {
  run: string;
  at: number;
  outcome: Outcome;
  read: number | null;
  rejected: number;
  /** Whether its columns were others than those of the delivery before. */
  restructured: boolean;
};

/** A problem of a supplier, from its beginning to its end; null while it is open. */
export type ScoredProblem = { run: string | null; openedAt: number; recoveredAt: number | null };

/** What is known of a supplier in a period and in the one before it, each in the order of time. */
export type SupplierFacts = {
  feed: string;
  name: string;
  /** What is expected of it; null: nothing is said. */
  expected: Expected | null;
  /** What stopped the clock: pauses and absences. */
  stops: Stop[];
  /** Which share of the parts that are live the search knows, by the last look; null where that cannot be told. */
  known: Estimate | null;
  now: PeriodFacts;
  before: PeriodFacts;
};

/**
 * `arrivals`: each file that came, also one with the rows of the one before; `last`: when the last one before the period came. Times are epoch
 * milliseconds, `to` is the end of the period.
 */
export type PeriodFacts = {
  from: number;
  to: number;
  last: number | null;
  arrivals: { run: string; at: number }[];
  deliveries: ScoredDelivery[];
  problems: ScoredProblem[];
};

/** A measure from 0 to 1, what it was counted from, and the runs that lowered it; the share is null where it cannot be measured. */
export type Measure = { share: number | null; good: number; of: number; runs: string[] };

/** How long problems lasted: the median of those that are over, in milliseconds; null without one. */
export type Recovery = { median: number | null; solved: number; open: number; runs: string[] };

export type Measures = { onTime: Measure; complete: Measure; clean: Measure; stable: Measure };

/** How a supplier did. `overall` is the plain mean of the shares that can be measured; `trend` how much it changed. */
export type Score = {
  feed: string;
  name: string;
  deliveries: number;
  measures: Measures;
  recovery: Recovery;
  /** The share of live parts that the search knows; no part of `overall`, since no supplier can change what it knows. */
  known: Estimate | null;
  overall: number | null;
  trend: number | null;
  /** From 1; equal ones share a rank. Null where too little was delivered. */
  rank: number | null;
};

/** Fewer deliveries say nothing of a supplier. */
export const LEAST_DELIVERIES = 3;
/** A delivery with less than this share of the usual rows is not complete. */
const COMPLETE_FROM = 0.9;
/** A delivery whose rows are more or fewer than those before by more than this share is not stable. */
const SWING = 0.2;

/** Scores suppliers for a period, the best first, those without a rank last. Pure. */
export function scoreSuppliers(suppliers: SupplierFacts[]): Score[] {
  const scores = suppliers.map(scoreOf).sort(bestFirst);
  for (const [at, score] of scores.entries()) {
    if (score.overall === null) break;
    const before = scores[at - 1];
    score.rank = before?.overall === score.overall ? before.rank : at + 1;
  }
  return scores;
}

function bestFirst(a: Score, b: Score): number {
  return (b.overall ?? -1) - (a.overall ?? -1) || (a.feed < b.feed ? -1 : a.feed > b.feed ? 1 : 0);
}

function scoreOf(supplier: SupplierFacts): Score {
  const { feed, name, known, now, before } = supplier;
  const measures = measure(now, supplier);
  const overall = overallOf(now, measures);
  const was = overallOf(before, measure(before, supplier));
  return {
    feed,
    name,
    deliveries: now.deliveries.length,
    measures,
    recovery: recoveryOf(now.problems),
    known,
    overall,
    trend: overall === null || was === null ? null : overall - was,
    rank: null,
  };
}

function measure(facts: PeriodFacts, supplier: SupplierFacts): Measures {
  return {
    onTime: onTime(facts, supplier),
    complete: complete(facts),
    clean: clean(facts),
    stable: stable(facts),
  };
}

/** Too few deliveries make no score. */
function overallOf({ deliveries }: PeriodFacts, measures: Measures): number | null {
  const shares = Object.values(measures).flatMap(({ share }) => (share === null ? [] : [share]));
  if (deliveries.length < LEAST_DELIVERIES || shares.length === 0) return null;
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** What was due and came in time; what is still waited for counts as soon as it is late. */
function onTime({ from, to, last, arrivals }: PeriodFacts, { expected, stops }: SupplierFacts): Measure {
  if (expected === null) return NOTHING;
  const dues = duesIn(expected, { from, to, last, deliveries: arrivals.map(({ at }) => at), stops });
  const late = dues.filter(({ came, lateAt }) => came === null || came > lateAt);
  const times = new Set(late.map(({ came }) => came));
  const runs = arrivals.filter(({ at }) => times.has(at)).map(({ run }) => run);
  return counted(dues.length - late.length, dues.length, runs);
}

/** Deliveries with at least nine tenths of the usual rows, which are their median. */
function complete({ deliveries }: PeriodFacts): Measure {
  const rows = deliveries.map(({ read }) => read ?? 0).sort((a, b) => a - b);
  const usual = rows[Math.floor(rows.length / 2)] ?? 0;
  if (rows.length < LEAST_DELIVERIES || usual === 0) return NOTHING;
  const short = deliveries.filter(({ read }) => (read ?? 0) < usual * COMPLETE_FROM).map(({ run }) => run);
  return counted(rows.length - short.length, rows.length, short);
}

/** Rows of all deliveries that neither we nor the service rejected. */
function clean({ deliveries }: PeriodFacts): Measure {
  const of = deliveries.reduce((sum, { read }) => sum + (read ?? 0), 0);
  const rejected = deliveries.reduce((sum, delivery) => sum + Math.min(delivery.rejected, delivery.read ?? 0), 0);
  const runs = deliveries.filter((delivery) => delivery.rejected > 0).map(({ run }) => run);
  return counted(of - rejected, of, runs);
}

/** Deliveries with the columns of the one before, and about as many rows. */
function stable({ deliveries }: PeriodFacts): Measure {
  const followed = deliveries.slice(1).map((delivery, at) => ({ delivery, before: deliveries[at]!.read }));
  const swung = followed.filter(({ delivery: { read, restructured }, before }) => {
    if (restructured) return true;
    return read !== null && before !== null && before > 0 && Math.abs(read - before) > before * SWING;
  });
  return counted(
    followed.length - swung.length,
    followed.length,
    swung.map(({ delivery }) => delivery.run),
  );
}

function recoveryOf(problems: ScoredProblem[]): Recovery {
  const spans = problems
    .flatMap(({ openedAt, recoveredAt }) => (recoveredAt === null ? [] : [recoveredAt - openedAt]))
    .sort((a, b) => a - b);
  return {
    median: spans[Math.floor(spans.length / 2)] ?? null,
    solved: spans.length,
    open: problems.length - spans.length,
    runs: problems.flatMap(({ run }) => (run === null ? [] : [run])),
  };
}

const NOTHING: Measure = { share: null, good: 0, of: 0, runs: [] };

function counted(good: number, of: number, runs: string[]): Measure {
  return of === 0 ? NOTHING : { share: good / of, good, of, runs };
}
