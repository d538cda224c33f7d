import type { Context } from '../context.ts';
import { findRedis } from './redis/open.ts';
import { openQueues } from './queues.ts';

/**
 * Wakes the workers of other processes for a run. False when no queue is there: the run is in the ledger, and the sweep of
 * the next worker finds it. Never starts a Redis of its own.
 */
export async function wakeElsewhere(
  run: string,
  options: { redisUrl: string | undefined },
  ctx: Context,
): Promise<boolean> {
  const redis = await findRedis({ redisUrl: options.redisUrl, home: ctx.home, log: ctx.log });
  if (redis === null) return false;
  const queues = openQueues(redis);
  try {
    await queues.wakeRun(run);
    return true;
  } finally {
    await queues.close();
    await redis.close();
  }
}
