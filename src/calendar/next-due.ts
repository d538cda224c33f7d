import { readCron, type Cron } from './cron.ts';
import { momentOf, nextJump, offsetAt, shownAt } from './zone-time.ts';

/** When something is due: times of a calendar, in a time zone. */
export type Schedule = { cron: string; timezone: string };

/**
 * The first time after `from` (epoch milliseconds) at which a schedule is due. Where the clocks change, a schedule of certain hours is
 * due once for each time that it names, and one of every hour whenever the clocks show such a time.
 */
export function nextDue({ cron, timezone }: Schedule, from: number): number {
  const read = readCron(cron);
  return read.everyHour ? nextShown(read, timezone, from) : nextNamed(read, timezone, from);
}

/** A named time that the clocks skip comes when they jump; one that they show twice comes the first time. */
function nextNamed(cron: Cron, timezone: string, from: number): number {
  let shown = shownAt(from, timezone);
  for (;;) {
    shown = cron.after(shown);
    const due = momentOf(shown, timezone);
    // Clocks that were put back show times again that have come already.
    if (due > from) return due;
  }
}

/** What the clocks skip does not come; what they show twice comes twice. */
function nextShown(cron: Cron, timezone: string, from: number): number {
  for (let at = Math.floor(from) + 1; ;) {
    const offset = offsetAt(at, timezone);
    const due = cron.after(at - 1 + offset) - offset;
    const jump = nextJump(at, due, timezone);
    if (jump === undefined) return due;
    at = jump;
  }
}

/** Whether a schedule is due at a moment. A time that was computed by other rules of its time zone is none. */
export function isDueAt(schedule: Schedule, at: number): boolean {
  return nextDue(schedule, at - 1) === at;
}
