import { DelayedError, type Job } from 'bullmq';
import type { Context } from '../../context.ts';
import { isLeaseLost, messageOf } from '../../errors.ts';
import { isLedgerAway } from '../../ledger/engines/postgres-reconnect.ts';
import type { Handled, World } from './on-job.ts';
import type { LaneJob, Queues, RunJob } from './queues.ts';

/** Runs the work of a queue's job, and gives the job back for later where the work waits for something. */
export async function handle(
  job: Job<RunJob | LaneJob>,
  token: string | undefined,
  { queues, world }: { queues: Queues; world: World },
  work: () => Promise<Handled>,
): Promise<void> {
  const handled = await carryOut(job.data, world, work);
  if (handled !== 'done') await delay(job, token, handled.waitUntil, queues);
}

/**
 * Runs work. Failures of the business are in the ledger already and end it well; what throws is a fault, a lost lease or a stop, and it
 * is to be done again by the next worker.
 */
export async function carryOut(data: RunJob | LaneJob, world: World, work: () => Promise<Handled>): Promise<Handled> {
  const working = work();
  world.active.add(working);
  try {
    return await working;
  } catch (error) {
    if (!world.stop.aborted) {
      const passes = isLeaseLost(error) || isLedgerAway(error);
      world.ctx.log.warn({ job: data, ...(passes ? { reason: messageOf(error) } : { err: error }) }, 'job handed back');
      if (!passes) {
        world.look();
        world.onFault(error, data);
      }
    }
    return { waitUntil: world.ctx.clock.now() + (world.stop.aborted ? 0 : pauseAfter(error, world.ctx)) };
  } finally {
    world.active.delete(working);
  }
}

/**
 * Gives a job back until a time, unless it was woken while it was at work: what woke it may have come too late to be seen. Then it
 * ends, and the queue runs it again at once.
 */
async function delay(
  job: Job<RunJob | LaneJob>,
  token: string | undefined,
  until: number,
  queues: Queues,
): Promise<void> {
  if (await queues.isWoken(job)) return;
  await job.moveToDelayed(Math.max(until, Date.now() + 10), token);
  // Whoever woke it between the two saw it at work, and did not bring it forward.
  if (await queues.isWoken(job)) await job.promote().catch(() => undefined);
  throw new DelayedError();
}

/** Milliseconds before a job is tried again: soon after a lost lease, not in a storm after a fault that may last. */
function pauseAfter(error: unknown, ctx: Context): number {
  return isLeaseLost(error) ? 500 : ctx.config.worker.sweep;
}
