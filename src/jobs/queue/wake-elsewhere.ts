import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import { findRedis, type RedisServer } from '../redis/open.ts';
import { assertBound } from './bind-ledger.ts';
import { openQueues, type Queues } from './queues.ts';

/**
 * Wakes the workers of other processes for a run. False when that cannot be done, whatever keeps it: what was decided is in the ledger
 * already, and the sweep of the next worker finds it. Never starts a Redis of its own.
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
  try {
    const redis = await findRedis({ redisUrl: where.redisUrl, prefix: ctx.redisPrefix, home: ctx.home, log: ctx.log });
    if (redis === null) return false;
    try {
      await assertBound(redis, ctx.ledger);
      await callQueues(call, redis);
      return true;
    } finally {
      await redis.close();
    }
  } catch (error) {
    ctx.log.warn({ reason: messageOf(error) }, 'workers could not be woken, the next sweep finds the work');
    return false;
  }
}

async function callQueues(call: (queues: Queues) => Promise<void>, redis: RedisServer): Promise<void> {
  const queues = openQueues(redis, AbortSignal.abort());
  try {
    await call(queues);
  } finally {
    await queues.close();
  }
}
