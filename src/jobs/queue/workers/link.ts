import type { Context } from '../../../context.ts';
import { messageOf, OfferlineError } from '../../../errors.ts';
import type { RedisServer } from '../../redis/open.ts';
import { bindLedger } from '../bind-ledger.ts';
import type { Wakes } from '../queues.ts';
import type { Alone } from './alone.ts';
import { inTime } from './in-time.ts';
import type { QueueWorkers } from './queue-workers.ts';

/**
 * Wakes workers by way of the queues, and this process alone while their Redis is away. No wake-up fails for that: what the queues do not
 * take in time is done here.
 */
export type Link = Wakes & {
  /** Looks whether Redis is there and serves this ledger, and whether its workers take jobs. Fails with `conflict` when it serves another. */
  look: () => Promise<void>;
  isThere: () => boolean;
  hurryRuns: () => Promise<void>;
  rest: () => void;
};

/** So many runs that wait are brought forward in the time that there is. */
const MOST_HURRIED = 500;

/** Where wake-ups may go. */
type Ways = { redis: RedisServer; workers: QueueWorkers; alone: Alone };

/** Opens the link; Redis is there. */
export function openLink({ redis, workers, alone }: Ways, ctx: Context): Link {
  const { log, clock, ledger } = ctx;
  let isThere = true;

  function lose(error: unknown): void {
    if (isThere)
      log.warn({ redis: redis.describe, reason: messageOf(error) }, 'redis is away, working on what the sweep finds');
    isThere = false;
  }

  async function pass(call: (wakes: Wakes) => Promise<void>, steps = 0): Promise<void> {
    if (!isThere) return call(alone);
    try {
      await inTime(call(workers.queues()), clock, steps);
    } catch (error) {
      // A row of the ledger that cannot be read says nothing about Redis.
      if (error instanceof OfferlineError && error.code !== 'redis') throw error;
      lose(error);
      await call(alone);
    }
  }

  async function look(): Promise<void> {
    try {
      await bindLedger(redis, ledger);
    } catch (error) {
      if (!(error instanceof OfferlineError) || error.code !== 'redis') throw error;
      return lose(error);
    }
    if (!isThere) log.info({ redis: redis.describe }, 'redis is back, the queue wakes workers again');
    isThere = true;
    alone.rest();
    await inTime(workers.look(), clock).catch(lose);
  }

  return {
    wakeRun: (run) => pass((wakes) => wakes.wakeRun(run)),
    remindRun: (run) => pass((wakes) => wakes.remindRun(run)),
    wakeLane: (login) => pass((wakes) => wakes.wakeLane(login)),
    schedule: (feeds) => pass((wakes) => wakes.schedule(feeds), feeds.size),
    hurryRuns: async () => {
      if (isThere) await inTime(workers.queues().hurryRuns(), clock, MOST_HURRIED).catch(lose);
    },
    look,
    isThere: () => isThere,
    rest: () => alone.rest(),
  };
}
