import { dayName, dayNumber } from '../../calendar/expected-days.ts';
import { isHoliday, REGIONS } from '../../calendar/holidays.ts';
import { DAYS } from '../../config/schema/expect/expect-schema.ts';
import type { ExpectConfig } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { arrivalsSince } from '../../ledger/expected/arrivals.ts';
import type { AbsenceRow } from '../../ledger/schema/schema.ts';
import { expectedOf, stopsOf, zoneOf } from '../feeds/expected.ts';
import { deliveryHabits, type DeliveryHabits, type ProposedTimes, type WeekdayHabit } from './delivery-times.ts';

const TWO_HOURS = 7_200_000;
const HOUR_MS = 3_600_000;

/** What a day of the week looks like; times such as `06:15`. */
export type DayAnswer = {
  day: string;
  of: number;
  delivered: number;
  times: Record<'first' | 'usual' | 'last', string> | null;
  rows: WeekdayHabit['rows'];
};

/** What `offerline expect FEED` says. Moments in epoch milliseconds. */
export type ExpectAnswer = {
  feed: string;
  timezone: string;
  from: number;
  to: number;
  deliveries: number;
  days: DayAnswer[];
  /** Settings of the feed as they would be written; null with too few deliveries. */
  proposal: { expect: ProposedExpect } | { expectEvery: string } | null;
  why: DeliveryHabits['why'];
  /** What would have been late with them, each with when it came and its run; both null: it did not come. */
  late: { due: number; came: number | null; run: string | null }[];
  /** Regions of whose public holidays the days on which nothing came all are, where they are those of one country. */
  holidays: string | null;
  /** The settings now. */
  now: { expect: ExpectConfig | null; expectEvery: number | null };
  away: Pick<AbsenceRow, 'first_day' | 'last_day' | 'who' | 'reason'>[];
};

/** `expect` as it is written; holidays and absences are those that are set. */
type ProposedExpect = {
  days: string;
  by: string | string[];
  times?: number;
  timezone: string;
  tolerance: string;
} & Pick<ExpectConfig, 'holidays' | 'away'>;

/** What the deliveries of a feed since a moment say of when its supplier delivers. */
export async function expectAnswer(feed: string, from: number, ctx: Context): Promise<ExpectAnswer> {
  const { config, ledger, clock } = ctx;
  const settings = config.feeds[feed]!;
  const to = clock.now();
  const { expect = null, expectEvery = null, supplier } = settings;
  const isSet = expect?.timezone !== undefined || settings.schedule !== undefined;
  const timezone = isSet ? zoneOf(settings) : (supplier?.timezone ?? 'UTC');
  const expected = expectedOf(feed, config);
  const isOff = expected === null || 'every' in expected ? () => false : expected.isOff;
  const stops = await stopsOf([feed], ctx);
  const arrived = (await arrivalsSince(ledger.db, [feed], from)).get(feed) ?? [];
  const tolerance = expect?.tolerance ?? TWO_HOURS;
  const found = deliveryHabits(arrived, { from, to, timezone, tolerance, stops: stops.ofFeed(feed), isOff });
  const missed = found.late.filter(({ came }) => came === null).map(({ due }) => dayName(dayNumber(due, timezone)));
  return {
    feed,
    timezone,
    from,
    to,
    deliveries: arrived.length,
    days: found.habits.map(dayAnswer),
    proposal: found.proposal === null ? null : written(found.proposal, { timezone, tolerance, now: expect }),
    why: found.why,
    late: found.late.map(({ due, came }) => ({ due, came, run: arrived.find(({ at }) => at === came)?.run ?? null })),
    holidays: holidaysOf(missed),
    now: { expect, expectEvery },
    away: stops.absences(feed).map(({ first_day, last_day, who, reason }) => ({ first_day, last_day, who, reason })),
  };
}

function dayAnswer({ weekday, days, delivered, times, rows }: WeekdayHabit): DayAnswer {
  return {
    day: DAYS[weekday]!,
    of: days,
    delivered,
    times:
      times === null
        ? null
        : { first: timeOfDay(times.first), usual: timeOfDay(times.usual), last: timeOfDay(times.last) },
    rows,
  };
}

function written(
  proposal: ProposedTimes,
  { timezone, tolerance, now }: { timezone: string; tolerance: number; now: ExpectConfig | null },
): ExpectAnswer['proposal'] {
  if ('every' in proposal) return { expectEvery: spanWritten(proposal.every) };
  const { weekdays, by, times } = proposal;
  const all = by.map(timeOfDay);
  return {
    expect: {
      days: daysWritten(weekdays),
      by: all.length === 1 ? all[0]! : all,
      ...(all.length === 1 && times > 1 ? { times } : {}),
      timezone,
      tolerance: spanWritten(tolerance),
      ...(now?.holidays === undefined ? {} : { holidays: now.holidays }),
      ...(now?.away === undefined ? {} : { away: now.away }),
    },
  };
}

/**
 * Days of the week as they are written: `mon-fri`, `mon, wed, sat-sun`.
 * @internal exported for tests
 */
export function daysWritten(weekdays: readonly number[]): string {
  const sorted = [1, 2, 3, 4, 5, 6, 0].filter((day) => weekdays.includes(day));
  const runs: number[][] = [];
  for (const day of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && (last.at(-1)! + 1) % 7 === day) last.push(day);
    else runs.push([day]);
  }
  return runs
    .flatMap((run) => (run.length < 3 ? run.map((day) => DAYS[day]!) : [`${DAYS[run[0]!]!}-${DAYS[run.at(-1)!]!}`]))
    .join(', ');
}

function spanWritten(ms: number): string {
  if (ms % (24 * HOUR_MS) === 0 && ms > 24 * HOUR_MS) return `${ms / (24 * HOUR_MS)}d`;
  return ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${ms / 60_000}m`;
}

/** A time of the day, whichever day it is counted from: `06:15`. */
function timeOfDay(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const inDay = ((minutes % 1440) + 1440) % 1440;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

/** The region with the fewest holidays of which all of these days are, where no other country has them; one day says nothing. */
function holidaysOf(days: readonly string[]): string | null {
  if (days.length < 2) return null;
  const fitting = REGIONS.filter((region) => days.every((day) => isHoliday(region, day)));
  const countries = new Set(fitting.map((region) => region.slice(0, 2)));
  return countries.size === 1 ? fitting[0]! : null;
}
