import type { Context } from '../../context.ts';
import { isDue } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import { endLaneFault, keepLaneFault, laneFault } from '../../ledger/uploads/lane-faults.ts';
import { addEvent, runsOfLane } from '../../ledger/runs/runs.ts';
import { newestAttempt } from '../../ledger/uploads/uploads.ts';
import { updateWatch } from '../../ledger/uploads/watches.ts';
import { answerOverdue } from './overdue.ts';

/** A lane that fails so often in a row is an incident, and `doctor` fails. */
export const FAULTS_UNTIL_INCIDENT = 3;

/** When (epoch milliseconds) a lane that failed may be tried again; null when nothing keeps it. */
export async function pauseOfLane(login: string, ctx: Context): Promise<number | null> {
  const fault = await laneFault(ctx.ledger.db, login);
  if (fault === undefined || isDue({ next_at: fault.next_at, wait_ms: longestPause(ctx) }, ctx.clock.now()))
    return null;
  return fault.next_at;
}

function longestPause({ config }: Context): number {
  return Math.max(config.worker.sweep, config.service.poll.watch);
}

/**
 * Records what stopped a lane: it is counted, said on the timelines of the runs that wait, and an incident from the third time
 * on. Runs that have waited long enough are answered. Gives the time (epoch milliseconds) at which it is tried again.
 */
export async function recordLaneFault(login: string, error: unknown, ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const text = messageOf(error);
  const before = await laneFault(ctx.ledger.db, login);
  const times = (before?.times ?? 0) + 1;
  const { sweep } = ctx.config.worker;
  const next_at = now + Math.min(longestPause(ctx), sweep * 2 ** Math.min(times - 1, 20));
  const first_at = before?.first_at ?? now;
  const waiting = await runsOfLane(ctx.ledger.db, login);
  await ctx.ledger.transaction(async (trx) => {
    await keepLaneFault(trx, { login, times, first_at, next_at, text });
    // What failed in the check of what is live must not be passed over the next time.
    await updateWatch(trx, login, { next_at: 0 });
    if (times === 1 || times === FAULTS_UNTIL_INCIDENT) {
      const message = `a fault of offerline stops the login ${login}, which is tried again: ${text}`;
      for (const { id, stage } of waiting) await addEvent(trx, id, { at: now, stage, message });
    }
    if (times < FAULTS_UNTIL_INCIDENT) return;
    const reason = { code: 'lane-failed', times, since: first_at, said: text } as const;
    await raise(trx, { kind: 'fault', login, reason, numbers: { times, since: first_at } }, now);
  });
  const intent = await openIntent(ctx.ledger.db, login);
  const upload = intent === undefined ? undefined : await newestAttempt(ctx.ledger.db, intent.id);
  const nothing = { state: 'intended', offer_id: null, token: '' } as const;
  const nextAnswer = await answerOverdue(login, { ...(upload ?? nothing), silent_since: null, note: text }, ctx);
  return Math.min(next_at, nextAnswer);
}

/** A lane has come through: what was wrong with it is over. */
export async function laneWorks(login: string, ctx: Context): Promise<void> {
  if ((await laneFault(ctx.ledger.db, login)) === undefined) return;
  await ctx.ledger.transaction(async (trx) => {
    await endLaneFault(trx, login);
    await recover(trx, { kind: 'fault', login, text: 'work on it has resumed' }, ctx.clock.now());
  });
}
