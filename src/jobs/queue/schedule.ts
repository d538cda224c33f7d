import { isDueAt, nextDue, type Schedule } from '../../calendar/next-due.ts';
import type { Context } from '../../context.ts';
import { dueClock } from '../../ledger/due-clock.ts';
import { feedState, moveDue } from '../../ledger/runs/feeds.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { createRun } from '../../ledger/runs/runs.ts';
import { restingSource } from '../feeds/source-denial.ts';
import { waitsForRest } from '../run/incomplete.ts';
import { waitsUnserved } from '../workers/who-reaches.ts';
import type { Wakes } from './queues.ts';

/** A schedule as it is compared: another text means that the next time has to be computed again. */
function scheduleText(schedule: Schedule): string {
  return `${schedule.cron} ${schedule.timezone}`;
}

/**
 * Makes the queue's job schedulers and the ledger's next times agree with the configuration. Repeating it changes
 * nothing; after a wiped Redis it restores every schedule.
 */
export async function syncSchedules(wakes: Pick<Wakes, 'schedule'>, ctx: Context): Promise<void> {
  const wanted = new Map<string, Schedule>();
  const now = await dueClock(ctx);
  for (const [feed, { schedule, login }] of Object.entries(ctx.config.feeds)) {
    if (schedule === undefined) continue;
    wanted.set(feed, schedule);
    const state = await feedState(ctx.ledger.db, feed, login);
    const text = scheduleText(schedule);
    const due = dueTime(state.schedule === text ? state.next_due : null, schedule, now);
    if (state.schedule !== text || state.next_due !== due) {
      await moveDue(ctx.ledger.db, state, { schedule: text, next_due: due });
    }
  }
  await wakes.schedule(wanted);
}

/** Longest step by which a time moves when the rules of its time zone change. */
const RULE_CHANGE = 3 * 3_600_000;

/** When a feed is due: the time that the ledger has, or another where that one no longer holds. */
function dueTime(due: number | null, schedule: Schedule, now: number): number {
  if (due === null) return nextDue(schedule, now);
  // A time that has come is caught up, whatever made it.
  if (due <= now) return due;
  // The rules of the time zone have changed since. By the new ones the time may have come already: then it is caught up as well.
  if (!isDueAt(schedule, due)) return nextDue(schedule, Math.min(now, due - RULE_CHANGE));
  // A clock that was set back since leaves out more than one due time; one may have been met already.
  const next = nextDue(schedule, now);
  return nextDue(schedule, next) < due ? next : due;
}

/**
 * Starts the feed's run when it is due. Both the job scheduler and the sweep call it, so the ledger decides: the one that
 * moves the next time first starts the run, and times missed while nothing ran are caught up once. `at`: the time, where it is known.
 */
export async function startDue(feed: string, ctx: Context, at?: number): Promise<string | null> {
  const settings = ctx.config.feeds[feed];
  const schedule = settings?.schedule;
  if (settings === undefined || schedule === undefined) return null;
  const now = at ?? (await dueClock(ctx));
  // Guessing at the fingerprint is slow on purpose, and only needed where credentials were refused.
  const rests =
    (await restingSource(feed, ctx)) !== null || (await waitsUnserved(feed, ctx)) || (await waitsForRest(feed, ctx));
  return ctx.ledger.transaction(async (trx) => {
    const state = await feedState(trx, feed, settings.login);
    if (state.next_due === null || state.next_due > now) return null;
    // The time stays due: it is caught up once when the pause ends.
    if ((await pauseOver(trx, feed, settings.login)) !== undefined) return null;
    const next = { schedule: state.schedule, next_due: nextDue(schedule, now) };
    // On Postgres another scheduler may have read the same time: the second of them finds it moved.
    if (!(await moveDue(trx, state, next)) || rests) return null;
    const { login } = settings;
    const run = { feed, login, cause: 'schedule', options: {}, sandbox: ctx.sandbox } as const;
    return createRun(trx, { ...run, now: ctx.clock.now() });
  });
}
