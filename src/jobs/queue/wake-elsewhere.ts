import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import { findRedis } from '../redis/open.ts';
import { openQueues, type Queues } from './queues.ts';

/**
 * Wakes the workers of other processes for a run. False when no queue is there: the run is in the ledger, and the sweep of
 * the next worker finds it. Never starts a Redis of its own.
 */
export function wakeElsewhere(run: string, where: Where, ctx: Context): Promise<boolean> {
  return wake(async (queues) => queues.wakeRun(await getRun(ctx.ledger.db, run)), where, ctx);
}

/** Wakes a login's lane in other processes, by the same rules. */
export function wakeLaneElsewhere(login: string, where: Where, ctx: Context): Promise<boolean> {
  return wake((queues) => queues.wakeLane(login), where, ctx);
}

type Where = { redisUrl: string | undefined };

async function wake(call: (queues: Queues) => Promise<void>, where: Where, ctx: Context): Promise<boolean> {
  const redis = await findRedis({ redisUrl: where.redisUrl, home: ctx.home, log: ctx.log });
  if (redis === null) return false;
  const queues = openQueues(redis, AbortSignal.abort());
  try {
    await call(queues);
    return true;
  } catch (error) {
    ctx.log.warn({ redis: redis.describe, reason: messageOf(error) }, 'workers could not be woken');
    return false;
  } finally {
    await queues.close();
    await redis.close();
  }
}
