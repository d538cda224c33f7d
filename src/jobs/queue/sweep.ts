import type { Context } from '../../context.ts';
import { isDue } from '../../clock.ts';
import { OfferlineError } from '../../errors.ts';
import { dueClock } from '../../ledger/due-clock.ts';
import { leaveNote } from '../../ledger/alerts/notes.ts';
import { runsAt } from '../../ledger/runs/runs.ts';
import { loginsWithWork } from '../../ledger/uploads/intents.ts';
import { watchTimes } from '../../ledger/uploads/watches.ts';
import { notifyOfDigests } from '../alerts/digests.ts';
import { notifyOfScorecards } from '../alerts/scorecards.ts';
import { checkBackups } from '../maintenance/back-up.ts';
import { checkExpectations } from '../feeds/expectations.ts';
import { followChanges } from './follow-changes.ts';
import { settleRequests } from '../decisions/second/settle.ts';
import type { Wakes } from './queues.ts';
import { startDue, syncSchedules } from './schedule.ts';
import { sendMails } from '../alerts/send-mails.ts';
import { notifyOfIncidents } from '../alerts/notify.ts';
import { endUnserved, reachOf } from '../workers/who-reaches.ts';

/** What a sweep found and woke; a check of what is live, which is made by schedule, does not count. */
export type Swept = { due: string[]; runs: string[]; lanes: string[] };

/**
 * Finds open work in the ledger and wakes it: the queue may have forgotten it (a wiped Redis, a killed worker), the
 * ledger has not. Waking what is awake already changes nothing.
 */
export async function sweep(
  wakes: Wakes,
  ctx: Context,
  options: { schedules: boolean; checks: boolean },
): Promise<Swept> {
  const due: string[] = [];
  if (options.schedules) {
    await syncSchedules(wakes, ctx);
    const now = await dueClock(ctx);
    for (const feed of Object.keys(ctx.config.feeds)) {
      const run = await startDue(feed, ctx, now);
      if (run !== null) due.push(run);
    }
  }
  for (const feed of Object.keys(ctx.config.feeds)) {
    const run = await followChanges(feed, ctx);
    if (run !== null) due.push(run);
  }
  const open = await runsAt(ctx.ledger.db, ['pull', 'read', 'report']);
  const runs = open.map((run) => run.id);
  for (const run of open) {
    try {
      // One that waits for another worker is not brought forward: this one would only offer it again.
      const tries = reachOf(run, ctx)?.mine === false ? Math.max(1, run.tries) : run.tries;
      await wakes.remindRun({ ...run, tries });
    } catch (error) {
      // One row that cannot be read must not stop the work of all others; a queue or ledger that is away does.
      if (!(error instanceof OfferlineError) || error.code !== 'ledger' || error.retryable) throw error;
      ctx.log.error({ run: run.id, feed: run.feed, reason: error.message }, 'run cannot be woken');
    }
  }
  const waiting = (await runsAt(ctx.ledger.db, ['compose', 'upload'])).map((run) => run.login);
  const watched = options.checks ? await watchesDue(ctx) : [];
  const lanes = [...new Set([...(await loginsWithWork(ctx.ledger.db)), ...waiting])];
  for (const login of new Set([...lanes, ...watched])) {
    if (Object.hasOwn(ctx.config.logins, login)) await wakes.wakeLane(login);
  }
  if (options.checks) {
    await checkExpectations(ctx);
    await checkBackups(ctx);
    await notifyOfDigests(ctx);
    await notifyOfScorecards(ctx);
  }
  await endUnserved(ctx);
  await settleRequests(ctx);
  await notifyOfIncidents(ctx);
  await sendMails(ctx);
  await note({ due, runs, lanes }, ctx);
  return { due, runs, lanes };
}

/** For `doctor`: that a worker sweeps, and what was found last. */
async function note(swept: Swept, ctx: Context): Promise<void> {
  const left = { at: ctx.clock.now(), owner: ctx.owner, ...swept };
  await leaveNote(ctx.ledger.db, 'last-sweep', left);
  if (Object.values(swept).some((found) => found.length > 0)) await leaveNote(ctx.ledger.db, 'last-find', left);
}

/** The logins whose live dataset is to be checked, also those that no feed uses. */
async function watchesDue(ctx: Context): Promise<string[]> {
  const times = await watchTimes(ctx.ledger.db);
  const now = ctx.clock.now();
  return Object.keys(ctx.config.logins).filter((login) => {
    const due = times.get(login);
    return due === undefined || isDue(due, now);
  });
}
