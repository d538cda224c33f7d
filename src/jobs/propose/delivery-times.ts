import { dayName, dayNumber, weekdayOf } from '../../calendar/expected-days.ts';
import { duesIn, type Due, type Expected } from '../../calendar/expected.ts';
import { isStopped, type Stop } from '../../calendar/stops.ts';
import { momentOf, shownAt } from '../../calendar/zone-time.ts';

/** A delivery as its supplier's habits are told from it. Moments in epoch milliseconds. */
export type PastDelivery = { run: string; at: number; read: number | null };

/** What came on a day of the week, 0 for Sunday. Times in milliseconds from its midnight, those of the evening before below zero. */
export type WeekdayHabit = {
  weekday: number;
  /** How often the day came, and on how many of them something was delivered. */
  days: number;
  delivered: number;
  times: { first: number; usual: number; last: number } | null;
  rows: { least: number; usual: number; most: number } | null;
};

/** Deliveries that are due by a time of these days, so many of them by one or one by each; or so long after one another at most. */
export type ProposedTimes = { weekdays: number[]; by: number[]; times: number } | { every: number };

/** What a supplier's deliveries say of when it delivers; `proposal` null: there are too few. `why` it is none of days. */
export type DeliveryHabits = {
  habits: WeekdayHabit[];
  proposal: ProposedTimes | null;
  why: 'few' | 'irregular' | 'often' | null;
  /** What would have been late with the proposal. */
  late: Due[];
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Fewer deliveries, or fewer days, say nothing. */
const LEAST_DELIVERIES = 10;
const LEAST_DAYS = 14;
/** A day of the week is one of delivery when something came on at least this share of them. */
const MOST_DAYS = 0.6;
/** By the proposed time at least this share of the deliveries has come. */
const ON_TIME = 0.8;
const ROUNDED_TO = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** So large a share of the distances is no longer than the one that is proposed. */
const USUAL_GAPS = 0.95;
/** More deliveries a day are better expected by their distance. */
const MOST_TIMES = 4;

/** `tolerance`: what is late is judged with; `isOff`: days on which nothing was to be expected. */
type Period = {
  from: number;
  to: number;
  timezone: string;
  tolerance: number;
  stops: readonly Stop[];
  isOff: (day: string) => boolean;
};

/** A delivery with the day that it is for and when on that day it came. */
type Placed = PastDelivery & { day: number; time: number };

/** Tells from deliveries, in the order of time, when a supplier delivers. Pure. */
export function deliveryHabits(deliveries: readonly PastDelivery[], period: Period): DeliveryHabits {
  const [first] = deliveries;
  const from = first === undefined ? period.from : Math.max(period.from, first.at);
  const placed = placedOn(deliveries, period.timezone);
  const firstDay = placed[0]?.day ?? dayNumber(from, period.timezone);
  const lastDay = dayNumber(period.to, period.timezone) - 1;
  const counts = countedDays(firstDay, lastDay, period);
  const habits = [1, 2, 3, 4, 5, 6, 0].map((weekday) => habitOf(weekday, placed, counts.get(weekday) ?? 0));
  if (deliveries.length < LEAST_DELIVERIES || lastDay - firstDay + 1 < LEAST_DAYS)
    return { habits, proposal: null, why: 'few', late: [] };
  const weekdays = habits
    .filter(({ days, delivered }) => days > 0 && delivered >= days * MOST_DAYS)
    .map(({ weekday }) => weekday);
  const perDay = [
    ...Map.groupBy(
      placed.filter(({ day }) => weekdays.includes(weekdayOf(day))),
      ({ day }) => day,
    ).values(),
  ];
  const times = timesOf(perDay);
  const why = weekdays.length === 0 ? 'irregular' : times > MOST_TIMES ? 'often' : null;
  const proposal = why === null ? timesIn({ weekdays, times, perDay }) : { every: usualGap(deliveries) };
  const known = { from, to: period.to, last: null, deliveries: deliveries.map(({ at }) => at), stops: period.stops };
  const late = duesIn(expectedBy(proposal, period), known).filter(({ came, lateAt }) => came === null || came > lateAt);
  return { habits, proposal, why, late };
}

/** By when the first, the second and so on of a day have usually come. */
function timesIn({
  weekdays,
  times,
  perDay,
}: {
  weekdays: number[];
  times: number;
  perDay: Placed[][];
}): ProposedTimes {
  const each = Array.from({ length: times }, (_none, nth) =>
    roundedUp(
      quantile(
        perDay.flatMap((of) => (of.length < times ? [] : [of[nth]!.time])),
        ON_TIME,
      ),
    ),
  );
  const last = each.at(-1)!;
  // Times of two days, or the same one twice, are said by the last of them.
  const isList = new Set(each).size === times && Math.floor(each[0]! / DAY_MS) === Math.floor(last / DAY_MS);
  const by = isList ? each : [last];
  // A time beyond midnight is one of the next day.
  const later = Math.floor(last / DAY_MS);
  return {
    weekdays: weekdays.map((day) => mod(day + later, 7)).toSorted((a, b) => a - b),
    by: by.map((time) => mod(time, DAY_MS)),
    times,
  };
}

/** A distance between deliveries that few exceed, in whole hours. */
function usualGap(deliveries: readonly PastDelivery[]): number {
  const gaps = deliveries.slice(1).map(({ at }, nth) => at - deliveries[nth]!.at);
  return Math.ceil(quantile(gaps, USUAL_GAPS) / HOUR_MS) * HOUR_MS;
}

/** What a proposal comes to as a setting. */
function expectedBy(proposal: ProposedTimes, { timezone, tolerance, isOff }: Period): Expected {
  if ('every' in proposal) return proposal;
  const { weekdays, by, times } = proposal;
  const all = by.length === 1 ? Array.from({ length: times }, () => by[0]!) : by;
  return { weekdays, by: all, timezone, tolerance, isOff };
}

/**
 * The day that each delivery is for: a new one begins where nothing ever comes, in the middle of the longest time of the day in which nothing
 * does, so that what comes around midnight is of one day.
 */
function placedOn(deliveries: readonly PastDelivery[], timezone: string): Placed[] {
  const shown = deliveries.map(({ at }) => shownAt(at, timezone));
  const begins = quietest(shown.map((at) => mod(at, DAY_MS)));
  return deliveries.map((one, nth) => {
    const at = shown[nth]!;
    const day = Math.floor((at - begins) / DAY_MS);
    // A day that begins in the afternoon is the next one's.
    const isNext = begins > DAY_MS / 2;
    const time = mod(at - begins, DAY_MS) + begins - (isNext ? DAY_MS : 0);
    return Object.assign({ day: isNext ? day + 1 : day, time }, one);
  });
}

/** The middle of the longest time of the day without any of these times. */
function quietest(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  if (sorted.length === 0) return 0;
  const gaps = sorted.map((time, at) => ({ time, gap: (sorted[at + 1] ?? sorted[0]! + DAY_MS) - time }));
  const longest = gaps.reduce((a, b) => (b.gap > a.gap ? b : a));
  // Where midnight lies within it nothing has to be moved.
  if (longest.time + longest.gap >= DAY_MS) return 0;
  return mod(longest.time + longest.gap / 2, DAY_MS);
}

/** How often each day of the week came on which something could be expected. */
function countedDays(first: number, last: number, { stops, isOff, timezone }: Period): Map<number, number> {
  const counts = new Map<number, number>();
  for (let day = first; day <= last; day += 1) {
    if (isOff(dayName(day)) || isStopped(momentOf(day * DAY_MS + DAY_MS / 2, timezone), stops)) continue;
    counts.set(weekdayOf(day), (counts.get(weekdayOf(day)) ?? 0) + 1);
  }
  return counts;
}

function habitOf(weekday: number, placed: readonly Placed[], days: number): WeekdayHabit {
  const own = placed.filter(({ day }) => weekdayOf(day) === weekday);
  const delivered = new Set(own.map(({ day }) => day)).size;
  const times = own.map(({ time }) => time).toSorted((a, b) => a - b);
  const rows = own.flatMap(({ read }) => (read === null ? [] : [read])).toSorted((a, b) => a - b);
  return {
    weekday,
    days: Math.max(days, delivered),
    delivered,
    times: times.length === 0 ? null : { first: times[0]!, usual: quantile(times, 0.5), last: times.at(-1)! },
    rows: rows.length === 0 ? null : { least: rows[0]!, usual: quantile(rows, 0.5), most: rows.at(-1)! },
  };
}

/** How many deliveries most days have. */
function timesOf(perDay: readonly Placed[][]): number {
  const counts = perDay.map((of) => of.length).toSorted((a, b) => a - b);
  return quantile(counts, 1 - MOST_DAYS);
}

function roundedUp(time: number): number {
  return Math.ceil(time / ROUNDED_TO) * ROUNDED_TO;
}

/** The least of these numbers that so large a share of them does not exceed. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function mod(number: number, by: number): number {
  return ((number % by) + by) % by;
}
