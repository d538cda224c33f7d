import type { Context } from '../../context.ts';
import { feedState, updateFeed } from '../../ledger/runs/feeds.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { createRun } from '../../ledger/runs/runs.ts';
import { restingSource } from '../feeds/source-denial.ts';
import { nextDue } from './next-due.ts';
import type { Queues } from './queues.ts';

/** The job scheduler of a feed and its next time; both are re-made from the configuration whenever they are missing. */
const SCHEDULER = 'feed-';

/** A schedule as it is compared: another text means that the next time has to be computed again. */
function scheduleText(schedule: { cron: string; timezone: string }): string {
  return `${schedule.cron} ${schedule.timezone}`;
}

/**
 * Makes the queue's job schedulers and the ledger's next times agree with the configuration. Repeating it changes
 * nothing; after a wiped Redis it restores every schedule.
 */
export async function syncSchedules(queues: Queues, ctx: Context): Promise<void> {
  const wanted = Object.entries(ctx.config.feeds).filter(([, feed]) => feed.schedule !== undefined);
  for (const [feed, { schedule, login }] of wanted) {
    if (schedule === undefined) continue;
    await queues.runs.upsertJobScheduler(
      `${SCHEDULER}${feed}`,
      { pattern: schedule.cron, tz: schedule.timezone },
      { name: 'due', data: { feed }, opts: { removeOnComplete: true, removeOnFail: 100 } },
    );
    const state = await feedState(ctx.ledger.db, feed, login);
    const text = scheduleText(schedule);
    if (state.schedule !== text || isTooFar(state.next_due, schedule, ctx.clock.now())) {
      await updateFeed(ctx.ledger.db, feed, { schedule: text, next_due: nextDue(schedule, ctx.clock.now()) });
    }
  }
  const names = new Set(wanted.map(([feed]) => `${SCHEDULER}${feed}`));
  for (const scheduler of await queues.runs.getJobSchedulers()) {
    if (!names.has(scheduler.key)) await queues.runs.removeJobScheduler(scheduler.key);
  }
}

/** A time that leaves out more than one due time comes from a clock that was set back since; one may have been met already. */
function isTooFar(due: number | null, schedule: { cron: string; timezone: string }, now: number): boolean {
  return due === null || nextDue(schedule, nextDue(schedule, now)) < due;
}

/**
 * Starts the feed's run when it is due. Both the job scheduler and the sweep call it, so the ledger decides: the one that
 * moves the next time first starts the run, and times missed while nothing ran are caught up once.
 */
export async function startDue(feed: string, ctx: Context): Promise<string | null> {
  const settings = ctx.config.feeds[feed];
  const schedule = settings?.schedule;
  if (settings === undefined || schedule === undefined) return null;
  const now = ctx.clock.now();
  // Guessing at the fingerprint is slow on purpose, and only needed where credentials were refused.
  const rests = (await restingSource(feed, ctx)) !== null;
  return ctx.ledger.transaction(async (trx) => {
    const state = await feedState(trx, feed, settings.login);
    if (state.next_due === null || state.next_due > now) return null;
    // The time stays due: it is caught up once when the pause ends.
    if ((await pauseOver(trx, feed, settings.login)) !== undefined) return null;
    await updateFeed(trx, feed, { next_due: nextDue(schedule, now) });
    if (rests) return null;
    const { login } = settings;
    return createRun(trx, { feed, login, cause: 'schedule', options: {}, sandbox: ctx.sandbox, now });
  });
}
