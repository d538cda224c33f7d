import { dayNumber, expectedDay, type DaysExpected, type ExpectedDay } from './expected-days.ts';
import { isStopped, mergedStops, passedAfter, type Stop } from './stops.ts';

/** What is expected of a supplier: a delivery within a span after each one, or deliveries by the clock of certain days. */
export type Expected = { every: number } | DaysExpected;

/** What is known of a supplier's deliveries. Moments in epoch milliseconds, deliveries in the order of time. */
export type Known = {
  /** Since when a first delivery is waited for; null: not yet. */
  since: number | null;
  /** Those of the day of the last one at least. */
  deliveries: readonly number[];
  stops: readonly Stop[];
};

/** How a supplier stands: when the next delivery is due, which may be past, and from when on it is late. */
export type Standing = {
  /** Null where none is due, such as during a pause. */
  due: number | null;
  lateAt: number | null;
  late: boolean;
  /** Of the deliveries that are expected on the day of this one, how many have come. */
  came: number;
  of: number;
};

/** Something that was due in a period: when, from when on it is late, and when it came; null: it did not. */
export type Due = { due: number; lateAt: number; came: number | null };

/** No day is expected within so many days: there is none. */
const MOST_DAYS = 800;

/** When a supplier's next delivery is due, and whether it is late. What stops the clock is not counted, and nothing is late meanwhile. Pure. */
export function standingAt(expected: Expected, { since, deliveries, stops }: Known, now: number): Standing {
  const merged = mergedStops(stops);
  const last = deliveries.findLast((at) => at <= now) ?? null;
  const next =
    'every' in expected
      ? nextGap(expected, last ?? since, merged)
      : nextDay(expected, { last, since, deliveries, now }, merged);
  if (next === null || next.lateAt === Infinity) return { due: null, lateAt: null, late: false, came: 0, of: 1 };
  return { ...next, late: now > next.lateAt && !isStopped(now, merged) };
}

type Next = Omit<Standing, 'late' | 'due' | 'lateAt'> & { due: number; lateAt: number };

function nextGap({ every }: { every: number }, from: number | null, stops: Stop[]): Next | null {
  if (from === null) return null;
  const lateAt = passedAfter(from, every, stops);
  return { due: lateAt, lateAt, came: 0, of: 1 };
}

type Anchor = { last: number | null; since: number | null; deliveries: readonly number[]; now: number };

/** A delivery makes up for all that was due before its day: what is waited for is the rest of that day, then the next one. */
function nextDay(expected: DaysExpected, { last, since, deliveries, now }: Anchor, stops: Stop[]): Next | null {
  const next = (dues: number[], came: number): Next => {
    const due = dues[came]!;
    return { due, lateAt: passedAfter(due, expected.tolerance, stops), came, of: dues.length };
  };
  // What was due before anything was expected is not waited for.
  const duesOf = (day: ExpectedDay | null, after: number) => (day?.dues ?? []).filter((due) => due > after);
  const own = last === null ? null : dayOf(last, expected, stops);
  if (own !== null) {
    const came = deliveries.filter((at) => at >= own.opens && at <= now).length;
    const dues = duesOf(own, since ?? -Infinity);
    if (came < dues.length) return next(dues, came);
  }
  const after = own?.dues.at(-1) ?? last ?? since ?? now;
  const first = dayNumber(after, expected.timezone);
  for (let number = first; number < first + MOST_DAYS; number += 1) {
    const dues = duesOf(expectedDay(number, expected, stops), after);
    if (dues.length > 0) return next(dues, 0);
  }
  return null;
}

/** The expected day that a delivery counts for; null where none is near enough. */
function dayOf(at: number, expected: DaysExpected, stops: Stop[]): ExpectedDay | null {
  const first = dayNumber(at, expected.timezone) + 1;
  for (let number = first; number > first - MOST_DAYS; number -= 1) {
    const day = expectedDay(number, expected, stops);
    if (day !== null && day.opens <= at) return day;
  }
  return null;
}

/** A period, and what came in it: `last` is the last delivery before it; null: none is known. */
type Past = { from: number; to: number; last: number | null; deliveries: readonly number[]; stops: readonly Stop[] };

/** What was due in a period, in the order of time, and what became of it; what is not late at its end yet is left out. Pure. */
export function duesIn(expected: Expected, past: Past): Due[] {
  const stops = mergedStops(past.stops);
  return 'every' in expected ? gapsIn(expected, past, stops) : daysIn(expected, past, stops);
}

/** Each gap between deliveries; of one that began long before the period only the end counts. */
function gapsIn({ every }: { every: number }, { from, to, last, deliveries }: Past, stops: Stop[]): Due[] {
  const dues: Due[] = [];
  let previous = last;
  for (const came of deliveries) {
    if (previous !== null) {
      const lateAt = passedAfter(Math.max(previous, from - every), every, stops);
      dues.push({ due: lateAt, lateAt, came });
    }
    previous = came;
  }
  const lateAt = passedAfter(previous ?? from, every, stops);
  return to > lateAt ? [...dues, { due: lateAt, lateAt, came: null }] : dues;
}

function daysIn(expected: DaysExpected, { from, to, last, deliveries }: Past, stops: Stop[]): Due[] {
  const { timezone, tolerance } = expected;
  // Of a supplier that is new in the period nothing was due before its first delivery.
  const begins = last === null ? (deliveries[0] ?? from) : from;
  const days: ExpectedDay[] = [];
  for (let number = dayNumber(begins, timezone); number <= dayNumber(to, timezone) + 1; number += 1) {
    const day = expectedDay(number, expected, stops);
    // What came before the period for a day within it is not counted here.
    if (day !== null && (last === null || last < day.opens)) days.push(day);
  }
  return days.flatMap(({ opens, dues }, at) => {
    const closes = days[at + 1]?.opens ?? Infinity;
    const came = deliveries.filter((one) => one >= opens && one < closes);
    return dues
      .map((due, nth): Due => ({ due, lateAt: passedAfter(due, tolerance, stops), came: came[nth] ?? null }))
      .filter(({ due, lateAt, came: one }) => due >= begins && due <= to && (one !== null || lateAt < to));
  });
}
