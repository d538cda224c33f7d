import type { DaysExpected } from '../../calendar/expected-days.ts';
import { standingAt, type Expected, type Standing } from '../../calendar/expected.ts';
import { isHoliday } from '../../calendar/holidays.ts';
import type { Stop } from '../../calendar/stops.ts';
import { momentOf } from '../../calendar/zone-time.ts';
import { DAYS } from '../../config/schema/expect/expect-schema.ts';
import { daysOf, looksLikeDate, readRange, type DayRange } from '../../config/schema/expect/dates.ts';
import type { Config, ExpectConfig, FeedConfig } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { listAbsences } from '../../ledger/expected/absences.ts';
import { arrivalsSince, type ArrivedFile } from '../../ledger/expected/arrivals.ts';
import { pastPauses } from '../../ledger/expected/past-pauses.ts';
import type { AbsenceRow, FeedRow } from '../../ledger/schema/schema.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** No expected day is waited for longer, and a delivery makes up for all days before it. */
const WINDOW_MS = 60 * DAY_MS;

/** How a feed's supplier stands, what is expected of it, and the days of absence that were announced and are not over. */
export type ExpectedStanding = Standing & { expected: Expected; timezone: string; absences: AbsenceRow[] };

/** The settings that say what is expected of a feed's supplier; null where nothing is. */
export function expectedOf(feed: string, { feeds, fileHolidays = {} }: Config): Expected | null {
  const settings = feeds[feed];
  if (settings?.expect !== undefined)
    return daysExpected(settings.expect, zoneOf(settings), own(fileHolidays, feed) ?? []);
  return settings?.expectEvery === undefined ? null : { every: settings.expectEvery };
}

/** The time zone in which the days of a feed's supplier begin and end. */
export function zoneOf({ expect, schedule }: Pick<FeedConfig, 'expect' | 'schedule'>): string {
  return expect?.timezone ?? schedule?.timezone ?? 'UTC';
}

function daysExpected(
  { days, by, times, tolerance, holidays }: ExpectConfig,
  timezone: string,
  inFile: string[],
): DaysExpected {
  const listed = Array.isArray(holidays) ? holidays : [];
  const ranges = rangesIn(listed.filter(looksLikeDate));
  const off = new Set(inFile.concat(ranges.flatMap((range) => Array.from(daysOf(range)))));
  const regions = listed.filter((one) => !looksLikeDate(one));
  const all = by.length === 1 ? Array.from({ length: times ?? 1 }, () => by[0]!) : by;
  return {
    weekdays: days.map((day) => DAYS.indexOf(day)),
    by: all.map((time) => Number(time.slice(0, 2)) * 60 * MINUTE_MS + Number(time.slice(3)) * MINUTE_MS),
    timezone,
    tolerance,
    isOff: (day) => off.has(day) || regions.some((region) => isHoliday(region, day)),
  };
}

/** What stopped the clocks of feeds, as far as settings and the ledger know it. */
type Stops = { ofFeed: (feed: string) => Stop[]; absences: (feed: string) => AbsenceRow[] };

/** The pauses and absences of some feeds, in two or three questions for all of them. */
export async function stopsOf(feeds: readonly string[], { ledger: { db }, config }: Context): Promise<Stops> {
  if (feeds.length === 0) return { ofFeed: () => [], absences: () => [] };
  const pauses = await pastPauses(db);
  const announced = Map.groupBy(await listAbsences(db, feeds), ({ feed }) => feed);
  return {
    ofFeed: (feed) => {
      const settings = config.feeds[feed];
      if (settings === undefined) return [];
      const away = [
        ...rangesIn(settings.expect?.away ?? []),
        ...(announced.get(feed) ?? []).map(({ first_day, last_day }) => ({ from: first_day, to: last_day })),
      ];
      return pauses
        .filter(({ kind, name }) => name === (kind === 'feed' ? feed : settings.login))
        .concat(away.map((range) => Object.assign({ kind: 'away', name: feed }, spanOf(range, zoneOf(settings)))));
    },
    absences: (feed) => announced.get(feed) ?? [],
  };
}

function rangesIn(written: readonly string[]): DayRange[] {
  return written.map(readRange).filter((range) => typeof range !== 'string');
}

/** From the first midnight to the one after the last day. */
function spanOf({ from, to }: DayRange, timezone: string): Stop {
  return { from: momentOf(Date.parse(from), timezone), to: momentOf(Date.parse(to) + DAY_MS, timezone) };
}

/** How the suppliers of some feeds stand now; those of which nothing is expected are left out. `rows`: what the ledger remembers of the feeds. */
export async function standingsOf(
  feeds: readonly string[],
  rows: ReadonlyMap<string, Pick<FeedRow, 'delivered_at' | 'expected_from'>>,
  ctx: Context,
): Promise<Map<string, ExpectedStanding>> {
  const { config, ledger, clock } = ctx;
  const now = clock.now();
  const asked = feeds.flatMap((feed) => {
    const expected = expectedOf(feed, config);
    return expected === null ? [] : [{ feed, expected }];
  });
  const stops = await stopsOf(
    asked.map(({ feed }) => feed),
    ctx,
  );
  const byDays = asked.flatMap(({ feed, expected }) => ('every' in expected ? [] : [feed]));
  const arrived = await arrivalsSince(ledger.db, byDays, now - WINDOW_MS);
  return new Map(
    asked.map(({ feed, expected }) => {
      const { delivered_at = null, expected_from = null } = rows.get(feed) ?? {};
      const known = {
        since: expected_from,
        deliveries: deliveriesOf(arrived.get(feed) ?? [], delivered_at),
        stops: stops.ofFeed(feed),
      };
      const timezone = zoneOf(config.feeds[feed]!);
      const today = new Date(now - DAY_MS).toISOString().slice(0, 10);
      const absences = stops.absences(feed).filter(({ last_day }) => last_day >= today);
      return [feed, { ...standingAt(expected, known, now), expected, timezone, absences }] as const;
    }),
  );
}

/** Of a supplier whose last delivery is older than what was asked for, that one is known all the same. */
function deliveriesOf(arrived: readonly ArrivedFile[], deliveredAt: number | null): number[] {
  const times = arrived.map(({ at }) => at);
  return deliveredAt === null || deliveredAt <= (times.at(-1) ?? -Infinity) ? times : [...times, deliveredAt];
}
