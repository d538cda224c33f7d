import { dayNumber, weekdayOf } from '../../calendar/expected-days.ts';
import type { Context } from '../../context.ts';
import { arrivalsSince } from '../../ledger/expected/arrivals.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { SignalFinding } from '../../model.ts';
import { MOST_SAME_DAY, smallForWeekday } from '../../signals/weekday-size.ts';
import { offersRead } from '../../wording/words.ts';
import { zoneOf } from '../feeds/expected.ts';

const WEEK_MS = 7 * 86_400_000;
/** A supplier may have missed some of them. */
const WEEKS = 2 * MOST_SAME_DAY;

/** That a run's delivery has few rows for the day of the week on which it came, by those of the same feed and day that went live. */
export async function weekdayFindings(
  { id, feed, counts, options, taken_at, created_at }: RunRow,
  { config, ledger }: Context,
): Promise<SignalFinding[]> {
  const settings = config.feeds[feed];
  // What is done again came on another day.
  const isAgain = options.of !== undefined && options.from !== 'pull';
  if (settings === undefined || counts === null || isAgain) return [];
  const timezone = zoneOf(settings);
  const weekday = (moment: number) => weekdayOf(dayNumber(moment, timezone));
  const at = taken_at ?? created_at;
  const arrived = (await arrivalsSince(ledger.db, [feed], at - WEEKS * WEEK_MS)).get(feed) ?? [];
  const before = arrived.filter(
    (one) =>
      one.run !== id &&
      one.at < at &&
      (one.outcome === 'live' || one.outcome === 'partial') &&
      weekday(one.at) === weekday(at),
  );
  return smallForWeekday(
    offersRead(counts),
    before.flatMap(({ read }) => (read === null ? [] : [read])),
  );
}
